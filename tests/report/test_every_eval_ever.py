"""Evaluations as files of Every Eval Ever.

The oracle is the project's own program: scripts/fixture_logs has it check the committed files under
``written`` and keeps them only when it finds no error and no warning.
"""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from referee.errors import InputError
from referee.judging.scores.evaluate_scores import evaluate_scores
from referee.report.every_eval_ever import write_every_eval_ever
from referee.sources.logs import read_logs

DATA = Path(__file__).parents[1] / "sources" / "logs" / "data"
WRITTEN = DATA / "every_eval_ever" / "written"
SOURCES = [
    (
        str(next((DATA / "lm_eval" / "steady__alpha").glob("samples_sums_choice_*"))),
        {"score": "acc", "cluster": "doc.subject"},
    ),
    (str(DATA / "inspect" / "plain.json"), {}),
]


def written(source, options, folder):
    evaluation = evaluate_scores(source, **options)
    path = write_every_eval_ever(evaluation, folder, organization="referee", timestamp=1.0)
    return evaluation, path


def shape(value):
    if isinstance(value, dict):
        return {key: shape(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [shape(inner) for inner in value]
    return type(value).__name__


@pytest.mark.parametrize(("source", "options"), SOURCES)
def test_files_are_those_the_projects_program_found_valid(source, options, tmp_path):
    _, path = written(source, options, tmp_path)
    place = path.relative_to(tmp_path)
    checked = WRITTEN / place
    samples = path.with_name(f"{path.stem}_samples.jsonl")
    assert samples.read_bytes() == checked.with_name(samples.name).read_bytes()
    ours, theirs = json.loads(path.read_text()), json.loads(checked.read_text())
    assert shape(ours) == shape(theirs)


@pytest.mark.parametrize(("source", "options"), SOURCES)
def test_the_uncertainty_is_that_of_the_evaluation(source, options, tmp_path):
    evaluation, path = written(source, options, tmp_path)
    (result,) = json.loads(path.read_text())["evaluation_results"]
    details = result["score_details"]
    interval = evaluation.estimate.interval
    assert details["score"] == evaluation.estimate.value
    told = details["uncertainty"]
    assert told["confidence_interval"] == {
        "lower": interval.low,
        "upper": interval.high,
        "confidence_level": 0.95,
        "method": interval.method,
    }
    assert told["num_samples"] == evaluation.estimate.n
    assert 0 < told["standard_error"]["value"] < 0.5
    assert ("clusters" in told["standard_error"]["method"]) == bool(options)


@pytest.mark.parametrize(("source", "options"), SOURCES)
def test_what_was_written_is_read_back_the_same(source, options, tmp_path):
    evaluation, path = written(source, options, tmp_path)
    (log,) = read_logs(path)
    frame = evaluation.scores.frame()
    assert log.item.tolist() == [str(i) for i in frame["item"]]
    assert np.array_equal(log.score, frame["score"])
    assert log.run.tolist() == frame["run"].tolist()
    assert log.model == evaluation.name
    assert log.higher_is_better is True


def test_the_aggregate_vouches_for_the_samples(tmp_path):
    _, path = written(*SOURCES[0], tmp_path)
    said = json.loads(path.read_text())["detailed_evaluation_results"]
    samples = path.with_name(f"{path.stem}_samples.jsonl").read_bytes()
    assert said["checksum"] == hashlib.sha256(samples).hexdigest()
    assert said["total_rows"] == samples.count(b"\n") == 30
    assert said["file_path"] == str(
        (path.parent / f"{path.stem}_samples.jsonl").relative_to(tmp_path)
    )


def test_the_same_evaluation_has_the_same_name(tmp_path):
    _, first = written(*SOURCES[0], tmp_path / "a")
    _, second = written(*SOURCES[0], tmp_path / "b")
    assert first.name == second.name


def test_answers_left_out_are_told(tmp_path):
    _, path = written(str(DATA / "inspect" / "errors.eval"), {}, tmp_path)
    (result,) = json.loads(path.read_text())["evaluation_results"]
    assert result["score_details"]["details"]["answers_without_score"] == "2"


def test_a_table_of_scores_can_be_written_too(tmp_path):
    evaluation = evaluate_scores(
        {"model": ["a"] * 4, "item": list("wxyz"), "score": [1, 5.5, 7, 2]}
    )
    path = write_every_eval_ever(
        evaluation, tmp_path, organization="o", developer="maker", timestamp=2.5
    )
    content = json.loads(path.read_text())
    assert content["model_info"]["id"] == "maker/a"
    config = content["evaluation_results"][0]["metric_config"]
    assert (config["min_score"], config["max_score"]) == ("-Infinity", "Infinity")
    assert read_logs(path)[0].limits is None


def test_arguments_are_checked(tmp_path):
    evaluation = evaluate_scores([1, 0, 1, 1])
    with pytest.raises(InputError, match="relationship must be one of first_party"):
        write_every_eval_ever(evaluation, tmp_path, organization="o", relationship="self")
    with pytest.raises(InputError, match="organization must say who"):
        write_every_eval_ever(evaluation, tmp_path, organization=" ")
    assert not list(tmp_path.iterdir())


def test_several_logs_have_several_files(tmp_path):
    both = [str(DATA / "inspect" / name) for name in ("alpha.eval", "judged_kind.eval")]
    from referee.sources.logs import read_scores_source

    evaluation = evaluate_scores(read_scores_source(both, task="all"))
    with pytest.raises(InputError, match="the scores come from 2 logs"):
        write_every_eval_ever(evaluation, tmp_path, organization="o")
