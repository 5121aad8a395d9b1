"""The exact interval of a difference on different cases: every pair of counts enumerated."""

from functools import cache

import numpy as np
import pytest
from scipy import special, stats

import referee
from referee.errors import Refusal
from referee.intervals.difference.exact_unpaired import exact_unpaired, farrington_manning
from referee.intervals.difference.unpaired import newcombe_unpaired

SHARES = np.r_[0.003, 0.01, 0.03, np.linspace(0.05, 0.95, 40), 0.97, 0.99, 0.997]


@cache
def enumerated(m, n):
    """Return least and mean coverage over both errors, and the mean width over Newcombe's."""
    ends = {}
    for form in (exact_unpaired, newcombe_unpaired):
        made = [[form(x, m, y, n) for y in range(n + 1)] for x in range(m + 1)]
        ends[form] = np.array([[(i.low, i.high) for i in row] for row in made])
    first, second = (stats.binom.pmf(np.arange(k + 1), k, SHARES[:, None]) for k in (m, n))
    low, high = np.moveaxis(ends[exact_unpaired], -1, 0)
    coverage = [
        first[i] @ ((low <= p - q + 1e-12) & (p - q - 1e-12 <= high)) @ second[j]
        for i, p in enumerate(SHARES)
        for j, q in enumerate(SHARES)
    ]
    mine, other = ((first @ np.ptp(e, axis=-1) @ second.T).mean() for e in ends.values())
    return min(coverage), np.mean(coverage), mine / other


@pytest.mark.parametrize(("m", "n"), [(5, 5), (3, 9), (10, 10)])
def test_covers_by_enumeration(m, n):
    """Newcombe's interval, the default before, has .846 at 5 + 5 and .878 at 10 + 10."""
    least, _, wider = enumerated(m, n)
    assert least >= 0.95
    assert wider <= 1.25


@pytest.mark.slow
@pytest.mark.parametrize(("m", "n"), [(5, 30), (20, 20), (10, 40), (30, 30), (20, 60)])
def test_covers_by_enumeration_of_more_cases(m, n):
    least, mean, wider = enumerated(m, n)
    print(f"{m} + {n}: least {least:.4f}, mean {mean:.4f}, width over Newcombe's {wider:.3f}")
    assert least >= 0.95
    assert wider <= 1.2


@pytest.mark.parametrize(
    ("x", "m", "y", "n", "d"),
    [(7, 20, 1, 20, 0.1), (3, 10, 5, 40, -0.2), (0, 12, 0, 9, 0.05), (10, 10, 2, 10, 0.3)],
)
def test_score_against_the_likeliest_shares_by_search(x, m, y, n, d):
    q = np.linspace(max(0, -d), min(1, 1 - d), 200_001)
    p = q + d
    fit = sum(special.xlogy(*pair) for pair in ((x, p), (m - x, 1 - p), (y, q), (n - y, 1 - q)))
    at = int(np.argmax(fit))
    variance = p[at] * (1 - p[at]) / m + q[at] * (1 - q[at]) / n
    expected = (x / m - y / n - d) / np.sqrt(variance)
    assert float(farrington_manning(x, m, y, n, d)) == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize(("x", "m", "y", "n"), [(7, 20, 1, 15), (0, 8, 3, 12), (4, 9, 9, 9)])
def test_ends_against_every_table(x, m, y, n):
    """Just inside an end some nuisance gives a tail above .025, just outside none does."""
    high = exact_unpaired(x, m, y, n).high
    if high == 1:
        return
    for d, inside in ((high - 2e-4, True), (high + 2e-4, False)):
        seen = float(farrington_manning(x, m, y, n, d))
        table = farrington_manning(np.arange(m + 1)[:, None], m, np.arange(n + 1), n, d)
        lower = table <= seen + 1e-9 * max(1, abs(seen))
        q = np.linspace(max(0, -d), min(1, 1 - d), 3001)
        first = stats.binom.pmf(np.arange(m + 1), m, (q + d)[:, None])
        second = stats.binom.pmf(np.arange(n + 1), n, q[:, None])
        assert (((first @ lower) * second).sum(axis=1).max() > 0.025) == inside


def test_exchanging_models_or_right_and_wrong_negates_the_interval():
    one = exact_unpaired(7, 20, 2, 31)
    for other in (exact_unpaired(2, 31, 7, 20), exact_unpaired(13, 20, 29, 31)):
        assert (one.low, one.high) == pytest.approx((-other.high, -other.low), abs=1e-9)


def test_no_errors_and_nothing_but_errors():
    none, all_of_one = exact_unpaired(0, 10, 0, 10), exact_unpaired(10, 10, 0, 10)
    assert none.low == pytest.approx(-none.high)
    # Ten of ten right at both has chance (1 - d)¹⁰ at most, which is .025 at d = .31.
    assert none.high == pytest.approx(1 - 0.025**0.1, abs=1e-4)
    assert all_of_one.high == 1
    assert 0.4 < all_of_one.low < 0.8


def test_default_of_models_on_different_cases_and_its_limit():
    truths = {"a": [0] * 60, "b": [0] * 50}
    preds = {"a": [1] * 6 + [0] * 54, "b": [1] * 15 + [0] * 35}
    made = referee.compare_predictions(truths, preds).difference.interval
    oracle = exact_unpaired(6, 60, 15, 50)
    assert (made.low, made.high, made.method) == (oracle.low, oracle.high, "exact-unpaired")
    many = {k: v * 10 for k, v in truths.items()}, {k: v * 10 for k, v in preds.items()}
    assert referee.compare_predictions(*many).difference.interval.method == "newcombe-unpaired"
    with pytest.raises(Refusal, match="exact up to 1000 cases in all, got 1100"):
        referee.compare_predictions(*many, interval="exact-unpaired")
