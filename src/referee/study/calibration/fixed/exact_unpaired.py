"""Fixed models on different cases by exact enumeration: every pair of counts of errors."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import stats

from referee.core.arrays import Floats
from referee.core.results import Evidence, Interval
from referee.intervals.catalogue import DIFFERENCE_INTERVALS
from referee.significance.catalogue import COMPARISON_TESTS
from referee.significance.comparison_test import Setting
from referee.study.calibration.fixed.enumerated import Enumerated

__all__ = [
    "UNPAIRED_SIZES",
    "unpaired_coverage",
    "unpaired_intervals",
    "unpaired_size",
    "unpaired_tests",
]

UNPAIRED_SIZES = ((10, 10), (20, 20), (10, 40))
"""Cases of the first and of the second model."""

_SHARES = np.arange(1, 200) / 200
"""Errors that equal models may have."""

_GRID = np.linspace(0.01, 0.99, 50)
"""Errors of either model, for a difference."""


def unpaired_intervals() -> dict[str, Callable[..., Interval]]:
    """Return every interval of a difference between models on different cases."""
    return {m.name: m.compute for m in DIFFERENCE_INTERVALS.values() if not m.paired}


def unpaired_tests() -> dict[str, Callable[..., Evidence]]:
    """Return every test of models on different cases that needs no more than counts."""
    return {
        t.name: t.of_counts
        for t in COMPARISON_TESTS.values()
        if t.of_counts is not None and t.setting is Setting.DIFFERENT_CASES
    }


def unpaired_coverage(
    method: str, form: Callable[..., Interval], n1: int, n2: int, level: float = 0.95
) -> Enumerated:
    """Return coverage of a difference over a grid of both errors.

    Examples
    --------
    >>> outcome = unpaired_coverage("wald-unpaired", unpaired_intervals()["wald-unpaired"], 5, 5)
    >>> outcome.worst < 0.2, outcome.cases
    (True, '5 + 5')
    """
    limits = [[form(x1, n1, x2, n2, level) for x2 in range(n2 + 1)] for x1 in range(n1 + 1)]
    low, high = (
        np.array([[getattr(i, e) for i in row] for row in limits]) for e in ("low", "high")
    )
    first, second = _chances(n1, _GRID), _chances(n2, _GRID)
    coverage = np.empty((len(_GRID), len(_GRID)))
    for i, p in enumerate(_GRID):
        for j, q in enumerate(_GRID):
            held = (low <= p - q + 1e-12) & (p - q - 1e-12 <= high)
            coverage[i, j] = first[i] @ held @ second[j]
    at, of = np.unravel_index(int(np.argmin(coverage)), coverage.shape)
    return Enumerated(
        method=method,
        n=n1 + n2,
        mean=float(coverage.mean()),
        worst=float(coverage[at, of]),
        where=f"errors {_GRID[at]:.2f} and {_GRID[of]:.2f}",
        width=float((first @ (high - low) @ second.T).mean()),
        cases=f"{n1} + {n2}",
    )


def unpaired_size(
    method: str, test: Callable[..., Evidence], n1: int, n2: int, alpha: float = 0.05
) -> Enumerated:
    """Return the chance that equal models are told apart, over a grid of their common error.

    Examples
    --------
    >>> unpaired_size("fisher", unpaired_tests()["fisher"], 6, 6).worst <= 0.05
    True
    """
    rejected = np.array(
        [
            [test(x1, n1, x2, n2).p_value <= alpha + 1e-12 for x2 in range(n2 + 1)]
            for x1 in range(n1 + 1)
        ],
        dtype=float,
    )
    first, second = _chances(n1, _SHARES), _chances(n2, _SHARES)
    sizes = ((first @ rejected) * second).sum(axis=1)
    at = int(np.argmax(sizes))
    return Enumerated(
        method=method,
        n=n1 + n2,
        mean=float(sizes.mean()),
        worst=float(sizes[at]),
        where=f"error {_SHARES[at]:.3g}",
        quantity="size",
        cases=f"{n1} + {n2}",
    )


def _chances(n: int, shares: Floats) -> Floats:
    """Return the chance of every count of errors, a row for each share."""
    return np.asarray(stats.binom.pmf(np.arange(n + 1), n, shares[:, None]))
