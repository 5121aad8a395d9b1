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

__all__ = ["draw_counts", "in_lanes", "masks", "mean_replicates", "next_random", "thresholds"]

_SMALL = 1024
"""Classes below this size are drawn one by one; the Poisson detour would not pay."""

_BLOCK = 2048
"""Cases whose counts are drawn at a time."""

_GOLDEN = uint32(0x9E3779B9)

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
def _hash(
    out: Any, start: Any, step: Any, offset: Any, second: Any
) -> None:  # pragma: no cover - compiled
    """Hash the numbers (start + i) step + offset: no state between turns, so it vectorises."""
    for i in range(out.shape[0]):
        u = uint32(uint32(start + i) * step + offset)
        u = uint32(u ^ uint32(u >> uint32(16)))
        u = uint32(u * uint32(0x7FEB352D))
        u = uint32(u ^ uint32(u >> uint32(15)))
        u = uint32(u + second)
        u = uint32(u * uint32(0x846CA68B))
        out[i] = uint32(u ^ uint32(u >> uint32(16)))


@compiled
def _count(hashes: Any, t: Any, counts: Any) -> None:  # pragma: no cover - compiled
    """Write how many thresholds each hash reaches."""
    t0, t1, t2, t3, t4 = t[0], t[1], t[2], t[3], t[4]
    t5, t6, t7, t8, t9 = t[5], t[6], t[7], t[8], t[9]
    for i in range(hashes.shape[0]):
        u = hashes[i]
        c = uint32(u >= t0) + uint32(u >= t1) + uint32(u >= t2) + uint32(u >= t3) + uint32(u >= t4)
        c += uint32(u >= t5) + uint32(u >= t6) + uint32(u >= t7) + uint32(u >= t8) + uint32(u >= t9)
        counts[i] = uint8(c)


@compiled
def _sums(counts: Any, mask: Any) -> Any:  # pragma: no cover - compiled
    """Return the sum of the counts, and that over positives (mask 255)."""
    total, hits = uint32(0), uint32(0)
    for i in range(counts.shape[0]):
        total = uint32(total + uint32(counts[i]))
        hits = uint32(hits + uint32(uint32(counts[i]) & uint32(mask[i])))
    return np.int64(total), np.int64(hits)


@compiled
def _fill(
    counts: Any, mask: Any, seed: Any, t: Any, n: Any, lanes: Any
) -> Any:  # pragma: no cover - compiled
    """Fill Poisson counts; return their sum and the sum over positives.

    A counter of the cases is hashed with two seeds, compared with thresholds and summed up, one
    after the other for a block that stays in the cache: all at once is too much for the registers,
    and takes three times as long.
    """
    first, second = uint32(seed), uint32(seed >> uint64(32))
    hashes = np.empty(_BLOCK, np.uint32)
    deep = counts.shape[0] // lanes
    for j in range(deep):
        line = counts[j * lanes : (j + 1) * lanes]
        offset = uint32(uint32(j) * _GOLDEN + first)
        for a in range(0, lanes, _BLOCK):
            some = line[a : a + _BLOCK]
            u = hashes[: some.shape[0]]
            _hash(u, a, uint32(uint32(deep) * _GOLDEN), offset, second)
            _count(u, t, some)
    for case in range(n, counts.shape[0]):  # places without a case
        counts[case % deep * lanes + case // deep] = uint8(0)
    return _sums(counts, mask)


@compiled
def _add(counts: Any, rows: Any, times: Any, state: Any) -> None:  # pragma: no cover - compiled
    """Draw `times` of the rows, with replacement."""
    m = uint64(rows.shape[0])
    for _ in range(times):
        at = ((next_random(state) >> uint64(32)) * m) >> uint64(32)
        counts[rows[np.int64(at)]] += uint8(1)


@compiled
def draw_counts(
    counts: Any, mask: Any, hits: Any, misses: Any, t: Any, state: Any, lanes: Any = 0
) -> None:  # pragma: no cover - compiled
    """Fill `counts` with one stratified resample of the positives and of the negatives.

    `mask` is 255 for positives and 0 for negatives; `hits` and `misses` are their rows. With
    `lanes`, rows are places as `in_lanes` has them; what is drawn does not depend on that.
    """
    n_hits, n_misses = hits.shape[0], misses.shape[0]
    if n_hits < _SMALL and n_misses < _SMALL:
        counts[:] = 0
        _add(counts, hits, n_hits, state)
        _add(counts, misses, n_misses, state)
        return
    while True:
        cases = n_hits + n_misses
        total, of_hits = _fill(counts, mask, next_random(state), t, cases, lanes or cases)
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


def in_lanes(positive: Flags, lanes: int) -> tuple[Any, Any, Any]:
    """Return `masks` of cases that are dealt out: each lane holds a run of them.

    The j-th case of every lane stands beside those of all other lanes, so that what is summed up
    along the cases is summed up in all lanes at once. Places that are left over hold no case.

    Examples
    --------
    >>> mask, hits, misses = in_lanes(np.array([True, True, False, True, False]), 2)
    >>> mask.tolist(), hits.tolist(), misses.tolist()
    ([255, 255, 255, 0, 0, 0], [0, 2, 1], [4, 3])
    """
    deep = -(-len(positive) // lanes)
    case = np.arange(len(positive))
    place = case % deep * lanes + case // deep
    mask = np.zeros(deep * lanes, dtype=np.uint8)
    mask[place[positive]] = 255
    return mask, place[positive], place[~positive]
