"""Intervals after many looks, against scipy at the same error and against worked numbers."""

import math

import pytest
from scipy import stats

from referee.errors import InputError
from referee.intervals.looks import log_weight, look_interval, look_interval_of_mean


@pytest.mark.parametrize(("look", "releases"), [(1, 0), (10, 2), (100, 3)])
def test_against_beta_quantiles_at_the_weighted_level(look: int, releases: int) -> None:
    alpha = 0.05 * math.exp(log_weight(look, releases, 20))
    both = look_interval(86, 100, 1000, look, releases, 20)
    assert both.interval.low == pytest.approx(stats.beta.ppf(alpha / 2, 86, 915), rel=1e-9)
    assert both.interval.high == pytest.approx(stats.beta.isf(alpha / 2, 101, 900), rel=1e-9)


def test_worked_numbers() -> None:
    """The founders' worked numbers, n = 1000 and 10 000, error 10 %.

    Theirs leave out the factor 6 / (pi k)^2, without which nothing is promised for the sequence,
    and start from the exact count. The first look (8.0 to 12.3 % at half of alpha) comes out a
    little narrower, as it spends .608 of alpha; after 100 looks the intervals are a little wider.
    """
    first = look_interval(100, 100, 1000, 1, 0, 20).interval
    assert (first.low, first.high) == pytest.approx((0.080, 0.123), abs=0.0006)
    without = math.log(6 / (math.pi * 100) ** 2)
    for n, releases, cells, worked, wider in [
        (1000, 3, 20, (0.048, 0.177), (0.041, 0.193)),
        (10_000, 8, 100, (0.071, 0.135), (0.069, 0.139)),
    ]:
        count = n // 10
        alpha = 0.05 * math.exp(log_weight(100, releases, cells) - without)
        low = stats.beta.ppf(alpha / 2, count, n - count + 1)
        high = stats.beta.isf(alpha / 2, count + 1, n - count)
        assert (low, high) == pytest.approx(worked, abs=0.0016)
        ours = look_interval(count, count, n, 100, releases, cells).interval
        assert (round(ours.low, 3), round(ours.high, 3)) == wider


def test_a_single_look_is_clopper_pearson() -> None:
    both = look_interval(15, 15, 148, 1, 0, 9, looks=1)
    exact = stats.binomtest(15, 148).proportion_ci(0.95)
    for interval in (both.interval, both.naive):
        assert interval.low == pytest.approx(exact.low, rel=1e-9)
        assert interval.high == pytest.approx(exact.high, rel=1e-9)


def test_every_further_look_and_release_widens() -> None:
    widths = [
        look_interval(86, 100, 1000, k, j, 20).interval.width
        for k, j in [(1, 0), (2, 0), (2, 1), (50, 1), (50, 5), (10**6, 5)]
    ]
    assert widths == sorted(widths)
    assert widths[-1] < 0.4


def test_a_million_looks_with_a_release_for_every_value() -> None:
    i = look_interval(2400, 2449, 10_000, 10**6, 100, 100).interval
    assert 0 < i.low < 0.24 < i.high < 1


def test_no_errors_and_all_errors() -> None:
    assert look_interval(0, 10, 1000, 5, 1, 20).interval.low == 0
    i = look_interval(300, 1000, 1000, 5, 1, 20).interval
    assert i.high == 1
    assert i.low > 0.2


def test_mean_is_wider_than_share_by_the_price_of_any_distribution() -> None:
    share = look_interval(100, 116, 1000, 20, 3, 31).interval
    mean = look_interval_of_mean(0.100, 0.116, 1000, 20, 3, 31).interval
    assert mean.low < share.low < share.high < mean.high
    assert mean.width < 1.15 * share.width


def test_mean_on_another_scale() -> None:
    one = look_interval_of_mean(0.1, 0.12, 500, 20, 3, 31)
    other = look_interval_of_mean(1.0, 1.2, 500, 20, 3, 31, bounds=(0, 10))
    assert other.interval.high == pytest.approx(10 * one.interval.high)
    assert other.naive.low == pytest.approx(10 * one.naive.low)


def test_bad_input() -> None:
    with pytest.raises(InputError, match="0 <= low_count <= high_count <= n"):
        look_interval(10, 9, 100, 1, 0, 5)
    with pytest.raises(InputError, match="low_mean <= high_mean"):
        look_interval_of_mean(0.5, 1.2, 100, 1, 0, 5)
    with pytest.raises(InputError, match="level"):
        look_interval(1, 2, 100, 1, 0, 5, 95)
