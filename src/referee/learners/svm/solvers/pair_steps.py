"""Compiled loop: steps on pairs of coefficients, the pair chosen to second order."""

from __future__ import annotations

from typing import Any

import numpy as np

from referee.core.arrays import Floats, Rows
from referee.core.machine.compiling import compiled

__all__ = ["FLAT", "pair_steps"]

FLAT = 1e-12
"""Curvature below which a direction counts as flat, as in libsvm."""

_LEAST, _LARGEST = np.iinfo(np.int64).min, np.iinfo(np.int64).max


@compiled
def _extremes(slopes: Floats, rises: Any, falls: Any, i: int, j: int) -> tuple[int, int]:
    """Return the places of the largest slope that may rise and the smallest that may fall."""
    for t in range(len(slopes)):
        if rises[t] != 0 and slopes[t] > slopes[i]:
            i = t
        if falls[t] != 0 and slopes[t] < slopes[j]:
            j = t
    return i, j


@compiled
def pair_steps(
    store: Any,
    slot: Rows,
    diagonal: Floats,
    signed: Floats,
    low: Floats,
    high: Floats,
    slopes: Floats,
    tol: float,
    most: int,
) -> tuple[int, int]:
    """Ascend along pairs until the slopes agree to `tol`; return steps and the row that is missing.

    Problem: max y'b - b'Kb / 2, low <= b <= high, sum(b) kept. Update: with i the coefficient of
    the largest slope that may rise and j the one that gains most with it among those that may
    fall, (v_i - v_j)^2 / (K_ii + K_jj - 2 K_ij), b_i rises and b_j falls by the same amount, to
    the top of the parabola or to the box. Reference: R.-E. Fan, P.-H. Chen, C.-J. Lin (2005),
    Working set selection using second order information, JMLR 6.

    A largest element and its place come from one integer maximum: the bits of a float, which order
    like integers once those of negative numbers are flipped, with their last bits replaced by the
    place. Unlike comparisons of floats these fill vector registers.

    Parameters
    ----------
    store, slot : arrays
        Rows of K at hand, and where each is; -1 where it is not.
    signed, slopes : arrays, changed in place
        b and y - K b.

    Returns
    -------
    steps, missing : int
        `missing` is -1 unless the next step needs a row that is not in the store.
    """
    n = len(slopes)
    bits = 1
    while (1 << bits) < n:
        bits += 1
    place = np.int64((1 << bits) - 1)
    value = ~place
    rises = np.empty(n, np.int64)
    falls = np.empty(n, np.int64)
    for t in range(n):
        rises[t] = -1 if signed[t] < high[t] else 0
        falls[t] = -1 if signed[t] > low[t] else 0
    keys = slopes.view(np.int64)
    gains = np.empty(n)
    gain_keys = gains.view(np.int64)
    for steps in range(most + 1):
        best, worst = np.int64(_LEAST), np.int64(_LARGEST)
        for t in range(n):
            bare = keys[t]
            key = ((bare ^ ((bare >> 63) & _LARGEST)) & value) | t
            best = max(best, (key & rises[t]) | (_LEAST & ~rises[t]))
            worst = min(worst, (key & falls[t]) | (_LARGEST & ~falls[t]))
        if best == _LEAST or worst == _LARGEST or steps == most:
            return steps, -1
        i, lowest = int(best & place), int(worst & place)
        if slopes[i] - slopes[lowest] <= tol:
            # Keys lack the last bits; the end is decided by the slopes themselves.
            i, lowest = _extremes(slopes, rises, falls, i, lowest)
            if slopes[i] - slopes[lowest] <= tol:
                return steps, -1
        steepest = slopes[i]
        if slot[i] < 0:
            return steps, i
        first = store[slot[i]]
        own = diagonal[i]
        for t in range(n):
            drop = steepest - slopes[t]
            curvature = own + diagonal[t] - 2.0 * first[t]
            curvature = curvature if curvature > FLAT else FLAT
            drop = drop if drop > 0.0 else 0.0
            gains[t] = drop * drop / curvature
        top = np.int64(0)
        for t in range(n):
            top = max(top, ((gain_keys[t] & value) | t) & falls[t])
        j = int(top & place)
        if slot[j] < 0:
            return steps, j
        second = store[slot[j]]
        curvature = max(own + diagonal[j] - 2.0 * first[j], FLAT)
        room_i, room_j = high[i] - signed[i], signed[j] - low[j]
        step = min((steepest - slopes[j]) / curvature, room_i, room_j)
        # At an end of the box exactly, or rounding would leave a sliver.
        signed[i] = high[i] if step == room_i else signed[i] + step
        signed[j] = low[j] if step == room_j else signed[j] - step
        rises[i] = -1 if signed[i] < high[i] else 0
        falls[i] = -1 if signed[i] > low[i] else 0
        rises[j] = -1 if signed[j] < high[j] else 0
        falls[j] = -1 if signed[j] > low[j] else 0
        for t in range(n):
            slopes[t] -= step * (first[t] - second[t])
    return most, -1
