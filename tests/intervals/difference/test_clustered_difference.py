"""Differences on grouped cases: against a plain loop, and by simulation."""

import numpy as np
import pytest
from scipy import stats

from referee.errors import InputError
from referee.intervals.difference.clustered_difference import clustered_pairs, effective_pairs
from referee.intervals.difference.paired import bonett_price
from referee.measures.formulas.paired_counts import PairedCounts

SIZES = {
    "5 of 10": [10] * 5,
    "10 of 10": [10] * 10,
    "10 of 50": [50] * 10,
    "20 of 10": [10] * 20,
    "50 of 10": [10] * 50,
    "one of 100 and 19 of 10": [100] + [10] * 19,
}


def by_loop(d, groups, level=0.95):
    """The variance from leaving out each group in turn, one group at a time."""
    names = sorted(set(groups))
    left_out = [np.mean([v for v, h in zip(d, groups, strict=True) if h != g]) for g in names]
    sizes = [sum(h == g for h in groups) for g in names]
    differing = sum(any(v != 0 for v, h in zip(d, groups, strict=True) if h == g) for g in names)
    G, mean = len(names), np.mean(d)
    variance = (G - 1) / G * sum((m - mean) ** 2 for m in left_out)
    few = len(d) ** 2 / sum(m * m for m in sizes)
    c = min(differing, few)
    if c < 2:
        return few
    q = (1 + level) / 2
    shrink = (stats.norm.ppf(q) / stats.t.ppf(q, c - 1)) ** 2
    alone = np.mean(np.square(d)) - mean**2
    worth = min(alone / variance, len(d)) if variance > 0 else len(d)
    return max(few, worth * shrink)


@pytest.mark.parametrize("seed", range(10))
def test_against_a_plain_loop(seed):
    rng = np.random.default_rng(seed)
    groups = rng.integers(rng.integers(3, 15), size=80)
    d = rng.choice([-1.0, 0.0, 1.0], p=[0.1, 0.7, 0.2], size=80) * (groups % 2 + rng.integers(0, 2))
    d = np.clip(d, -1, 1)
    level = rng.choice([0.8, 0.95])
    assert effective_pairs(d, groups, level=level) == pytest.approx(by_loop(d, groups, level))


def test_the_interval_is_bonett_price_at_the_effective_number():
    d = np.array([1.0, 0, 0, 0, -1, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0])
    groups = np.repeat(np.arange(4), 4)
    n = effective_pairs(d, groups)
    made = clustered_pairs(d, groups)
    other = bonett_price(PairedCounts(11, 1, 4, 0).scaled(n))
    assert (made.low, made.high) == pytest.approx((other.low, other.high))
    assert (made.method, made.n_effective) == ("bonett-price-clustered", n)


def test_swapping_the_models_negates_the_interval():
    rng = np.random.default_rng(2)
    d, groups = rng.choice([-1.0, 0, 1], p=[0.1, 0.6, 0.3], size=90), rng.integers(9, size=90)
    made, swapped = clustered_pairs(d, groups), clustered_pairs(-d, groups)
    assert (made.low, made.high) == pytest.approx((-swapped.high, -swapped.low))


def test_copies_are_worth_their_groups():
    d = np.random.default_rng(1).choice([-1.0, 0, 1], p=[0.1, 0.6, 0.3], size=100)
    once = effective_pairs(d, np.arange(100))
    assert effective_pairs(np.repeat(d, 7), np.repeat(np.arange(100), 7)) == pytest.approx(once)
    assert 80 < once <= 100


@pytest.mark.parametrize("d", [np.zeros(60), np.eye(1, 60)[0]])
def test_without_two_differing_groups_a_group_counts_as_one_pair(d):
    groups = np.repeat(np.arange(6), 10)
    assert effective_pairs(d, groups) == pytest.approx(6)
    assert clustered_pairs(d, groups).width > 0.5


def test_one_group_is_one_pair():
    made = clustered_pairs(np.array([0.0, 1, 1]), np.zeros(3))
    assert made.n_effective == 1
    assert made.width > 1


def coverage(p_b, p_c, correlation, sizes, rounds, seed=3):
    """Shares of -1, 0 and 1 in each group from a Dirichlet law with the given correlation."""
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(len(sizes)), sizes)
    mean = np.array([p_b, p_c, 1 - p_b - p_c])
    held = plain = 0
    for rates in rng.dirichlet(mean * (1 / correlation - 1), size=(rounds, len(sizes))):
        u = rng.random(len(groups))
        first, second = rates[groups, 0], rates[groups, :2].sum(axis=1)
        d = np.where(u < first, -1.0, np.where(u < second, 1.0, 0.0))
        held += (p_c - p_b) in clustered_pairs(d, groups)
        table = PairedCounts(int(np.sum(d == 0)), int(np.sum(d < 0)), int(np.sum(d > 0)), 0)
        plain += (p_c - p_b) in bonett_price(table)
    return held / rounds, plain / rounds


@pytest.mark.parametrize("sizes", ["5 of 10", "10 of 50", "one of 100 and 19 of 10"])
def test_covers_correlated_cases_by_simulation_smoke(sizes):
    held, plain = coverage(0.05, 0.2, 0.3, SIZES[sizes], 300)
    assert held >= 0.92
    assert plain < 0.8


@pytest.mark.slow
@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("correlation", [0.05, 0.3, 0.7])
@pytest.mark.parametrize(("p_b", "p_c"), [(0.05, 0.05), (0.02, 0.12), (0.01, 0.01), (0.3, 0.1)])
def test_covers_correlated_cases_by_simulation(sizes, correlation, p_b, p_c):
    held, _ = coverage(p_b, p_c, correlation, SIZES[sizes], 1500)
    assert held >= 0.93


@pytest.mark.slow
@pytest.mark.parametrize("correlation", [0.05, 0.3, 0.7])
def test_covers_very_unequal_groups_less_well_by_simulation(correlation, capsys):
    # Where one group in fifty holds a fifth of the cases and all differences go one way.
    sizes = [max(1, 100 // (k + 1)) for k in range(50)]
    held, _ = coverage(0.02, 0.12, correlation, sizes, 2000)
    with capsys.disabled():
        print(f"\nsizes 100, 50, 33 ..., correlation {correlation}: covered {held:.3f}", end="")
    assert held >= 0.89


def test_bad_input_is_named():
    with pytest.raises(InputError, match=r"must be -1, 0 or 1 \(0/1 losses\), got 0.5 at row 1"):
        clustered_pairs(np.array([0.0, 0.5]), np.arange(2))
    with pytest.raises(InputError, match="got shapes"):
        clustered_pairs(np.zeros(3), np.arange(2))
    with pytest.raises(InputError, match="level must lie"):
        clustered_pairs(np.zeros(3), np.arange(3), 95)
