"""The exact interval of a paired difference at fewer than ten cases, where both tails share alpha.

So few cases give so few tables that half the error on each side is hardly ever used up: at five
cases no interval that keeps half on each side, in whatever order it takes the tables, is less than
1.17 times as wide as Tango's (a test goes through all orders). A difference belongs to this one
unless the chance of a score at least as far from 0 as that seen, on either side, is below alpha at
its largest over the nuisance. One side alone may then err with more than half of alpha.

References
----------
Agresti and Min (2001), Biometrics 57.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy import special

from referee.core.arrays import Flags, Floats, Rows
from referee.intervals.difference.paired import tango_score

__all__ = ["FEW", "exact_few"]

FEW = 10
"""Below so many cases both tails share the error."""

_STEPS = 1000
_SHARES = 200
_HALVES = 44
"""How often a grid cell is halved to find where two scores are the same."""

_EDGE = 1 - 1e-9


def exact_few(b: int, c: int, n: int, alpha: float) -> tuple[float, float]:
    """Return both ends of the differences that the two-sided exact score test does not reject.

    Examples
    --------
    >>> [round(end, 3) for end in exact_few(0, 5, 5, 0.05)]  # as McNemar's p of .0625 says
    [0.0, 1.0]
    """
    low, high = _ends(n, alpha)
    at = _tables(n)[0].tolist().index(b) + c
    return float(low[at]), float(high[at])


@lru_cache(maxsize=64)
def _ends(n: int, alpha: float) -> tuple[Floats, Floats]:
    """Return the ends for every table of n cases."""
    b, c = _tables(n)
    swapped = np.lexsort((b, c))  # where the table stands whose b is this one's c
    tried = _tried(n)
    above = np.array([_p_values(n, d) > alpha for d in tried])
    kept = np.vstack([above[:0:-1, swapped], above])
    tried = np.concatenate([-tried[:0:-1], tried])
    high = np.array([_last(n, alpha, t, tried, kept[:, t]) for t in range(len(b))])
    return -high[swapped] + 0.0, high


@lru_cache(maxsize=16)
def _tried(n: int) -> Floats:
    """Return differences from 0 to 1: a grid, and wherever two tables' scores are the same.

    There alone one table enters the tail of another or leaves it, so a p-value jumps there, and
    where a table is in for a short while only, a grid would pass it by.
    """
    b, c = _tables(n)
    grid = np.linspace(0.0, _EDGE, _STEPS + 1)
    score = np.array([_scores(n, d) for d in grid])
    first, second = np.triu_indices(len(b), 1)
    order = np.sign(np.nan_to_num(score[:, first] - score[:, second]))
    at, pair = np.nonzero(order[:-1] * order[1:] < 0)
    low, high, before = grid[at], grid[at + 1], order[at, pair]
    tables = [(b[t[pair]], c[t[pair]]) for t in (first, second)]
    for _ in range(_HALVES):
        middle = (low + high) / 2
        one, other = (np.abs(tango_score(i, j, n, middle)) for i, j in tables)
        same = np.sign(one - other) == before
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    return np.unique(np.concatenate([grid, high]))


def _last(n: int, alpha: float, table: int, tried: Floats, kept: Flags) -> float:
    """Return the largest difference that is kept, from those that were tried."""
    at = int(np.flatnonzero(kept)[-1])
    if at == len(kept) - 1:
        return 1.0
    low, high = tried[at], tried[at + 1]
    while high - low > 1e-6:
        middle = (low + high) / 2
        if _p_values(n, middle)[table] > alpha:
            low = middle
        else:
            high = middle
    return float(high) if low else 0.0  # where the test jumps at 0, 0 is the last one kept


def _scores(n: int, difference: float) -> Floats:
    """Return how far from 0 the score of every table is."""
    score = np.abs(tango_score(*_tables(n), n, difference))
    return np.asarray(np.where(np.isfinite(score), score, np.inf))


def _p_values(n: int, difference: float) -> Floats:
    """Return for every table the largest chance, over the nuisance, of a score as far from 0."""
    b, c = _tables(n)
    score = _scores(n, difference)
    low, high = max(0.0, -difference), (1 - difference) / 2
    p = np.linspace(low, high, _SHARES)[:, None]
    q = np.maximum(p + difference, 0.0)
    ways = special.gammaln(n + 1) - special.gammaln(b + 1) - special.gammaln(c + 1)
    chance = np.exp(ways - special.gammaln(n - b - c + 1)) * p**b * q**c
    chance *= np.maximum(1 - p - q, 0.0) ** (n - b - c)
    order = np.argsort(-score, kind="stable")
    tails = _tops(np.cumsum(chance[:, order], axis=1))
    # Tables with the same score belong to one another's tail.
    ends = np.searchsorted(-score[order], -score + 1e-9 * np.maximum(1.0, score), side="right")
    return np.asarray(tails[ends - 1])


def _tops(curves: Floats) -> Floats:
    """Return the top of each column, by the parabola through the largest value and those beside."""
    at = np.clip(curves.argmax(axis=0), 1, len(curves) - 2)
    left, middle, right = (curves[at + k, np.arange(curves.shape[1])] for k in (-1, 0, 1))
    bend = np.maximum(2 * middle - left - right, 1e-300)
    inside = np.clip((right - left) / (2 * bend), -1.0, 1.0)
    top = middle + inside * (right - left) / 2 - inside**2 * bend / 2
    return np.asarray(np.maximum(top, curves.max(axis=0)))


@lru_cache(maxsize=16)
def _tables(n: int) -> tuple[Rows, Rows]:
    tables = [(b, c) for b in range(n + 1) for c in range(n + 1 - b)]
    b, c = np.array(tables).T
    return b, c
