"""Reliability: counts of every bin against scikit-learn, intervals against the formulas."""

import numpy as np
import pytest
from sklearn.calibration import calibration_curve

from referee.errors import InputError
from referee.intervals.one_set.proportion import clopper_pearson, wilson
from referee.report.displays import ReliabilityDisplay


@pytest.fixture
def judged():
    rng = np.random.default_rng(0)
    p = rng.random(400)
    return (rng.random(400) < p).astype(int), p


def test_bins_against_sklearn(judged):
    y, p = judged
    curve = ReliabilityDisplay.from_predictions(y, p, bins=8).lines[0].curve
    observed, predicted = calibration_curve(y, p, n_bins=8, strategy="quantile")
    np.testing.assert_allclose(curve.observed, observed)
    np.testing.assert_allclose(curve.predicted, predicted)
    assert curve.sizes.sum() == 400
    assert curve.positives.sum() == y.sum()


@pytest.mark.parametrize(
    ("name", "form"), [("wilson", wilson), ("clopper-pearson", clopper_pearson)]
)
def test_intervals_of_every_bin(judged, name, form):
    y, p = judged
    line = ReliabilityDisplay.from_predictions(y, p, interval=name, level=0.9).lines[0]
    for k, (hits, n) in enumerate(zip(line.curve.positives, line.curve.sizes, strict=True)):
        i = form(hits, n, 0.9)
        assert (line.low[k], line.high[k]) == pytest.approx((i.low, i.high))


def test_the_histogram_below_counts_all_cases(judged):
    y, p = judged
    display = ReliabilityDisplay.from_predictions(y, p)
    (patch,) = display.counts_ax_.patches
    heights = patch.get_xy()[:, 1]
    counts, _ = np.histogram(p, np.linspace(0, 1, 21))
    assert heights.max() == counts.max()
    assert display.counts_ax_.get_xlim() == display.ax_.get_xlim()


def test_without_counts_there_is_no_second_picture(judged):
    display = ReliabilityDisplay.from_predictions(*judged, counts=False)
    assert display.figure_.axes == [display.ax_]


def test_works_on_axes_outside_any_grid(judged):
    import matplotlib.pyplot as plt

    ax = plt.figure().add_axes((0.2, 0.4, 0.7, 0.5))
    assert ReliabilityDisplay.from_predictions(*judged, ax=ax).counts_ax_ is not ax


def test_scores_that_are_no_probabilities_are_named():
    with pytest.raises(InputError, match=r"got 1\.5 in row 2; scores of other kinds"):
        ReliabilityDisplay.from_predictions([0, 1, 1], [0.1, 0.2, 1.5])


def test_an_unknown_interval_is_named():
    with pytest.raises(InputError, match="interval must be 'wilson' or 'clopper-pearson'"):
        ReliabilityDisplay(interval="wald")


def test_cases_predicted_ten_times_do_not_count_ten_times(evaluations):
    e = evaluations(by="10x10")
    line = ReliabilityDisplay.from_evaluation(e).lines[0]
    k = len(line.low) // 2
    share = line.curve.observed[k]
    n = line.curve.sizes[k] / 10 / 1.5
    i = clopper_pearson(share * n, n)
    assert (line.low[k], line.high[k]) == pytest.approx((i.low, i.high))
