"""Evaluation logs on the command line: options, findings, exit codes, nothing half-written."""

import json
from pathlib import Path

import pytest

DATA = Path(__file__).parents[2] / "sources" / "logs" / "data"
ALPHA, BETA = DATA / "inspect" / "alpha.eval", DATA / "inspect" / "beta.eval"


def test_two_inspect_logs_are_compared_question_by_question(referee):
    outcome = referee("compare-scores", ALPHA, BETA, "--cluster", "metadata.subject")
    assert outcome.code == 0
    said = " ".join(outcome.out.split())
    assert "mockllm/steady/alpha is better than mockllm/steady/beta" in said
    assert "30 shared items" in outcome.out.replace("\n  ", " ")


def test_a_task_and_a_filter_are_chosen(referee):
    folder = DATA / "lm_eval" / "steady__alpha"
    options = ["--task", "sums_written", "--filter", "strict-match", "--json"]
    outcome = referee("evaluate-scores", folder, *options)
    (result,) = json.loads(outcome.out)
    assert outcome.code == 0
    assert result["estimate"]["value"] == pytest.approx(0.6)


def test_failed_answers_are_told_and_can_be_counted(referee):
    path = DATA / "inspect" / "errors.eval"
    left_out = referee("evaluate-scores", path)
    assert "R054 serious" in left_out.out
    assert "--missing worst" in left_out.out.replace("\n  ", " ")
    counted = referee("evaluate-scores", path, "--missing", "worst")
    assert "R054 note" in counted.out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([DATA / "inspect" / "several.eval"], "'letters'; choose one with --score"),
        ([ALPHA, "--task", "mmlu"], "there is no task 'mmlu'; known are 'sums'"),
        ([ALPHA, "--cluster", "topic"], "has no field 'topic'"),
        ([ALPHA, "--missing", "zero"], "missing must be 'auto'"),
        ([ALPHA, "--same-model", "x"], "--same-model must be 'apart' or 'runs'"),
        ([DATA / "lm_eval" / "steady__alpha"], "has several scores: 'acc', 'acc_norm'"),
        ([DATA / "lm_eval" / "nothing"], "there is no such file"),
        ([DATA / "inspect" / "aggregates.json"], "is no evaluation log that referee knows"),
    ],
)
def test_wrong_requests_exit_with_2_and_leave_nothing_behind(referee, tmp_path, arguments, told):
    out = tmp_path / "report"
    outcome = referee("evaluate-scores", *arguments, "--out", out)
    assert outcome.code == 2
    assert told in outcome.err
    assert "Traceback" not in outcome.err
    assert not out.exists()


def test_an_unknown_word_is_given_a_worth(referee, tmp_path):
    log = json.loads((DATA / "inspect" / "plain.json").read_text())
    log["samples"][0]["scores"]["sums"]["value"] = "maybe"
    path = tmp_path / "words.json"
    path.write_text(json.dumps(log))
    refused = referee("evaluate-scores", path)
    assert refused.code == 2
    assert "sample 'q00', epoch 1, score 'sums': 'maybe'" in refused.err
    assert "--value 'maybe=NUMBER'" in refused.err
    assert referee("evaluate-scores", path, "--value", "maybe=0.5").code == 0


def test_a_board_of_logs(referee):
    folders = [DATA / "lm_eval" / name for name in ("steady__alpha", "steady__beta", "dummy")]
    outcome = referee("board", *folders, "--task", "sums_choice", "--score", "acc")
    assert "3 models on 30 items" in outcome.out
    assert "R041" in outcome.out  # the dummy was asked ten questions only
