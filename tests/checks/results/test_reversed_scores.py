"""R012: scores that rank the wrong way round."""

import numpy as np

import referee
from referee.core import Severity

RNG = np.random.default_rng(0)
TRUTH = np.repeat(["ill", "well"], 60)
SCORE = RNG.normal(size=120) + (TRUTH == "ill")


def codes(score, pos_label):
    e = referee.evaluate_predictions(TRUTH, TRUTH, y_score=score, pos_label=pos_label)
    return [f.code for f in e.findings]


def test_fires_for_the_score_of_the_other_class():
    assert "R012" in codes(SCORE, "well")
    assert "R012" in codes(-SCORE, "ill")
    e = referee.evaluate_predictions(TRUTH, TRUTH, y_score=-SCORE, pos_label="ill")
    found = next(f for f in e.findings if f.code == "R012")
    assert found.severity is Severity.WARNING


def test_silent_for_the_right_score_and_for_chance():
    assert "R012" not in codes(SCORE, "ill")
    assert "R012" not in codes(RNG.normal(size=120), "ill")
