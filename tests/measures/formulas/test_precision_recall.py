"""Precision-recall and lift, against scikit-learn and by counting."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn import metrics

from referee.measures import average_precision, lift_curve, precision_recall, roc_curve

CASES = st.lists(st.tuples(st.booleans(), st.integers(-3, 3)), min_size=1, max_size=40)


def split(cases):
    return np.array([p for p, _ in cases]), np.array([s for _, s in cases], float)


@settings(deadline=None, max_examples=40)
@given(CASES)
def test_the_curve_against_sklearn_with_ties(cases):
    positive, scores = split(cases)
    assume(positive.any())
    made = precision_recall(roc_curve(positive, scores))
    precision, recall, threshold = metrics.precision_recall_curve(positive, scores)
    # scikit-learn runs upwards and adds the point (0, 1), which no threshold gives.
    np.testing.assert_allclose(made.precision, precision[-2::-1], rtol=1e-15)
    np.testing.assert_allclose(made.recall, recall[-2::-1], rtol=1e-15)
    np.testing.assert_array_equal(made.threshold, threshold[::-1])
    assert made.prevalence == pytest.approx(positive.mean())


@settings(deadline=None, max_examples=40)
@given(CASES, st.booleans(), st.integers(0, 2**16))
def test_average_precision_against_sklearn(cases, weighted, seed):
    positive, scores = split(cases)
    assume(positive.any())
    weight = np.random.default_rng(seed).random(len(cases)) + 0.01 if weighted else None
    made = average_precision(roc_curve(positive, scores, weight))
    expected = metrics.average_precision_score(positive, scores, sample_weight=weight)
    assert made == pytest.approx(expected, abs=1e-12)


def test_average_precision_of_constant_scores_is_the_prevalence():
    assert average_precision(roc_curve(np.arange(10) < 3, np.zeros(10))) == pytest.approx(0.3)


def test_average_precision_of_one_positive_is_one_over_its_rank():
    for rank in range(1, 6):
        positive = np.arange(1, 6) == rank
        made = average_precision(roc_curve(positive, -np.arange(5.0)))
        assert made == pytest.approx(1 / rank)


def test_weights_of_zero_at_the_top_count_for_nothing():
    positive, scores = np.array([False, True, False]), np.array([3.0, 2.0, 1.0])
    curve = roc_curve(positive, scores, np.array([0.0, 1.0, 1.0]))
    assert average_precision(curve) == 1
    assert math.isnan(precision_recall(curve).precision[0])


def test_without_positives_it_is_undefined():
    curve = roc_curve(np.array([False, False]), np.array([0.1, 0.2]))
    assert math.isnan(average_precision(curve))
    assert np.isnan(lift_curve(curve)[1]).all()


@given(CASES)
def test_lift_against_counting(cases):
    positive, scores = split(cases)
    assume(positive.any())
    depth, lift = lift_curve(roc_curve(positive, scores))
    thresholds = sorted(set(scores), reverse=True)
    assert len(depth) == len(lift) == len(thresholds)
    for d, gain, t in zip(depth, lift, thresholds, strict=True):
        called = scores >= t
        assert d == pytest.approx(called.mean())
        assert gain == pytest.approx(positive[called].mean() / positive.mean())
    assert (depth[-1], lift[-1]) == (1, pytest.approx(1))
