"""Inspect logs against what Inspect itself computed from them."""

import json
import math
import zipfile

import numpy as np
import pytest

from referee.errors import LogError
from referee.sources.logs import read_logs, read_scores_source
from referee.sources.logs.inspect_archive import InspectArchive

zipfile_zstd = pytest.importorskip("zipfile_zstd")


@pytest.fixture(scope="module")
def oracle(request):
    path = request.path.parent / "data" / "inspect" / "aggregates.json"
    return json.loads(path.read_text())


def metrics(oracle, name, which=0):
    return oracle[name]["scores"][which]["metrics"]


def clustered_stderr(values, clusters):
    """Inspect's formula (Miller 2024, appendix A, with C / (C - 1)), written out anew."""
    values, clusters = np.asarray(values), np.asarray(clusters)
    centred = values - values.mean()
    sums = [centred[clusters == c].sum() for c in np.unique(clusters)]
    factor = len(sums) / (len(sums) - 1)
    return math.sqrt(factor * np.sum(np.square(sums))) / len(values)


@pytest.mark.parametrize("name", ["alpha.eval", "beta.eval", "plain.json"])
def test_mean_and_standard_errors_over_epochs_against_inspect(data, oracle, name):
    scores = read_scores_source(data / "inspect" / name, cluster="subject")
    items = scores.of_model(scores.models[0])
    told = metrics(oracle, name)
    assert items.mean == pytest.approx(told["mean"]["value"], abs=1e-12)
    plain = np.std(items.values, ddof=1) / math.sqrt(items.n)
    assert plain == pytest.approx(told["stderr"]["value"], abs=1e-12)
    if name == "plain.json":
        assert items.cluster is None  # six questions of six subjects: nothing is tied
        return
    tied = clustered_stderr(items.values, items.cluster)
    assert tied == pytest.approx(told["stderr2"]["value"], abs=1e-12)
    assert told["stderr2"]["params"] == {"cluster": "subject"}


def test_epochs_are_runs(data):
    (log,) = read_logs(data / "inspect" / "alpha.eval")
    assert log.n == 90
    assert sorted(set(log.run.tolist())) == [1, 2, 3]
    assert len(set(log.item.tolist())) == 30


def test_the_json_log_says_the_same_as_the_archive(data):
    (archive,) = read_logs(data / "inspect" / "alpha.eval")
    (plain,) = read_logs(data / "inspect" / "plain.json")
    known = dict(
        zip(zip(archive.item, archive.run.tolist(), strict=True), archive.score, strict=True)
    )
    for item, run, score in zip(plain.item, plain.run.tolist(), plain.score, strict=True):
        assert known[item, run] == score
    hashes = dict(zip(archive.item, archive.item_hash, strict=True))
    assert all(hashes[i] == h for i, h in zip(plain.item, plain.item_hash, strict=True))


@pytest.mark.parametrize(("part", "at"), [("correct", 0), ("brevity", 1)])
def test_parts_of_a_score_against_inspect(data, oracle, part, at):
    (log,) = read_logs(data / "inspect" / "several.eval", score=f"several.{part}")
    told = metrics(oracle, "several.eval", at)
    assert np.mean(log.score) == pytest.approx(told["mean"]["value"], abs=1e-12)
    (short,) = read_logs(data / "inspect" / "several.eval", score=part)
    assert short.metric == f"several.{part}"


def test_letters_against_inspect_which_leaves_out_what_it_could_not_score(data, oracle):
    (log,) = read_logs(data / "inspect" / "several.eval", score="letters")
    told = metrics(oracle, "several.eval", 2)
    assert np.nanmean(log.score) == pytest.approx(told["mean"]["value"], abs=1e-12)
    assert log.problem[6] == "not scored: grader_failed"
    assert set(log.score[~np.isnan(log.score)]) == {0.0, 0.5, 1.0}
    assert log.limits == (0.0, 1.0)
    assert log.higher_is_better is True


def test_samples_that_failed_are_rows_without_a_score(data, oracle):
    (log,) = read_logs(data / "inspect" / "errors.eval")
    assert log.n == 14 == oracle["errors.eval"]["samples"][0]
    failed = np.flatnonzero(~log.scored)
    assert log.item[failed].tolist() == ["q03", "q13"]
    assert all("the connection broke" in log.problem[row] for row in failed)
    told = metrics(oracle, "errors.eval")
    assert np.nanmean(log.score) == pytest.approx(told["mean"]["value"], abs=1e-12)


def test_a_log_still_being_written_is_read_from_its_journal(data):
    (whole,) = read_logs(data / "inspect" / "errors.eval")
    (journal,) = read_logs(data / "inspect" / "unfinished.eval")
    assert journal.item.tolist() == whole.item.tolist()
    assert np.array_equal(journal.score, whole.score, equal_nan=True)
    assert journal.notes == ("the evaluation's status is 'started'",)


def test_samples_a_cancelled_evaluation_never_came_to_are_rows(data, changed_json):
    def cancel(log):
        log["status"] = "cancelled"
        log["samples"] = [s for s in log["samples"] if s["id"] != "q05"]

    (log,) = read_logs(changed_json(data / "inspect" / "plain.json", cancel))
    absent = log.problem == "cancelled before it was asked"
    assert sorted(zip(log.item[absent], log.run[absent].tolist(), strict=True)) == [
        ("q05", 1),
        ("q05", 2),
    ]
    assert log.n == 12


def test_without_samples_the_reductions_are_read_and_said_to_be_reduced(data, oracle):
    (log,) = read_logs(data / "inspect" / "without_samples.eval")
    told = metrics(oracle, "without_samples.eval")
    assert np.mean(log.score) == pytest.approx(told["mean"]["value"], abs=1e-12)
    assert log.reduced == "3 epochs of each sample became one by mean"
    with pytest.raises(LogError, match="no samples, so it has no field 'subject'"):
        read_logs(data / "inspect" / "without_samples.eval", fields=["subject"])


def test_another_reducer_is_noted_and_its_mean_taken(data, oracle):
    (log,) = read_logs(data / "inspect" / "reduced.eval")
    assert log.notes == ("Inspect reduced epochs by max; here the mean over epochs counts",)
    best = {}
    for item, score in zip(log.item, log.score, strict=True):
        best[item] = max(best.get(item, 0.0), score)
    told = metrics(oracle, "reduced.eval")["mean"]["value"]
    assert np.mean(list(best.values())) == pytest.approx(told, abs=1e-12)


def test_judges_are_the_models_in_the_role_of_grader(data):
    judges = [
        read_logs(data / "inspect" / f"judged_{name}.eval")[0].judge for name in ("kind", "strict")
    ]
    assert judges == [("mockllm/steady/kind",), ("mockllm/steady/strict",)]


def test_samples_are_opened_only_for_a_field_the_summaries_cut(data, monkeypatch):
    opened = []
    real = InspectArchive.sample
    monkeypatch.setattr(
        InspectArchive, "sample", lambda self, record: opened.append(1) or real(self, record)
    )
    read_logs(data / "inspect" / "alpha.eval", fields=["metadata.subject", "source.book", "uuid"])
    assert not opened
    (log,) = read_logs(data / "inspect" / "alpha.eval", fields=["passage.name"])
    assert len(opened) == 30  # one for each question, though there are three epochs
    assert log.fields["passage.name"].tolist()[:2] == ["passage 0", "passage 1"]


def test_a_wrong_field_does_not_open_every_sample(data, monkeypatch):
    monkeypatch.setattr(InspectArchive, "sample", lambda *_: pytest.fail("a sample was opened"))
    with pytest.raises(LogError, match=r"no field 'subjct'; did you mean 'metadata.subject'"):
        read_logs(data / "inspect" / "alpha.eval", fields=["subjct"])


def test_a_question_cut_in_the_summaries_has_no_hash(data, changed_json):
    def cut(log):
        log["samples"][0]["input"] = "x" * 5120 + "...\n(content truncated)"

    (log,) = read_logs(changed_json(data / "inspect" / "plain.json", cut))
    assert log.item_hash[0] is None
    assert log.item_hash[1] is not None


def test_a_version_1_log_has_one_score_without_a_name(data, changed_json):
    def old(log):
        log["version"] = 1
        for sample in log["samples"]:
            sample["score"] = sample.pop("scores")["sums"]

    (log,) = read_logs(changed_json(data / "inspect" / "plain.json", old))
    (new,) = read_logs(data / "inspect" / "plain.json")
    assert log.score.tolist() == new.score.tolist()


def test_an_unknown_mark_names_file_sample_score_value_and_remedy(data, changed_json):
    def mark(log):
        log["samples"][3]["scores"]["sums"]["value"] = "maybe"

    path = changed_json(data / "inspect" / "plain.json", mark)
    with pytest.raises(LogError, match=r"plain.json, sample 'q03', epoch 1, score 'sums': 'maybe'"):
        read_logs(path)
    (log,) = read_logs(path, values={"maybe": 0.25})
    assert log.score[3] == 0.25


def test_several_scores_are_listed(data):
    with pytest.raises(LogError, match=r"'several.correct', 'several.brevity', 'letters'"):
        read_logs(data / "inspect" / "several.eval")


def test_a_list_is_no_score(data, changed_json):
    def mark(log):
        for sample in log["samples"]:
            sample["scores"]["sums"]["value"] = [1, 0]

    with pytest.raises(LogError, match="is a list, not one number"):
        read_logs(changed_json(data / "inspect" / "plain.json", mark))


def test_a_newer_version_is_refused(data, changed_json):
    path = changed_json(data / "inspect" / "plain.json", lambda log: log.update(version=3))
    with pytest.raises(LogError, match=r"field 'version': 3 is newer than 2.*update referee"):
        read_logs(path)


def test_a_truncated_archive_is_refused(data, tmp_path):
    path = tmp_path / "short.eval"
    path.write_bytes((data / "inspect" / "alpha.eval").read_bytes()[:40_000])
    with pytest.raises(LogError, match=r"short.eval is not a complete zip file"):
        read_logs(path)


def test_a_damaged_member_is_named(data, tmp_path):
    source = data / "inspect" / "alpha.eval"
    with zipfile.ZipFile(source) as archive:
        start = archive.getinfo("summaries.json").header_offset
    damaged = bytearray(source.read_bytes())
    damaged[start + 60 : start + 400] = b"\0" * 340
    path = tmp_path / "damaged.eval"
    path.write_bytes(damaged)
    with pytest.raises(LogError, match=r"damaged.eval, member summaries.json: cannot be"):
        read_logs(path)


def test_a_task_may_be_named_without_its_package(data, changed_json):
    def name(log):
        log["eval"]["task"] = "inspect_evals/gsm8k"

    path = changed_json(data / "inspect" / "plain.json", name)
    assert read_logs(path, task="gsm8k")[0].task == "inspect_evals/gsm8k"
    with pytest.raises(LogError, match=r"no task 'mmlu'; known are 'inspect_evals/gsm8k'"):
        read_logs(path, task="mmlu")


def test_a_sample_asked_again_counts_once_with_its_last_score(data, changed_json):
    def again(log):
        second = json.loads(json.dumps(log["samples"][0]))
        first = second["scores"]["sums"]["value"]
        second["scores"]["sums"]["value"] = "I" if first == "C" else "C"
        log["samples"].append(second)

    (log,) = read_logs(changed_json(data / "inspect" / "plain.json", again))
    (before,) = read_logs(data / "inspect" / "plain.json")
    assert log.n == before.n
    assert log.score[0] == 1 - before.score[0]


def test_numbers_written_as_text_have_no_limits(data, changed_json):
    def number(log):
        for sample in log["samples"]:
            sample["scores"]["sums"]["value"] = "7.5"

    (log,) = read_logs(changed_json(data / "inspect" / "plain.json", number))
    assert set(log.score.tolist()) == {7.5}
    assert log.limits is None
