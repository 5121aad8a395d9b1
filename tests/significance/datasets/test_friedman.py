"""Friedman and Iman-Davenport, against scipy, an analysis of variance, and enumeration."""

import math
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
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
    made = iman_davenport(scores)
    assert made.statistic == pytest.approx(f)
    assert made.p_value == pytest.approx(stats.f.sf(f, k - 1, (k - 1) * (n - 1)))


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
