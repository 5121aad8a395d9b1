"""Every Eval Ever, as its own converter writes it, against the totals beside the samples."""

import json
import math

import numpy as np
import pytest

from referee.errors import LogError
from referee.sources.logs import read_logs

NAME = "00000000-0000-4000-8000-000000000001"


def samples(data):
    return data / "every_eval_ever" / f"{NAME}_samples.jsonl"


def aggregate(data):
    return json.loads((data / "every_eval_ever" / f"{NAME}.json").read_text())


def test_scores_and_standard_errors_against_the_aggregate(data):
    logs = {log.task: log for log in read_logs(samples(data))}
    for result in aggregate(data)["evaluation_results"]:
        log = logs[result["evaluation_name"]]
        assert np.mean(log.score) == pytest.approx(result["score_details"]["score"], abs=1e-12)
        told = result["score_details"]["uncertainty"]
        error = np.std(log.score, ddof=1) / math.sqrt(log.n)
        assert error == pytest.approx(told["standard_error"]["value"], abs=1e-12)
        assert log.n == told["num_samples"]
        assert (log.higher_is_better, log.limits) == (True, (0.0, 1.0))


def test_a_sample_counts_once_under_each_result(data):
    assert len(samples(data).read_text().splitlines()) == 60
    logs = read_logs(samples(data))
    assert [log.n for log in logs] == [30, 30]
    (strict,) = read_logs(samples(data), task="sums_written/strict-match")
    assert strict.metric == "exact_match:strict-match"


def test_the_aggregate_stands_for_its_samples(data):
    first = read_logs(data / "every_eval_ever" / f"{NAME}.json")[0]
    assert first.score.tolist() == read_logs(samples(data))[0].score.tolist()


def test_what_converters_keep_as_metadata_is_used(data):
    log = read_logs(samples(data), fields=["filter"])[0]
    assert log.prompt_hash is not None
    assert set(log.fields["filter"].tolist()) == {"strict-match"}


def test_a_repeated_sample_is_refused_and_an_epoch_makes_it_a_run(data, changed_lines):
    def twice(lines):
        return [*lines[:30], *lines[:30]]

    path = changed_lines(samples(data), twice)
    with pytest.raises(LogError, match=r"sample '0' stands there twice"):
        read_logs(path)

    def epochs(lines):
        pairs = [(e, line) for e in "12" for line in lines[:30]]
        return [{**line, "metadata": {"epoch": e}} for e, line in pairs]

    (log,) = read_logs(changed_lines(samples(data), epochs))
    assert sorted(set(log.run.tolist())) == [1, 2]


def test_a_newer_schema_is_refused(data, changed_lines):
    def newer(lines):
        for line in lines:
            line["schema_version"] = "0.4.0"

    with pytest.raises(
        LogError, match=r"line 1, field 'schema_version': '0.4.0' is newer than 0.3"
    ):
        read_logs(changed_lines(samples(data), newer))


def test_a_sample_without_its_fields_is_refused(data, changed_lines):
    def spoil(lines):
        del lines[4]["evaluation"]

    with pytest.raises(LogError, match="line 5: no field 'evaluation'"):
        read_logs(changed_lines(samples(data), spoil))


def test_several_models_in_a_file_are_refused(data, changed_lines):
    def mix(lines):
        lines[1]["model_id"] = "other/model"

    with pytest.raises(LogError, match="samples of several models"):
        read_logs(changed_lines(samples(data), mix))


def test_errors_beside_scores_are_noted(data, changed_lines):
    def fail(lines):
        lines[0]["error"] = "timeout"

    log = read_logs(changed_lines(samples(data), fail))[0]
    assert log.notes == ("1 samples carry an error beside their score; their scores count",)
