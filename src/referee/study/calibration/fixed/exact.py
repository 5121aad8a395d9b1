"""Fixed models by exact enumeration: no simulation, every sample weighted by its probability.

The coverage of an interval of a proportion, as a function of p, jumps where p passes an end of one
of the n + 1 intervals. In between the covering counts are the same and, being neighbours, their
probability rises and then falls; so the least coverage is found next to a jump, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from scipy import special, stats

from referee.core.arrays import Floats
from referee.core.results import Evidence, Interval
from referee.intervals.catalogue import DIFFERENCE_INTERVALS, RISK_INTERVALS
from referee.intervals.interval_method import CountInterval
from referee.measures.formulas.paired_counts import PairedCounts
from referee.significance.catalogue import COMPARISON_TESTS
from referee.significance.comparison_test import Setting
from referee.study.calibration.fixed.enumerated import Enumerated
from referee.study.calibration.fixed.exact_unpaired import (
    UNPAIRED_SIZES,
    unpaired_coverage,
    unpaired_intervals,
    unpaired_size,
    unpaired_tests,
)

__all__ = [
    "Enumerated",
    "enumerated",
    "enumerated_methods",
    "paired_coverage",
    "paired_intervals",
    "paired_size",
    "paired_tests",
    "proportion_coverage",
    "proportions",
]

_SIZES = (5, 10, 20, 50, 100, 200, 500, 1000)
_PAIRED_SIZES = (5, 10, 20, 50)
_TEST_SIZES = (10, 20, 50, 100)
_STEPS = 20
"""Shares of b and of c go from 1/100 up to 1/2 in so many steps."""


def proportions() -> dict[str, CountInterval]:
    """Return every interval of a proportion that needs no more than counts."""
    return {m.name: m.of_counts for m in RISK_INTERVALS.values() if m.of_counts is not None}


def paired_intervals() -> dict[str, Callable[..., Interval]]:
    """Return every interval of a difference on the same independent cases."""
    every = DIFFERENCE_INTERVALS.values()
    return {m.name: m.compute for m in every if m.paired and not m.grouped}


def paired_tests() -> dict[str, Callable[[PairedCounts], Evidence]]:
    """Return every test of two models that needs no more than counts of the same cases."""
    return {
        t.name: t.of_counts
        for t in COMPARISON_TESTS.values()
        if t.of_counts is not None and t.setting is Setting.SAME_CASES
    }


def enumerated_methods() -> tuple[str, ...]:
    """Return the names of all methods that are tried by enumeration."""
    return tuple(dict.fromkeys(name for names, _ in _ways() for name in names))


def enumerated(methods: Sequence[str] | None = None) -> Iterator[Enumerated]:
    """Yield every method of fixed models, or the named ones, at every n."""
    for forms, tried in _ways():
        for name, form in forms.items():
            if methods is None or name in methods:
                yield from tried(name, form)


def _ways() -> tuple[tuple[Mapping[str, Any], Callable[[str, Any], Iterator[Enumerated]]], ...]:
    """Return the methods of every kind, and how one of that kind is tried."""
    return (
        (proportions(), lambda m, f: (proportion_coverage(m, f, n) for n in _SIZES)),
        (paired_intervals(), lambda m, f: (paired_coverage(m, f, n) for n in _PAIRED_SIZES)),
        (paired_tests(), lambda m, f: (paired_size(m, f, n) for n in _TEST_SIZES)),
        (unpaired_intervals(), lambda m, f: (unpaired_coverage(m, f, *n) for n in UNPAIRED_SIZES)),
        (unpaired_tests(), lambda m, f: (unpaired_size(m, f, *n) for n in UNPAIRED_SIZES)),
    )


def proportion_coverage(
    method: str, form: CountInterval, n: int, level: float = 0.95
) -> Enumerated:
    """Return the least coverage over all p, and mean coverage and width over p from 0 to 1.

    Examples
    --------
    >>> outcome = proportion_coverage("wald", proportions()["wald"], 100)
    >>> outcome.worst < 1e-6, round(outcome.mean, 3)
    (True, 0.923)
    """
    limits = [form(x, n, level) for x in range(n + 1)]
    low, high = (np.array([getattr(i, end) for i in limits]) for end in ("low", "high"))
    jumps = np.concatenate([low, high])
    near = np.concatenate([jumps * (1 - 1e-9), jumps, 1 - (1 - jumps) * (1 - 1e-9)])
    near = np.unique(near[(near > 0) & (near < 1)])
    coverage = _covered(near, low, high)
    at = int(np.argmin(coverage))
    grid = (np.arange(500) + 0.5) / 500
    chance = stats.binom.pmf(np.arange(n + 1), n, grid[:, None])
    return Enumerated(
        method=method,
        n=n,
        mean=float(_covered(grid, low, high).mean()),
        worst=float(coverage[at]),
        where=f"p = {near[at]:.4g}",
        width=float((chance @ (high - low)).mean()),
    )


def _covered(p: Floats, low: Floats, high: Floats) -> Floats:
    """Return the chance of a count whose interval holds p; ends never fall as the count grows."""
    assert np.diff([low, high]).min() >= 0
    n = len(low) - 1
    first, last = np.searchsorted(high, p, "left"), np.searchsorted(low, p, "right") - 1
    return np.asarray(stats.binom.cdf(last, n, p) - stats.binom.cdf(first - 1, n, p))


def paired_coverage(
    method: str, form: Callable[..., Interval], n: int, level: float = 0.95
) -> Enumerated:
    """Return coverage of a difference over shares of b and c, no case being wrong for both."""
    b, c = _tables(n)
    limits = [form(PairedCounts(n - i - j, i, j, 0), level) for i, j in zip(b, c, strict=True)]
    low, high = (np.array([getattr(i, end) for i in limits]) for end in ("low", "high"))
    p, q = (share.ravel() for share in np.meshgrid(*[np.linspace(0.01, 0.5, _STEPS)] * 2))
    rest = np.maximum(1 - p - q, 0.0)
    ways = special.gammaln(n + 1) - special.gammaln([b + 1, c + 1, n - b - c + 1]).sum(axis=0)
    counts = zip((b, c, n - b - c), (p, q, rest), strict=True)
    chance = np.exp(ways + sum(special.xlogy(count, share[:, None]) for count, share in counts))
    truth = (q - p)[:, None]
    coverage = (chance * ((low <= truth + 1e-12) & (truth - 1e-12 <= high))).sum(axis=1)
    at = int(np.argmin(coverage))
    return Enumerated(
        method=method,
        n=n,
        mean=float(coverage.mean()),
        worst=float(coverage[at]),
        where=f"b {p[at]:.3f}, c {q[at]:.3f}",
        width=float((chance @ (high - low)).mean()),
    )


def _tables(n: int) -> tuple[Floats, Floats]:
    b, c = np.divmod(np.arange((n + 1) ** 2), n + 1)
    kept = b + c <= n
    return b[kept], c[kept]


def paired_size(
    method: str, test: Callable[[PairedCounts], Evidence], n: int, alpha: float = 0.05
) -> Enumerated:
    """Return the chance that equal models are told apart, over all shares of disagreement.

    Given m disagreements the counts are binomial with 1/2; m is binomial with the share. The size
    given m is in itself a size: models may disagree on every case.

    Examples
    --------
    >>> paired_size("mcnemar-exact", paired_tests()["mcnemar-exact"], 50).worst <= 0.05
    True
    """
    given = np.array([_size_given(test, m, alpha) for m in range(n + 1)])
    shares = np.concatenate([np.arange(1, 200) / 200, [1.0]])
    sizes = stats.binom.pmf(np.arange(n + 1), n, shares[:, None]) @ given
    at = int(np.argmax(sizes))
    where = f"disagreement {shares[at]:.3g}"
    return Enumerated(method, n, float(sizes.mean()), float(sizes[at]), where, quantity="size")


def _size_given(test: Callable[[PairedCounts], Evidence], m: int, alpha: float) -> float:
    rejected = (
        [test(PairedCounts(0, b, m - b, 0)).p_value <= alpha for b in range(m + 1)]
        if m
        else [False]
    )
    return float(stats.binom.pmf(np.arange(m + 1), m, 0.5) @ np.array(rejected))
