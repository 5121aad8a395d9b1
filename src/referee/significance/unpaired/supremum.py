"""Maximise a probability over a nuisance parameter, as exact unconditional tests must."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import special

from referee.core.arrays import Floats

__all__ = ["TIE", "log_ways", "peak"]

TIE = 1e-7
"""Statistics this near to each other, relatively, are ties; ties count as at least as extreme."""


def peak(
    function: Callable[[Floats], Floats], low: float, high: float, steps: int, peaks: int = 3
) -> float:
    """Return the maximum of a smooth function on [low, high]: a grid, its best peaks magnified.

    Examples
    --------
    >>> round(peak(np.sin, 0.0, 3.0, 20), 6)
    1.0
    """
    grid = np.linspace(low, high, steps + 1)
    values = function(grid)
    padded = np.concatenate([[-np.inf], values, [-np.inf]])
    tops = np.flatnonzero((values >= padded[:-2]) & (values >= padded[2:]))
    best = float(values.max())
    for top in tops[np.argsort(-values[tops], kind="stable")][:peaks]:
        left, right = grid[max(top - 1, 0)], grid[min(top + 1, steps)]
        for _ in range(3):
            finer = np.linspace(left, right, 17)
            there = function(finer)
            at = int(np.argmax(there))
            best = max(best, float(there[at]))
            left, right = finer[max(at - 1, 0)], finer[min(at + 1, 16)]
    return best


def log_ways(n: int) -> Floats:
    """Return the logarithms of the binomial coefficients n over 0, 1, ..., n.

    Examples
    --------
    >>> np.exp(log_ways(3)).round(6)
    array([1., 3., 3., 1.])
    """
    k = np.arange(n + 1)
    logs: Floats = special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)
    return logs
