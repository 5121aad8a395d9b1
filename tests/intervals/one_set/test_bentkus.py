"""Bentkus's interval: exact coverage for scores that are not 0/1, and for areas."""

import math

import numpy as np
import pytest
from scipy import optimize, stats

from referee.errors import InputError
from referee.intervals import clopper_pearson
from referee.intervals.one_set.bentkus import bentkus, lower_mean


def sums_of(values: np.ndarray, shares: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """The distribution of a sum of n scores on a lattice, by convolution."""
    lattice = np.zeros(round(4 * values.max()) + 1)
    lattice[np.round(4 * values).astype(int)] = shares
    total = np.ones(1)
    for _ in range(n):
        total = np.convolve(total, lattice)
    return np.arange(len(total)) / 4, total


@pytest.mark.parametrize("n", [1, 2, 7, 30])
@pytest.mark.parametrize("shares", [(0.5, 0.5, 0), (0.9, 0.05, 0.05), (0.1, 0.2, 0.7), (0, 1, 0)])
def test_coverage_by_enumeration_of_quarter_scores(n: int, shares: tuple[float, ...]) -> None:
    values = np.array([0.0, 0.25, 1.0])
    mean = float(np.dot(values, shares))
    totals, chances = sums_of(values, np.array(shares), n)
    missed = sum(
        chance
        for total, chance in zip(totals, chances, strict=True)
        if chance > 0 and mean not in bentkus(total / n, n, 0.9)
    )
    assert missed <= 0.1


def test_coverage_of_an_area_by_the_exact_null_of_mann_and_whitney() -> None:
    m, n = 6, 9
    # Count the arrangements of positives among all ranks by their U, by recursion over cases.
    ways = {(0, 0): np.ones(1)}
    for i in range(m + 1):
        for j in range(n + 1):
            if (i, j) == (0, 0):
                continue
            total = np.zeros(i * j + 1)
            if i:  # the highest case is positive and beats j negatives
                total[j : j + len(ways[i - 1, j])] += ways[i - 1, j]
            if j:
                total[: len(ways[i, j - 1])] += ways[i, j - 1]
            ways[i, j] = total
    chances = ways[m, n] / math.comb(m + n, m)
    assert chances.sum() == pytest.approx(1)
    missed = sum(
        c for u, c in enumerate(chances) if 0.5 not in bentkus(u / (m * n), min(m, n), 0.8)
    )
    assert 0 < missed <= 0.2


@pytest.mark.parametrize(("count", "n"), [(0, 10), (1, 10), (5, 10), (100, 1000), (10, 10)])
def test_contains_clopper_pearson_and_lies_in_hoeffding(count: int, n: int) -> None:
    ours, exact = bentkus(count / n, n), clopper_pearson(count, n)
    assert ours.low <= exact.low + 1e-12
    assert ours.high >= exact.high - 1e-12
    assert ours.high <= hoeffding_upper(count / n, n) + 1e-9


def hoeffding_upper(mean: float, n: int, alpha: float = 0.05) -> float:
    """Where n times the relative entropy reaches log(2 / alpha)."""

    def excess(p: float) -> float:
        return float(n * (stats.entropy([mean, 1 - mean], [p, 1 - p])) - math.log(2 / alpha))

    if mean == 1:
        return 1.0
    return float(optimize.brentq(excess, max(mean, 1e-12), 1 - 1e-12))


def test_other_bounds_are_a_change_of_scale() -> None:
    plain, scaled = bentkus(0.3, 50), bentkus(3 * 0.3 - 1, 50, low=-1, high=2)
    assert scaled.low == pytest.approx(3 * plain.low - 1)
    assert scaled.high == pytest.approx(3 * plain.high - 1)


def test_ends_of_the_scale() -> None:
    assert bentkus(0.0, 10).low == 0
    assert bentkus(1.0, 10).high == 1
    assert bentkus(1.0, 1).low == pytest.approx(0.025)
    assert lower_mean(0.5, 1, math.log(0.1)) == pytest.approx(0.05)


def test_bad_input() -> None:
    with pytest.raises(InputError, match="n must be at least 1"):
        bentkus(0.5, 0)
    with pytest.raises(InputError, match="mean must lie between low = 0 and high = 1"):
        bentkus(1.5, 10)
