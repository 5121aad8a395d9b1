"""Outputs of promptfoo against its own totals."""

import json

import numpy as np
import pytest

from referee.errors import LogError
from referee.sources.logs import read_logs, read_scores_source


def totals(data, name="plain"):
    content = json.loads((data / "promptfoo" / f"{name}.json").read_text())
    return content["results"]


def test_sums_of_scores_and_named_scores_against_promptfoo(data):
    prompts = {p["provider"]: p["metrics"] for p in totals(data)["prompts"]}
    for log in read_logs(data / "promptfoo" / "plain.json"):
        told = prompts[log.model]
        assert np.nansum(log.score) == pytest.approx(told["score"])
        assert np.sum(~log.scored) == told["testErrorCount"]
        (named,) = [
            x
            for x in read_logs(data / "promptfoo" / "plain.json", score="correct")
            if x.model == log.model
        ]
        # promptfoo's own sum counts an assertion of weight 3 three times.
        assert 3 * np.nansum(named.score) == pytest.approx(told["namedScores"]["correct"])


def test_passes_against_promptfoo(data):
    logs = read_logs(data / "promptfoo" / "plain.json", score="success")
    assert sum(np.nansum(log.score) for log in logs) == totals(data)["stats"]["successes"]


def test_repeats_are_runs_of_the_same_question(data):
    scores = read_scores_source(data / "promptfoo" / "plain.json", cluster="subject")
    assert scores.n_items == 9
    assert scores.runs == (1, 2)
    assert len(scores.clusters) == 6


def test_an_answer_that_failed_has_no_score(data):
    (log,) = [x for x in read_logs(data / "promptfoo" / "plain.json") if x.model == "beta"]
    assert set(log.problem[~log.scored].tolist()) == {"error: the connection broke"}


def test_a_test_written_twice_is_two_items(data, changed_json):
    def single(content):
        content["runtimeOptions"]["repeat"] = 1

    log = read_logs(changed_json(data / "promptfoo" / "plain.json", single))[0]
    assert len(set(log.item.tolist())) == 18
    assert len(set(log.item_hash.tolist())) == 9


def test_several_prompts_are_models_of_their_own(data):
    logs = read_logs(data / "promptfoo" / "judged.json")
    assert [log.model for log in logs] == ["alpha", "alpha"]
    assert [log.name for log in logs] == [
        "alpha [Solve: {{question}}]",
        "alpha [Please be exact. {{question}}]",
    ]
    assert [log.judge for log in logs] == [("file://judge.js",)] * 2
    told = [p["metrics"]["score"] for p in totals(data, "judged")["prompts"]]
    assert [log.score.sum() for log in logs] == pytest.approx(told)


@pytest.mark.parametrize(("version", "word"), [(4, "newer"), (2, "older")])
def test_other_versions_are_refused(data, changed_json, version, word):
    def other(content):
        content["results"]["version"] = version

    path = changed_json(data / "promptfoo" / "plain.json", other)
    with pytest.raises(LogError, match=f"'results.version': {version} is {word} than 3"):
        read_logs(path)


def test_an_unknown_score_is_refused(data):
    with pytest.raises(LogError, match=r"no score 'fact'; known are 'score', 'success', 'correct'"):
        read_logs(data / "promptfoo" / "plain.json", score="fact")
