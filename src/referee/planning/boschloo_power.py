"""The exact power of Boschloo's test, where two models have few cases each.

The formula for two proportions counts on the normal law; with a handful of cases the exact test may
not be able to reject at all (2 cases each, all right against all wrong, give p = .125).
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from scipy import stats

from referee.core.arrays import Codes
from referee.planning.power import two_sample_rows

__all__ = ["MOST_EXACT", "boschloo_power", "boschloo_rows"]

MOST_EXACT = 100
"""Cases of each model up to which the power is enumerated."""

_SETTLED = 8
"""The power is a saw-tooth; above so many sizes in a row that have it, no fall is expected."""


def boschloo_power(n: int, p1: float, p2: float, *, alpha: float = 0.05) -> float:
    """Return the probability that Boschloo's two-sided test rejects, with n cases each.

    Examples
    --------
    >>> boschloo_power(2, 0.0, 1.0), boschloo_power(3, 0.0, 1.0)
    (0.0, 1.0)
    """
    stairs, counts = _stairs(n, alpha), np.arange(n + 1)
    sides = ((p1, p2), (p2, p1))
    chances = (
        stats.binom.pmf(counts, n, more) @ stats.binom.cdf(stairs, n, less) for more, less in sides
    )
    return float(min(1.0, sum(chances)))


def boschloo_rows(p1: float, p2: float, *, power: float = 0.8, alpha: float = 0.05) -> int | None:
    """Return the cases each model needs from which on the test keeps the power; None above 100.

    Examples
    --------
    >>> boschloo_rows(0.0, 1.0), boschloo_rows(0.9, 0.6), boschloo_rows(0.99, 0.995)
    (3, 32, None)
    """
    about = math.ceil(two_sample_rows(p1, p2, power=power, alpha=alpha))
    n, holding = max(2, math.floor(0.8 * about)), 0
    while n > 2 and n <= MOST_EXACT and boschloo_power(n, p1, p2, alpha=alpha) >= power:
        n -= 1
    while holding < _SETTLED:
        if n > MOST_EXACT:
            return None
        holding = holding + 1 if boschloo_power(n, p1, p2, alpha=alpha) >= power else 0
        n += 1
    return n - _SETTLED


@lru_cache(maxsize=256)
def _stairs(n: int, alpha: float) -> Codes:
    """Return, for each number of errors of one model, up to which of the other the test rejects.

    The one-sided p of a table is the largest chance of all tables at least as far out by Fisher's
    p; so the region is the widest staircase of Fisher's whose chance is at most alpha / 2.
    """
    # Compiled loops are imported only where they are used: they cost a second to load.
    from referee.significance.unpaired.unconditional import (
        fisher_staircase,
        largest_chance,
    )

    none = np.full(n + 1, n + 1)
    x, y = np.tril_indices(n + 1, -1)
    steps = np.unique(stats.hypergeom.sf(x - 1, 2 * n, x + y, n))
    low, high = -1, len(steps)
    while high - low > 1:
        middle = (low + high) // 2
        stairs = fisher_staircase(steps[middle], n, n)
        fits = largest_chance(stairs, none, n) <= alpha / 2
        low, high = (middle, high) if fits else (low, middle)
    return np.full(n + 1, -1) if low < 0 else fisher_staircase(steps[low], n, n)
