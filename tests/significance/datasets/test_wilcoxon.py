"""The signed-rank test, against scipy and against every flip of signs."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from referee.significance.datasets.wilcoxon import _normal, wilcoxon

lists = st.lists(st.integers(-4, 4).map(float), min_size=1, max_size=9)


def by_every_flip(d):
    ranks = stats.rankdata(np.abs(d))
    zero = ranks[d == 0].sum() / 2
    middle = ranks.sum() / 2
    seen = abs(ranks[d > 0].sum() + zero - middle)
    nonzero = ranks[d != 0]
    flips = np.array(list(product((0, 1), repeat=len(nonzero))))
    return np.mean(np.abs(flips @ nonzero + zero - middle) >= seen - 1e-9)


@settings(max_examples=60, deadline=None)
@given(d=lists)
def test_against_every_flip_of_signs(d):
    d = np.array(d)
    assert wilcoxon(d).p_value == pytest.approx(by_every_flip(d))


@pytest.mark.parametrize("n", [3, 6, 14, 30, 50])
def test_against_scipy_without_ties(n):
    d = np.random.default_rng(n).normal(0.3, 1, n)
    oracle = stats.wilcoxon(d, zero_method="zsplit", method="exact")
    made = wilcoxon(d)
    assert (made.statistic, made.p_value) == pytest.approx((oracle.statistic, oracle.pvalue))


def test_the_statistic_with_ties_and_zeros_against_scipy():
    d = np.array([1.0, 2, 2, -2, 0, 3, -1, 0, 0, 5, 4, -4, 6, 7, 8])
    oracle = stats.wilcoxon(d, zero_method="zsplit", method="asymptotic")
    assert wilcoxon(d).statistic == oracle.statistic


def test_keeps_its_level_with_ties_where_the_normal_law_does_not():
    # Fourteen differences of one size: scipy falls back on the normal law there.
    flips = [np.array(f, dtype=float) for f in product((-1, 1), repeat=14)][::7]
    share = {}
    for name, test in {"normal": by_the_normal_law, "here": lambda d: wilcoxon(d).p_value}.items():
        by_sum = {s: test(next(d for d in flips if d.sum() == s)) for s in {d.sum() for d in flips}}
        chance = {s: stats.binom.pmf((s + 14) / 2, 14, 0.5) for s in by_sum}
        share[name] = sum(chance[s] for s in by_sum if by_sum[s] <= 0.05)
    assert share["here"] <= 0.05 < share["normal"]


def by_the_normal_law(d):
    return stats.wilcoxon(d, zero_method="zsplit", method="asymptotic", correction=False).pvalue


@pytest.mark.parametrize("sizes", [[0] * 8 + [1, 2, 3, 4, 5, 6], [1, 1, 2, 2, 2, 3, 3, 3, 4]])
def test_keeps_its_level_with_zeros_and_ties_by_enumeration(sizes):
    sizes = np.array(sizes, dtype=float)
    flips = [sizes[sizes > 0] * f for f in product((-1, 1), repeat=int(np.sum(sizes > 0)))]
    p = np.array([wilcoxon(np.append(sizes[sizes == 0], d)).p_value for d in flips])
    for level in (0.01, 0.05, 0.1):
        assert np.mean(p <= level) <= level


def test_large_samples_against_the_exact_law():
    d = np.round(np.random.default_rng(0).normal(0.1, 1, 400), 1)
    exact = wilcoxon(d).p_value
    ranks = np.rint(2 * stats.rankdata(np.abs(d))).astype(int)
    smaller = min(ranks[d > 0].sum(), ranks[d < 0].sum())
    assert _normal(ranks[d != 0], smaller) == pytest.approx(exact, rel=0.02)


def test_above_500_data_sets_against_scipy():
    d = np.random.default_rng(1).normal(0.05, 1, 600)
    oracle = stats.wilcoxon(d, zero_method="zsplit", method="asymptotic", correction=True)
    assert wilcoxon(d).p_value == pytest.approx(oracle.pvalue, rel=1e-6)
    assert wilcoxon(np.zeros(600)).p_value == 1


@given(d=lists)
def test_swapping_the_models_keeps_p(d):
    assert wilcoxon(np.array(d)) == wilcoxon(-np.array(d))


def test_nothing_but_ties():
    assert wilcoxon(np.zeros(5)).p_value == 1
    assert wilcoxon(np.array([0.3])).p_value == 1
