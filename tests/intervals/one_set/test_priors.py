"""The error with given priors: against the formula, and every outcome enumerated."""

import numpy as np
import pytest
from scipy import stats

from referee.errors import InputError
from referee.intervals import checked_priors, clopper_pearson, prior_weighted

GRID = np.linspace(0, 1, 41)


def least_coverage(sizes, priors, rates=GRID):
    """The least probability of covering, over a grid of both true error rates."""
    m, k = sizes
    P = np.array(priors)
    made = [
        [prior_weighted(np.array([a, b]), np.array(sizes), P).interval for b in range(k + 1)]
        for a in range(m + 1)
    ]
    low = np.array([[i.low for i in row] for row in made]) - 1e-12
    high = np.array([[i.high for i in row] for row in made]) + 1e-12
    first = stats.binom.pmf(np.arange(m + 1), m, rates[:, None])
    second = stats.binom.pmf(np.arange(k + 1), k, rates[:, None])
    truth = P[0] * rates[:, None] + P[1] * rates
    inside = (low <= truth[..., None, None]) & (truth[..., None, None] <= high)
    return float(np.einsum("ia,jb,ijab->ij", first, second, inside).min())


def test_value_and_variance_against_a_plain_loop():
    errors, sizes, priors = [3, 0, 7], [20, 5, 9], [0.7, 0.1, 0.2]
    value = variance = 0.0
    for x, n, P in zip(errors, sizes, priors, strict=True):
        value += P * x / n
        variance += P * P * (x / n) * (1 - x / n) / n
    made = prior_weighted(np.array(errors), np.array(sizes), np.array(priors))
    assert made.value == pytest.approx(value)
    assert made.variance == pytest.approx(variance)


def test_against_joint_limits_by_hand():
    made = prior_weighted(np.array([3, 7]), np.array([40, 9]), np.array([0.7, 0.3]), 0.9).interval
    one, two = (stats.binomtest(x, n).proportion_ci(0.95) for x, n in ((3, 40), (7, 9)))
    low, high = 0.7 * one.low + 0.3 * two.low, 0.7 * one.high + 0.3 * two.high
    assert (made.low, made.high) == pytest.approx((low, high))
    assert made.method == "stratified-joint"


@pytest.mark.parametrize("x", [0, 1, 5, 12])
def test_one_class_is_clopper_pearson(x):
    made = prior_weighted(np.array([x]), np.array([12]), np.array([1.0]), 0.9).interval
    exact = clopper_pearson(x, 12, 0.9)
    assert (made.low, made.high) == pytest.approx((exact.low, exact.high))


def test_priors_of_the_sample_shares_give_the_pooled_error():
    errors, sizes = np.array([3, 8]), np.array([20, 60])
    assert prior_weighted(errors, sizes, sizes / 80).value == pytest.approx(11 / 80)


def test_no_error_seen_keeps_its_width():
    made = prior_weighted(np.array([0, 0]), np.array([30, 30]), np.array([0.5, 0.5])).interval
    assert made.low == 0
    assert 0.05 < made.high < 0.2


def test_order_of_classes_does_not_matter():
    a = prior_weighted(np.array([3, 7]), np.array([20, 9]), np.array([0.7, 0.3])).interval
    b = prior_weighted(np.array([7, 3]), np.array([9, 20]), np.array([0.3, 0.7])).interval
    assert (a.low, a.high) == pytest.approx((b.low, b.high))


@pytest.mark.parametrize("sizes", [(1, 1), (1, 2), (2, 2), (5, 5), (3, 30), (10, 19)])
@pytest.mark.parametrize("prior", [0.1, 0.3, 0.5, 0.9])
def test_small_classes_are_covered_by_enumeration(sizes, prior):
    assert least_coverage(sizes, (prior, 1 - prior)) >= 0.95


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [(1, 3), (4, 12), (8, 8), (15, 15), (19, 19), (10, 60)])
@pytest.mark.parametrize("prior", [0.02, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9])
def test_coverage_on_a_wider_grid_by_enumeration(sizes, prior):
    assert least_coverage(sizes, (prior, 1 - prior), np.linspace(0, 1, 81)) >= 0.95


@pytest.mark.parametrize("n", [20, 30, 60])
def test_large_classes_are_covered_where_errors_are_rare_by_enumeration(n):
    rates = np.linspace(0.2, 0.4, 9) / n
    assert least_coverage((n, n), (0.5, 0.5), rates) >= 0.95


@pytest.mark.parametrize("n", [20, 40])
def test_large_classes_are_covered_elsewhere_by_enumeration(n):
    rates = np.linspace(0.05, 0.95, 31)
    for prior in (0.1, 0.3, 0.5):
        assert least_coverage((n, n), (prior, 1 - prior), rates) >= 0.95


def test_a_class_without_cases():
    with pytest.raises(InputError, match=r"class number 1 has prior 0\.4 but no test case"):
        prior_weighted(np.array([1, 0]), np.array([5, 0]), np.array([0.6, 0.4]))
    made = prior_weighted(np.array([1, 0]), np.array([5, 0]), np.array([1.0, 0.0]))
    assert made.value == pytest.approx(0.2)


def test_lists_are_taken_too():
    assert prior_weighted([1, 0], [5, 5], [0.5, 0.5]).value == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("priors", "message"),
    [
        ({"a": 1.0}, r"missing is 'b'"),
        ({"a": 0.5, "b": 0.3, "c": 0.2}, r"unknown is 'c'"),
        ([0.5, 0.4], "must sum to 1, got 0.9; divide them by their sum"),
        ([1.5, -0.5], "must be 2 numbers of at least 0"),
        ([0.5, np.nan], "must be 2 numbers of at least 0"),
        ([0.2, 0.3, 0.5], "must be 2 numbers of at least 0"),
        (["a", "b"], "must be 2 numbers of at least 0"),
    ],
)
def test_bad_priors(priors, message):
    with pytest.raises(InputError, match=message):
        checked_priors(priors, ("a", "b"))


def test_good_priors_follow_the_order_of_the_classes():
    assert checked_priors({"b": 0.3, "a": 0.7}, ("a", "b")).tolist() == [0.7, 0.3]
    assert checked_priors((0.25, 0.75), (0, 1)).tolist() == [0.25, 0.75]
