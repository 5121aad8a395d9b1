"""How scores are told: every format, and what their records hold."""

import json

import numpy as np
import pytest

import referee

BETTER = {"new": [1] * 36 + [0] * 4, "old": [1] * 20 + [0] * 20}


def runs(n=40, r=4, seed=0):
    rng = np.random.default_rng(seed)
    level = rng.beta(2, 1, n)
    return {
        "item": np.repeat(np.arange(n), r),
        "run": np.tile(np.arange(r), n),
        "score": (rng.random(n * r) < np.repeat(level, r)).astype(int),
    }


def test_frame_repr_and_formats():
    made = referee.evaluate_scores(runs())
    frame = made.frame()
    assert frame["estimate"].tolist()[0] == "mean score"
    assert "ScoresEvaluation of model" in repr(made)
    for form in ("to_text", "to_markdown", "to_latex"):
        assert getattr(made, form)()
    record = json.loads(made.to_json())
    assert record["kind"] == "scores-evaluation"
    assert record["runs"]["n"] == 40


@pytest.mark.parametrize("form", ["to_text", "to_markdown", "to_latex", "to_json"])
def test_every_format(form):
    assert getattr(referee.compare_scores(BETTER), form)()


def test_the_json_holds_the_pair():
    made = json.loads(referee.compare_scores(BETTER).to_json())
    assert made["kind"] == "scores-comparison"
    assert made["pair"]["table"]["first_right"] == 16
    assert made["difference"]["value"] == pytest.approx(0.4)
