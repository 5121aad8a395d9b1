"""The forest plot: every estimate of an evaluation, and nothing else."""

import numpy as np
import pytest

import referee
from referee.core.results import Estimate
from referee.errors import InputError
from referee.report.displays import IntervalDisplay


def test_draws_value_and_ends_of_every_estimate(evaluations):
    e = evaluations()
    display = IntervalDisplay.from_evaluation(e)
    seen = {
        round(float(x), 9) for line in display.ax_.lines for x in np.atleast_1d(line.get_xdata())
    }
    for estimate in e.estimates.values():
        assert round(estimate.value, 9) in seen
        assert {round(estimate.interval.low, 9), round(estimate.interval.high, 9)} <= seen
    assert len(display.ax_.get_yticklabels()) == len(e.estimates)


def test_from_predictions_is_from_evaluation(ranking):
    y, s = ranking()
    p = (s > 0.5).astype(int)
    display = IntervalDisplay.from_predictions(y, p, measures=["mcc"], level=0.9)
    known = referee.evaluate_predictions(y, p, measures=["mcc"], level=0.9).estimates
    assert [e.value for e in display.estimates] == [e.value for e in known.values()]
    assert "90 %" in display.ax_.get_xlabel()


def test_estimates_without_interval_or_value_are_told():
    made = (
        Estimate(name="error", value=0.1, n=10, method="test set", reason="none"),
        Estimate(name="mcc", value=float("nan"), n=10, method="test set", reason="0/0"),
        Estimate(name="kappa", value=-0.5, n=10, method="test set"),
    )
    display = IntervalDisplay(made).plot()
    assert display.ax_.get_xlim()[0] < -0.5
    texts = [t.get_text() for t in display.ax_.child_axes[0].get_yticklabels()]
    assert texts == ["-0.500 (no interval)", "undefined", "0.100 (no interval)"]


def test_nothing_to_draw_is_said():
    with pytest.raises(InputError, match="no estimate has a value"):
        IntervalDisplay(())
