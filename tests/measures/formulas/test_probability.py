"""Log loss, Brier score and reliability, against scikit-learn."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics
from sklearn.calibration import calibration_curve

from referee.errors import InputError
from referee.measures import brier_losses, log_losses, reliability_curve
from referee.measures.formulas.probability import checked_probabilities


@st.composite
def forecasts(draw):
    """Truth and eighths as probabilities: ties, sure answers and missing classes included."""
    k, n = draw(st.integers(2, 4)), draw(st.integers(1, 25))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    truth = rng.integers(draw(st.integers(1, k)), size=n)
    return truth, rng.multinomial(8, rng.dirichlet(np.ones(k)), size=n) / 8, k


@settings(deadline=None, max_examples=40)
@given(forecasts(), st.booleans(), st.integers(0, 2**16))
def test_log_loss_against_sklearn(case, weighted, seed):
    truth, p, k = case
    weight = np.random.default_rng(seed).random(len(truth)) + 0.01 if weighted else None
    made = np.average(log_losses(truth, p), weights=weight)
    expected = metrics.log_loss(truth, p, labels=range(k), sample_weight=weight)
    assert made == pytest.approx(expected, rel=1e-12, abs=1e-12)


@settings(deadline=None, max_examples=40)
@given(forecasts(), st.booleans(), st.integers(0, 2**16))
def test_brier_score_against_sklearn(case, weighted, seed):
    truth, p, k = case
    weight = np.random.default_rng(seed).random(len(truth)) + 0.01 if weighted else None
    made = np.average(brier_losses(truth, p), weights=weight)
    expected = metrics.brier_score_loss(truth, p, labels=range(k), sample_weight=weight)
    assert made == pytest.approx(expected, abs=1e-12)


def test_each_case_against_its_definition():
    p = np.array([[0.2, 0.3, 0.5], [0.0, 1.0, 0.0]])
    assert log_losses(np.array([2, 1]), p) == pytest.approx([np.log(2), 0], abs=1e-15)
    assert brier_losses(np.array([2, 1]), p) == pytest.approx([0.04 + 0.09 + 0.25, 0])
    assert brier_losses(np.array([0]), np.array([[0.3, 0.7]])) == pytest.approx([0.49])


def test_a_sure_mistake_stays_finite_against_sklearn():
    truth, p = np.array([0, 1]), np.array([[0.0, 1.0], [0.5, 0.5]])
    made = log_losses(truth, p)
    assert np.isfinite(made).all()
    assert made.mean() == pytest.approx(metrics.log_loss(truth, p), rel=1e-12)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(0, 3), st.integers(1, 60), st.integers(2, 1000))
def test_reliability_against_sklearn(seed, power, n, levels):
    bins = 2**power  # so that both sides round quantiles alike
    rng = np.random.default_rng(seed)
    p = rng.integers(levels, size=n) / (levels - 1)
    positive = rng.random(n) < p
    made = reliability_curve(positive, p, bins)
    observed, predicted = calibration_curve(positive, p, n_bins=bins, strategy="quantile")
    np.testing.assert_allclose(made.observed, observed, atol=1e-14)
    np.testing.assert_allclose(made.predicted, predicted, atol=1e-14)
    assert made.sizes.sum() == n
    assert made.positives.sum() == positive.sum()
    assert len(made.sizes) <= bins


def test_distinct_probabilities_fall_into_bins_of_equal_size():
    rng = np.random.default_rng(1)
    made = reliability_curve(rng.random(1000) < 0.5, rng.random(1000), 10)
    assert made.sizes.tolist() == [100] * 10


def test_calibrated_forecasts_lie_on_the_diagonal_by_simulation():
    rng = np.random.default_rng(2)
    p = rng.random(200_000)
    made = reliability_curve(rng.random(200_000) < p, p)
    se = np.sqrt(made.predicted * (1 - made.predicted) / made.sizes)
    assert (np.abs(made.observed - made.predicted) < 4 * se).all()


def test_bins_must_be_some():
    with pytest.raises(InputError, match="bins must be at least 1, got 0"):
        reliability_curve(np.array([True]), np.array([0.5]), 0)


@pytest.mark.parametrize(
    ("p", "message"),
    [
        ([[0.5, 0.5], [-0.25, 1.25]], "got -0.25 in row 1"),
        ([[0.5, 0.5], [0.5, 0.5], [0.6, 0.6]], "sum to 1, got 1.2 in row 2"),
    ],
)
def test_what_is_no_probability_is_named(p, message):
    with pytest.raises(InputError, match=message):
        checked_probabilities(np.array(p))
