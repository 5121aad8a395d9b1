"""Newcombe's interval of an area under the curve, against a search over a grid."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from referee.errors import InputError
from referee.intervals import newcombe


def by_grid(auc, m, n, level, steps=200_001):
    """All areas the score test does not reject, Newcombe (2006) method 5 written out again."""
    theta = np.linspace(0, 1, steps)
    star = (m + n) / 2 - 1
    q1 = (1 - theta) / (2 - theta)
    q2 = theta / (1 + theta)
    se = np.sqrt(theta * (1 - theta) * (1 + star * q1 + star * q2) / (m * n))
    kept = theta[np.abs(auc - theta) <= stats.norm.isf((1 - level) / 2) * se + 1e-12]
    return kept.min(), kept.max()


@pytest.mark.parametrize("auc", [0.0, 0.03, 0.5, 0.61, 0.95, 0.999, 1.0])
@pytest.mark.parametrize(("m", "n"), [(1, 1), (2, 9), (20, 20), (10, 200), (500, 400)])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_against_a_grid_search(auc, m, n, level):
    made = newcombe(auc, m, n, level)
    assert (made.low, made.high) == pytest.approx(by_grid(auc, m, n, level), abs=1.1e-5)


@given(st.floats(0, 1), st.integers(1, 300), st.integers(1, 300))
def test_contract(auc, m, n):
    made, swapped, mirrored = newcombe(auc, m, n), newcombe(auc, n, m), newcombe(1 - auc, n, m)
    assert 0 <= made.low <= auc + 1e-12
    assert auc - 1e-12 <= made.high <= 1
    assert (swapped.low, swapped.high) == pytest.approx((made.low, made.high), abs=1e-9)
    assert (1 - mirrored.high, 1 - mirrored.low) == pytest.approx((made.low, made.high), abs=1e-9)


def test_a_perfect_ranking_keeps_its_width():
    made = newcombe(1.0, 10, 10)
    assert made.high == 1
    assert 0.6 < made.low < 0.9


def coverage(auc, m, n, rounds, seed):
    """Two normal scores whose true area is known."""
    rng = np.random.default_rng(seed)
    shift = math.sqrt(2) * stats.norm.ppf(auc)
    x = rng.normal(shift, size=(rounds, m, 1))
    y = rng.normal(size=(rounds, 1, n))
    areas = (x > y).mean(axis=(1, 2))
    ends = {a: newcombe(a, m, n) for a in np.unique(areas)}
    return float(np.mean([auc in ends[a] for a in areas]))


def test_covers_near_one_by_simulation_smoke():
    assert coverage(0.98, 10, 10, 1000, 1) >= 0.93


@pytest.mark.slow
@pytest.mark.parametrize("auc", [0.6, 0.8, 0.9, 0.98])
@pytest.mark.parametrize(("m", "n"), [(10, 10), (10, 50), (50, 50)])
def test_covers_by_simulation(auc, m, n):
    assert coverage(auc, m, n, 10_000, 2) >= 0.93


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1.2, 5, 5), "auc must lie between 0 and 1, got 1.2"),
        ((-0.1, 5, 5), "auc must lie between 0 and 1, got -0.1"),
        ((math.nan, 5, 5), "auc must lie between 0 and 1, got nan"),
        ((0.5, 0, 5), "both classes need a case, got 0 and 5"),
        ((0.5, 5, 0), "both classes need a case, got 5 and 0"),
        ((0.5, 5, 5, 95), "for 95 % write 0.95"),
    ],
)
def test_bad_arguments(arguments, message):
    with pytest.raises(InputError, match=message):
        newcombe(*arguments)
