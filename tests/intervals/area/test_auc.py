"""Intervals of an area under the curve, against a search over a grid and by simulation."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from referee.errors import InputError
from referee.intervals import newcombe
from referee.intervals.area.delong import delong, logit_delong
from referee.intervals.area.placements import Placements, placements
from referee.intervals.catalogue import AREA_INTERVALS, auc_interval


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


def ranked(m, n, auc, seed):
    rng = np.random.default_rng(seed)
    positive = np.arange(m + n) < m
    return positive, rng.normal(size=m + n) + math.sqrt(2) * stats.norm.ppf(auc) * positive


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("auc", [0.6, 0.9, 0.98])
def test_the_default_has_the_outer_ends_of_its_two_parts(auc, seed):
    p = placements(*ranked(12, 30, auc, seed))
    one, two = newcombe(p.auc, 12, 30), logit_delong(p)
    made = auc_interval(p)
    two = two if p.variance > 0 else one
    assert (made.low, made.high) == (min(one.low, two.low), max(one.high, two.high))
    assert made.method == "newcombe-delong"


def test_every_name_gives_its_own_interval():
    p = placements(*ranked(20, 30, 0.8, 1))
    assert list(AREA_INTERVALS) == ["newcombe-delong", "newcombe-auc", "delong", "logit-delong"]
    for name in AREA_INTERVALS:
        assert auc_interval(p, 0.9, name).method == name
        assert auc_interval(p, 0.9, name).level == 0.9
    assert auc_interval(p, method="delong") == delong(p)
    assert auc_interval(p, method="auto") == auc_interval(p, method="newcombe-delong")
    with pytest.raises(InputError, match="interval 'delnog' is unknown; did you mean 'delong'"):
        auc_interval(p, method="delnog")


@pytest.mark.parametrize(
    ("m", "n", "scores"),
    [
        (10, 10, -np.arange(20.0)),  # perfect
        (10, 10, np.arange(20.0)),  # perfectly wrong
        (10, 10, np.zeros(20)),  # all tied
        (1, 12, np.sin(np.arange(13.0))),
        (12, 1, np.sin(np.arange(13.0))),
        (1, 1, np.array([1.0, 0.0])),
        (1, 1, np.zeros(2)),
    ],
)
def test_the_default_of_degenerate_rankings_is_newcombe_and_has_width(m, n, scores):
    p = placements(np.arange(m + n) < m, scores)
    made, expected = auc_interval(p), newcombe(p.auc, m, n)
    assert (made.low, made.high) == (expected.low, expected.high)
    assert made.high - made.low > 0.15


def test_inflation_counts_fewer_cases():
    plain = placements(*ranked(20, 40, 0.85, 2))
    p = Placements(plain.of_positives, plain.of_negatives, inflation=2.0)
    assert p.variance == pytest.approx(2 * plain.variance)
    made = auc_interval(p, method="newcombe-auc")
    expected = newcombe(plain.auc, 10, 20)
    assert (made.low, made.high) == (expected.low, expected.high)
    assert Placements(plain.of_positives, plain.of_negatives, inflation=99).sizes == (1, 1)


def binormal(auc, m, n, rounds, seed, spread=1.0, methods=("auto", "delong")):
    """Coverage of each method; positives spread `spread` times as much as negatives."""
    rng = np.random.default_rng(seed)
    shift = math.sqrt(1 + spread**2) * stats.norm.ppf(auc)
    hit = dict.fromkeys(methods, 0)
    for _ in range(rounds):
        above = rng.normal(shift, spread, (m, 1)) > rng.normal(size=n)
        p = Placements(above.mean(axis=1), above.mean(axis=0))
        for method in methods:
            hit[method] += auc in auc_interval(p, method=method)
    return {method: count / rounds for method, count in hit.items()}


CELLS = [
    (auc, m, n) for auc in (0.8, 0.9, 0.98) for m, n in ((10, 10), (20, 20), (50, 50), (10, 200))
]


def test_the_default_covers_by_simulation_smoke():
    made = binormal(0.98, 10, 10, 800, 1)
    assert made["auto"] >= 0.93
    assert made["delong"] < 0.7


@pytest.mark.slow
def test_the_default_covers_by_simulation():
    """The promise of docs/methods.md: at least .93 in every cell; run with -s for the table."""
    methods = ("auto", "logit-delong", "delong")
    print("\n| area | cases | spread | " + " | ".join(methods) + " |")
    print("|---|---|---|" + "---|" * len(methods))
    least = 1.0
    for spread, rounds in ((1.0, 5000), (2.0, 2000), (0.5, 2000)):
        for auc, m, n in CELLS:
            made = binormal(auc, m, n, rounds, [7, m, n, int(100 * auc)], spread, methods)
            shown = " | ".join(f"{made[name]:.3f}" for name in methods)
            print(f"| {auc} | {m}+{n} | {spread} | {shown} |", flush=True)
            least = min(least, made["auto"]) if spread == 1 else least
    assert least >= 0.93
