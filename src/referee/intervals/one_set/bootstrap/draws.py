"""Bootstrap counts in compiled loops: how often each case is drawn, class by class.

A stratified resample of a class of size m is a multinomial vector of m draws. Independent Poisson
counts with a mean a little below 1 are multinomial given their sum, so they are filled in with one
vectorised pass and topped up by single draws to exactly m; in the rare case that they exceed m
they are drawn again. That is exact, and several times faster than m single draws.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy
from numba import uint8, uint32, uint64

from referee.core.arrays import Flags, Floats
from referee.core.machine.compiling import compiled

__all__ = ["draw_counts", "masks", "mean_replicates", "next_random", "thresholds"]

_SMALL = 1024
"""Classes below this size are drawn one by one; the Poisson detour would not pay."""

_TERMS = 10
"""Counts of more than ten have a probability below 1e-8 and come from topping up alone."""


def thresholds(positive: Flags) -> Any:
    """Return 32-bit thresholds of the Poisson distribution for the larger of the classes."""
    sizes = [int(m) for m in (positive.sum(), (~positive).sum()) if m >= _SMALL]
    mean = 1 - 4 / np.sqrt(min(sizes)) if sizes else 0.0
    below = np.floor(scipy.stats.poisson.cdf(np.arange(_TERMS), mean) * 2.0**32)
    return np.minimum(below, 2.0**32 - 1).astype(np.uint32)


@compiled
def next_random(state: Any) -> Any:  # pragma: no cover - compiled
    """Advance a splitmix64 generator held in a one-element array."""
    state[0] += uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> uint64(27))) * uint64(0x94D049BB133111EB)
    return z ^ (z >> uint64(31))


@compiled
def _fill(counts: Any, mask: Any, seed: Any, t: Any) -> Any:  # pragma: no cover - compiled
    """Fill Poisson counts; return their sum and the sum over positives (mask 255)."""
    t0, t1, t2, t3, t4 = t[0], t[1], t[2], t[3], t[4]
    t5, t6, t7, t8, t9 = t[5], t[6], t[7], t[8], t[9]
    first, second = uint32(seed), uint32(seed >> uint64(32))
    total, hits = uint32(0), uint32(0)
    for i in range(counts.shape[0]):
        # A counter, hashed with two seeds in turn: no state between turns, so it vectorises.
        u = uint32(uint32(i) * uint32(0x9E3779B9) + first)
        u = uint32(u ^ uint32(u >> uint32(16)))
        u = uint32(u * uint32(0x7FEB352D))
        u = uint32(u ^ uint32(u >> uint32(15)))
        u = uint32(u + second)
        u = uint32(u * uint32(0x846CA68B))
        u = uint32(u ^ uint32(u >> uint32(16)))
        c = uint32(u >= t0) + uint32(u >= t1) + uint32(u >= t2) + uint32(u >= t3) + uint32(u >= t4)
        c += uint32(u >= t5) + uint32(u >= t6) + uint32(u >= t7) + uint32(u >= t8) + uint32(u >= t9)
        counts[i] = uint8(c)
        total = uint32(total + uint32(c))
        hits = uint32(hits + uint32(uint32(c) & uint32(mask[i])))
    return np.int64(total), np.int64(hits)


@compiled
def _add(counts: Any, rows: Any, times: Any, state: Any) -> None:  # pragma: no cover - compiled
    """Draw `times` of the rows, with replacement."""
    m = uint64(rows.shape[0])
    for _ in range(times):
        at = ((next_random(state) >> uint64(32)) * m) >> uint64(32)
        counts[rows[np.int64(at)]] += uint8(1)


@compiled
def draw_counts(
    counts: Any, mask: Any, hits: Any, misses: Any, t: Any, state: Any
) -> None:  # pragma: no cover - compiled
    """Fill `counts` with one stratified resample of the positives and of the negatives.

    `mask` is 255 for positives and 0 for negatives; `hits` and `misses` are their rows.
    """
    n_hits, n_misses = hits.shape[0], misses.shape[0]
    if n_hits < _SMALL and n_misses < _SMALL:
        counts[:] = 0
        _add(counts, hits, n_hits, state)
        _add(counts, misses, n_misses, state)
        return
    while True:
        total, of_hits = _fill(counts, mask, next_random(state), t)
        of_misses = total - of_hits
        if n_hits < _SMALL:
            counts[hits] = 0
            of_hits = 0
        if n_misses < _SMALL:
            counts[misses] = 0
            of_misses = 0
        if of_hits <= n_hits and of_misses <= n_misses:
            break
    _add(counts, hits, n_hits - of_hits, state)
    _add(counts, misses, n_misses - of_misses, state)


def mean_replicates(sums: Floats, sizes: Floats, rounds: int, seed: int) -> Floats:
    """Return replicates of sum(sums) / sum(sizes), drawing cases with replacement.

    Examples
    --------
    >>> drawn = mean_replicates(np.arange(5000.0), np.ones(5000), 200, 0)
    >>> bool(abs(drawn.mean() - 2499.5) < 10)
    True
    """
    everyone = np.ones(len(sums), dtype=bool)
    out = np.empty(rounds)
    _means(sums, sizes, *masks(everyone), thresholds(everyone), np.uint64(seed), out)
    return out


@compiled
def _means(
    sums: Any, sizes: Any, mask: Any, hits: Any, misses: Any, t: Any, seed: Any, out: Any
) -> None:  # pragma: no cover - compiled
    counts = np.zeros(mask.shape[0], np.uint8)
    state = np.array([seed], np.uint64)
    for r in range(out.shape[0]):
        draw_counts(counts, mask, hits, misses, t, state)
        top, bottom = 0.0, 0.0
        for i in range(counts.shape[0]):
            top += counts[i] * sums[i]
            bottom += counts[i] * sizes[i]
        out[r] = top / bottom


def masks(positive: Flags) -> tuple[Any, Any, Any]:
    """Return the mask of positives and the rows of positives and negatives."""
    mask = np.where(positive, 255, 0).astype(np.uint8)
    return mask, np.flatnonzero(positive), np.flatnonzero(~positive)
