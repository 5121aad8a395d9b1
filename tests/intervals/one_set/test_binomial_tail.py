"""Binomial tails in logs, against fractions and against scipy."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import special, stats

from referee.intervals.one_set.binomial_tail import (
    log_choose,
    log_hinges,
    log_tail,
    lower_share,
    share_where,
)


def log_of(number: Fraction) -> float:
    def log_whole(i: int) -> float:
        shift = max(i.bit_length() - 60, 0)
        return math.log(i >> shift) + shift * math.log(2)

    return log_whole(number.numerator) - log_whole(number.denominator)


def pmf(n: int, share: float) -> list[Fraction]:
    p = Fraction(share)
    return [math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(n + 1)]


@pytest.mark.parametrize(
    ("count", "n", "share"),
    [(2, 3, 0.1), (50, 300, 0.1), (100, 300, 0.33), (299, 300, 0.01), (300, 300, 0.2), (1, 9, 0.1)],
)
def test_tail_against_fractions(count: int, n: int, share: float) -> None:
    assert log_tail(count, n, share) == pytest.approx(
        log_of(sum(pmf(n, share)[count:], Fraction(0))), rel=1e-11, abs=1e-11
    )


def test_hinges_against_fractions() -> None:
    n, share, total = 60, 0.2, 20.3
    below, hinges = log_hinges(total, n, share)
    assert below[-1] == 20
    for t, hinge in zip(below, hinges, strict=True):
        exact = sum((i - int(t)) * p for i, p in enumerate(pmf(n, share)) if i > t)
        assert hinge == pytest.approx(log_of(exact), rel=1e-11, abs=1e-11)


@pytest.mark.parametrize("log_alpha", [-3.0, -30.0, -200.0])
@pytest.mark.parametrize(("count", "n"), [(1, 10), (3, 10_000), (500, 1000), (99_999, 100_000)])
def test_share_by_sums_against_scipy(count: int, n: int, log_alpha: float) -> None:
    ours = share_where(lambda share: log_tail(count, n, share), log_alpha, count / n)
    scipys = special.betaincinv(count, n - count + 1, math.exp(log_alpha))
    assert ours == pytest.approx(scipys, rel=1e-9)
    assert ours <= scipys * (1 + 1e-12)


@pytest.mark.parametrize("log_alpha", [-251.0, -600.0, -5000.0])
@pytest.mark.parametrize(("count", "n"), [(10, 50), (100, 1000), (1000, 1000), (10**5, 10**6)])
def test_deep_share_gives_back_its_tail(count: int, n: int, log_alpha: float) -> None:
    share = lower_share(count, n, log_alpha)
    assert 0 < share < count / n + 1e-15
    tail = n * math.log(share) if count == n else log_tail(count, n, share)
    assert tail == pytest.approx(log_alpha, rel=1e-9)


def test_a_share_too_small_for_floating_point_is_zero() -> None:
    assert lower_share(1, 10, -5000.0) == 0.0


def test_no_count_has_no_lower_end() -> None:
    assert lower_share(0, 10, -3.0) == 0.0


def test_choose_against_math() -> None:
    for n, r in [(5, 2), (10**6, 31), (99, 0), (99, 99), (0, 0)]:
        assert log_choose(n, r) == pytest.approx(math.log(math.comb(n, r)), rel=1e-10, abs=1e-12)


def test_lower_share_against_binomtest() -> None:
    for count, n in [(1, 3), (15, 148), (148, 148)]:
        low = stats.binomtest(count, n).proportion_ci(0.95).low
        assert lower_share(count, n, math.log(0.025)) == pytest.approx(low, rel=1e-9)
    assert np.isfinite(lower_share(5, 10_000, -500.0))
