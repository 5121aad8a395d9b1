"""Gates on predicted quantities: decisions, and what they say."""

import numpy as np
import pandas as pd
import pytest

import referee as package
from referee.gating.rare_losses import too_few
from referee.measures import make_measure


def answers(n=400, seed=0):
    """Return the right answers, whole numbers as in many tables, and those of a baseline."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(25, 350, n).astype(float)
    return truth, truth + 50 * rng.normal(size=n)


def largest(truth, predicted):
    """Return a measure of one's own, which is no mean of losses."""
    return np.abs(truth - predicted).max()


@pytest.mark.parametrize(
    ("measure", "margin"),
    [("r2", 0.1), ("rmse", 3.0), ("median_ae", 12.0), ("mae", 3.0)],
)
def test_no_class_is_asked_for(measure, margin):
    truth, old = answers()
    new = old + np.random.default_rng(1).normal(size=400)
    gate = package.gate(old, new, y_true=truth, measure=measure, margin=margin)
    assert "class" not in gate.line
    assert gate.outcome.value == "pass"


def test_no_class_is_asked_for_by_a_measure_of_ones_own():
    truth, old = answers()
    measure = make_measure(largest, greater_is_better=False)
    gate = package.gate(old, old[::-1], y_true=truth, measure=measure, margin=9.0)
    assert "of class" not in gate.line


@pytest.mark.parametrize("measure", ["mae", "rmse", "r2", "median_ae"])
def test_the_same_answers_are_called_so(measure):
    truth, old = answers()
    gate = package.gate(old, old, y_true=truth, measure=measure, margin=0.5)
    assert gate.outcome.value == "undecided"
    assert "baseline and candidate give the same answers on all 400 cases" in gate.sentence
    assert "p = 1" not in gate.sentence


def test_one_case_is_a_singular():
    assert too_few(1, None, {}).startswith("1 case is too few")
    assert too_few(40, None, {"a": 1, "b": 39}).startswith("1 case of class 'a' is too few")
    gate = package.gate([9.5], [3.25], y_true=[1.5], measure="mae", margin=1.0)
    assert "No decision: 1 case is too few" in gate.line


@pytest.mark.parametrize("off", [0.0, 0.5])
@pytest.mark.parametrize("whole", [False, True])
def test_frames_and_files(tmp_path, off, whole):
    truth, old = answers()
    old = old.round() if whole else old
    frames = [
        pd.DataFrame({"id": np.arange(400), "y": truth + off, "pred": answer})
        for answer in (old, old + 1)
    ]
    paths = [tmp_path / "old.csv", tmp_path / "new.csv"]
    for frame, path in zip(frames, paths, strict=True):
        frame.to_csv(path, index=False)
    asked = {"measure": "mae", "margin": 3.0}
    told = [package.gate(*given, truth="y", on="id", **asked) for given in (frames, paths)]
    plain = package.gate(old, old + 1, y_true=truth + off, **asked)
    for gate in told:
        assert gate.outcome.value == plain.outcome.value == "pass"
        assert gate.p_value == pytest.approx(plain.p_value, rel=1e-6)
