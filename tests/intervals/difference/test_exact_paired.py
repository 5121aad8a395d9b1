"""The exact interval of a paired difference: coverage by enumeration of every table."""

import numpy as np
import pytest
from scipy import special, stats

import referee
from referee.errors import Refusal
from referee.intervals.difference.exact_paired import _tail, exact_paired
from referee.intervals.difference.paired import tango, tango_score
from referee.measures.formulas.paired_counts import PairedCounts

SHARES = np.r_[0.002, 0.01, 0.03, np.linspace(0.05, 0.95, 19)]


def enumerated(n, level=0.95, shares=SHARES):
    """Return least and mean coverage over shares of b and c, and the width over Tango's."""
    tables = [(b, c) for b in range(n + 1) for c in range(n + 1 - b)]
    made = [exact_paired(PairedCounts(n - b - c, b, c, 0), level) for b, c in tables]
    score = [tango(PairedCounts(n - b - c, b, c, 0), level) for b, c in tables]
    low, high = np.array([i.low for i in made]), np.array([i.high for i in made])
    b, c = np.array(tables).T
    many = special.gammaln(n + 1) - sum(special.gammaln(k + 1) for k in (b, c, n - b - c))
    coverage = []
    for p in shares:
        for q in shares[shares < 1 - p - 1e-9]:
            chance = np.exp(many + b * np.log(p) + c * np.log(q) + (n - b - c) * np.log(1 - p - q))
            coverage.append(chance[(low <= q - p + 1e-12) & (q - p <= high + 1e-12)].sum())
    wider = np.mean([i.width / j.width for i, j in zip(made, score, strict=True)])
    return min(coverage), np.mean(coverage), wider


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 7, 9, 10])
def test_covers_by_enumeration(n):
    least, _, wider = enumerated(n)
    assert least >= 0.95
    assert wider <= (1.12 if 5 <= n < 10 else 1.2)


@pytest.mark.slow
@pytest.mark.parametrize("n", [15, 20, 30, 50])
def test_covers_by_enumeration_of_more_cases(n):
    least, mean, wider = enumerated(n)
    print(f"n = {n}: least {least:.4f}, mean {mean:.4f}, width over Tango's {wider:.3f}")
    assert least >= 0.95
    assert wider <= 1.12


def test_tail_against_a_loop_over_every_table():
    b, c, n, d = 2, 5, 14, 0.35
    seen = float(tango_score(b, c, n, d))
    most = 0.0
    for p in np.linspace(0, (1 - d) / 2, 400):
        chance = sum(
            stats.multinomial.pmf([i, j, n - i - j], n, [p, p + d, max(0.0, 1 - 2 * p - d)])
            for i in range(n + 1)
            for j in range(n + 1 - i)
            if float(tango_score(i, j, n, d)) <= seen + 1e-9
        )
        most = max(most, chance)
        if p > 0.02:  # a coarse look is enough: the rest of the curve falls
            break
    assert _tail(b, c, n, d) >= most - 1e-9


def test_swapping_the_models_negates_the_interval():
    one, other = exact_paired(PairedCounts(20, 3, 9, 4)), exact_paired(PairedCounts(20, 9, 3, 4))
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low), abs=1e-4)


def test_default_of_two_fixed_models_and_its_limit():
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=1200)
    preds = {
        k: np.where(rng.random(1200) < e, 1 - truth, truth) for k, e in (("a", 0.1), ("b", 0.2))
    }
    few = referee.compare_predictions(truth[:80], {k: v[:80] for k, v in preds.items()})
    many = referee.compare_predictions(truth, preds)
    assert few.pairs[0].difference.interval.method == "exact-paired"
    assert many.pairs[0].difference.interval.method == "tango"
    with pytest.raises(Refusal, match="exact up to 1000 cases, got 1200"):
        referee.compare_predictions(truth, preds, interval="exact-paired")


def test_nothing_and_all_told_apart():
    none, every = exact_paired(PairedCounts(10, 0, 0, 0)), exact_paired(PairedCounts(0, 0, 10, 0))
    assert none.low == pytest.approx(-none.high)
    assert every.high == 1
    # All ten for the second have chance q¹⁰, which is .025 at q = .69; then d is at least 2 q - 1.
    assert every.low == pytest.approx(2 * 0.025**0.1 - 1, abs=1e-3)
