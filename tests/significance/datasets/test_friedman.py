"""Friedman and Iman-Davenport, against scipy, an analysis of variance, and enumeration."""

import math
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from referee.errors import InputError
from referee.significance import average_ranks, friedman, iman_davenport

tables = arrays(
    float,
    st.tuples(st.integers(2, 8), st.integers(3, 5)),
    elements=st.integers(0, 6).map(lambda i: i / 10),
)


@given(scores=tables)
def test_against_scipy_with_ties(scores):
    made = friedman(scores)
    if np.all(scores == scores[:, :1]):
        assert (made.statistic, made.p_value) == (0, 1)
    else:
        oracle = stats.friedmanchisquare(*scores.T)
        assert made.statistic == pytest.approx(oracle.statistic, abs=1e-9)
        assert made.p_value == pytest.approx(oracle.pvalue)


def test_iman_davenport_against_the_analysis_of_variance_of_ranks():
    # Their F is the two-way analysis of variance of the ranks (Conover 1999), ties or not.
    scores = np.round(np.random.default_rng(0).normal(size=(9, 4)), 1)
    ranks = stats.rankdata(scores, axis=1)
    n, k = ranks.shape
    models = n * np.sum((ranks.mean(axis=0) - ranks.mean()) ** 2) / (k - 1)
    rest = ranks - ranks.mean(axis=0) - ranks.mean(axis=1)[:, None] + ranks.mean()
    f = models / (np.sum(rest**2) / ((k - 1) * (n - 1)))
    made = iman_davenport(scores, law="f")
    assert made.statistic == pytest.approx(f)
    assert made.p_value == pytest.approx(stats.f.sf(f, k - 1, (k - 1) * (n - 1)))


@settings(max_examples=20, deadline=None)
@given(scores=tables, order=st.randoms())
def test_order_and_direction_are_of_no_consequence(scores, order):
    columns = list(range(scores.shape[1]))
    order.shuffle(columns)
    for test in (friedman, iman_davenport):
        made = test(scores)
        for other in (test(scores[:, columns]), test(scores, greater_is_better=False)):
            assert other.p_value == pytest.approx(made.p_value)


def test_swapping_two_models_keeps_p():
    scores = np.random.default_rng(1).normal(size=(8, 2))
    for test in (friedman, iman_davenport):
        assert test(scores).p_value == pytest.approx(test(scores[:, ::-1]).p_value)


def test_ranks_and_direction():
    scores = np.array([[0.3, 0.1, 0.2], [0.3, 0.1, 0.1 + 0.2 - 0.2]])
    assert average_ranks(scores, greater_is_better=True).tolist() == [1.0, 2.75, 2.25]
    assert average_ranks(scores, greater_is_better=False).tolist() == [3.0, 1.25, 1.75]


def test_all_models_equal():
    for test in (friedman, iman_davenport):
        for correction in (True, False):
            made = test(np.full((5, 3), 0.8), tie_correction=correction)
            assert (made.statistic, made.p_value) == (0, 1)


def test_perfect_agreement_gives_the_smallest_p_by_enumeration():
    made = iman_davenport(np.tile([0.9, 0.8, 0.7], (4, 1)))
    rows = list(permutations(range(3)))
    alike = np.mean([len(set(four)) == 1 for four in product(rows, repeat=4)])
    assert made.statistic == math.inf
    assert made.p_value == pytest.approx(alike)
    assert "smallest" in made.flag
    tied = iman_davenport(np.tile([0.9, 0.9, 0.7], (4, 1)))
    assert tied.p_value == pytest.approx(3.0**-3)
    assert math.isfinite(
        iman_davenport(np.tile([0.9, 0.9, 0.7], (4, 1)), tie_correction=False).statistic
    )


def enumerated(scores):
    """Return p from a plain loop over every order of every data set."""
    ranks = stats.rankdata(-scores, axis=1)
    observed = np.sum(ranks.sum(axis=0) ** 2)
    ways = [list(permutations(row)) for row in ranks]
    sums = [np.sum(np.sum(arranged, axis=0) ** 2) for arranged in product(*ways)]
    return np.mean(np.array(sums) >= observed - 1e-9)


@pytest.mark.parametrize(
    "scores",
    [
        [[0.9, 0.8, 0.7], [0.9, 0.8, 0.7], [0.9, 0.7, 0.8]],
        [[0.9, 0.8, 0.8], [0.9, 0.8, 0.7], [0.9, 0.7, 0.8], [0.1, 0.1, 0.1]],
        [[4.0, 3, 2, 1], [4, 3, 1, 2], [3, 4, 2, 2]],
    ],
)
def test_few_data_sets_against_enumeration(scores):
    """The F law gave .0494 for the first, whose exact p is .1944."""
    made = iman_davenport(np.array(scores))
    assert made.p_value == pytest.approx(enumerated(np.array(scores)))


@pytest.mark.parametrize(("k", "n"), [(3, 3), (3, 4), (3, 5), (4, 3)])
def test_size_by_enumeration(k, n):
    """Over all equally likely orders of all data sets p is at most .05 in at most 5 %."""
    orders = [np.array(order, float) for order in permutations(range(k))]
    arranged = [np.array([orders[0], *rest]) for rest in product(orders, repeat=n - 1)]
    by_sums = {}
    for table in arranged:
        key = tuple(sorted(table.sum(axis=0)))
        if key not in by_sums:
            exact, approximate = iman_davenport(table), iman_davenport(table, law="f")
            by_sums[key] = (exact.p_value <= 0.05, approximate.p_value <= 0.05)
    rejected = np.mean([by_sums[tuple(sorted(table.sum(axis=0)))] for table in arranged], axis=0)
    assert rejected[0] <= 0.05
    if (k, n) == (3, 3):
        assert rejected[1] > 0.06  # the F law


@pytest.mark.parametrize(("k", "n"), [(6, 10), (5, 9)])
def test_size_where_arrangements_are_sampled(k, n):
    rng = np.random.default_rng(0)
    p = [iman_davenport(rng.random((n, k))).p_value for _ in range(40)]
    assert np.mean(np.array(p) <= 0.2) <= 0.2 + 3 * (0.16 / 40) ** 0.5


def test_many_data_sets_take_the_f_law():
    scores = np.random.default_rng(0).random((101, 3))
    made = iman_davenport(scores)
    assert made.p_value == iman_davenport(scores, law="f").p_value
    arranged = iman_davenport(scores, law="permutation")
    assert arranged.p_value == pytest.approx(made.p_value, abs=0.02)


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        (np.zeros((1, 3)), r"at least 2 data sets.*got shape \(1, 3\)"),
        (np.zeros((3, 1)), r"least 2 models, got shape \(3, 1\)"),
        (np.array([[1, 2], [3, np.nan]]), "got nan for data set 1, model 1"),
    ],
)
def test_bad_arguments(scores, message):
    with pytest.raises(InputError, match=message):
        friedman(scores)
