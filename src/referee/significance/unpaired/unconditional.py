"""The largest probability of a rejection region over the error rate that two samples share.

Two samples of sizes n1 and n2 with one common error rate p; x1 and x2 are their errors. A region
is a staircase: for each x1 it holds every x2 up to `low[x1]` and every x2 from `high[x1]` on. Its
chance is the sum over x1 of Bin(x1; n1, p) times two binomial tails, so one p costs a few standard
deviations of x1 and x2 and not n1 times n2. The chance is evaluated on a grid in arcsin sqrt(p),
four steps to a standard deviation of the pooled rate, and its highest peaks are magnified.

References
----------
Barnard (1947), Biometrika 34. Boschloo (1970), Statistica Neerlandica 24.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from referee.core.arrays import Codes, Floats
from referee.core.machine.compiling import compiled
from referee.significance.unpaired.supremum import TIE, log_ways, peak

__all__ = ["fisher_greater", "fisher_staircase", "largest_chance"]


def largest_chance(low: Codes, high: Codes, n2: int) -> float:
    """Return the supremum over p of the chance that (x1, x2) falls into the region.

    Examples
    --------
    Both samples of one case, rejecting where only the first is wrong: p (1 - p) is at most 1/4.

    >>> none = np.array([2, 2])
    >>> round(largest_chance(np.array([-1, 0]), none, 1), 6)
    0.25
    """
    n1 = len(low) - 1
    ways1, ways2 = log_ways(n1), log_ways(n2)

    def chance(angles: Floats) -> Floats:
        chances: Floats = _chances(np.sin(angles) ** 2, low, high, ways1, ways2)
        return chances

    steps = max(128, int(np.ceil(4 * np.pi * np.sqrt(n1 + n2))))
    return min(1.0, peak(chance, 0.0, np.pi / 2, steps))


def fisher_greater(x1: int, n1: int, x2: int, n2: int) -> float:
    """Return Fisher's one-sided p that the first sample errs more: P(X1 >= x1 | x1 + x2).

    Examples
    --------
    >>> round(fisher_greater(3, 3, 0, 3), 4)
    0.05
    """
    return float(_fisher(x1, x2, log_ways(n1), log_ways(n2), log_ways(n1 + n2)))


def fisher_staircase(p_value: float, n1: int, n2: int) -> Codes:
    """Return, for each x1, the largest x2 whose one-sided Fisher p is at most `p_value`, or -1.

    The p falls with x1 and grows with x2, so the boundary is a staircase of n1 + n2 steps.

    Examples
    --------
    >>> fisher_staircase(0.05, 3, 3)
    array([-1, -1, -1,  0])
    """
    ways = log_ways(n1), log_ways(n2), log_ways(n1 + n2)
    stairs: Codes = _climb(p_value * (1 + TIE), *ways)
    return stairs


@compiled
def _fisher(x1: Any, x2: Any, ways1: Any, ways2: Any, ways: Any) -> Any:  # pragma: no cover
    """Sum the hypergeometric tail from x1 upwards until its terms no longer count."""
    n1, n2, m = len(ways1) - 1, len(ways2) - 1, x1 + x2
    term = np.exp(ways1[x1] + ways2[x2] - ways[m])
    total, k = term, x1
    while k < min(n1, m):
        ratio = (n1 - k) * (m - k) / ((k + 1.0) * (n2 - m + k + 1.0))
        term *= ratio
        total += term
        k += 1
        if ratio < 1 and term <= 1e-17 * total * (1 - ratio):
            break
    return min(1.0, total)


@compiled
def _climb(limit: Any, ways1: Any, ways2: Any, ways: Any) -> Any:  # pragma: no cover - compiled
    n1, n2 = len(ways1) - 1, len(ways2) - 1
    stairs = np.empty(n1 + 1, dtype=np.intp)
    x2 = -1
    for x1 in range(n1 + 1):
        while x2 < n2 and _fisher(x1, x2 + 1, ways1, ways2, ways) <= limit:
            x2 += 1
        stairs[x1] = x2
    return stairs


@compiled
def _window(n: Any, p: Any) -> Any:  # pragma: no cover - compiled
    """Return the first and last count that matter; less than 1e-80 lies outside."""
    reach = 20 * np.sqrt(n * p * (1 - p)) + 200
    return max(0, int(n * p - reach)), min(n, int(n * p + reach) + 1)


@compiled
def _chances(ps: Any, low: Any, high: Any, ways1: Any, ways2: Any) -> Any:  # pragma: no cover
    n1, n2 = len(ways1) - 1, len(ways2) - 1
    chances = np.empty(len(ps))
    up_to, from_on = np.empty(n2 + 3), np.empty(n2 + 3)
    for i in range(len(ps)):
        p = min(max(ps[i], 1e-300), 1 - 1e-16)
        log_p, log_q = np.log(p), np.log1p(-p)
        a, b = _window(n2, p)
        up_to[0] = 0.0
        for x2 in range(a, b + 1):
            pmf = np.exp(ways2[x2] + x2 * log_p + (n2 - x2) * log_q)
            up_to[x2 - a + 1] = up_to[x2 - a] + pmf
            from_on[x2 - a] = pmf
        from_on[b - a + 1] = 0.0
        for at in range(b - a, -1, -1):
            from_on[at] += from_on[at + 1]
        total = 0.0
        first, last = _window(n1, p)
        for x1 in range(first, last + 1):
            pmf = np.exp(ways1[x1] + x1 * log_p + (n1 - x1) * log_q)
            below = min(max(low[x1] - a + 1, 0), b - a + 1)
            above = min(max(high[x1] - a, 0), b - a + 1)
            total += pmf * (up_to[below] + from_on[above])
        chances[i] = total
    return chances
