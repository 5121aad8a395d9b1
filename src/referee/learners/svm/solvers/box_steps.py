"""Compiled loop: steps on pairs of coefficients that no constraint ties together."""

from __future__ import annotations

from typing import Any

import numpy as np

from referee.core.arrays import Floats, Rows
from referee.core.machine.compiling import compiled
from referee.learners.svm.solvers.pair_steps import FLAT

__all__ = ["box_steps"]


@compiled
def _clipped(value: float, low: float, high: float) -> float:
    return min(max(value, low), high)


@compiled
def _best_pair(
    vi: float, vj: float, kii: float, kjj: float, kij: float, box: Floats
) -> tuple[float, float]:
    """Return the moves of two coefficients that gain most; box holds their rooms down and up.

    A concave parabola over a rectangle has its maximum inside or on one of four edges.
    """
    det = kii * kjj - kij * kij
    if det > 1e-10 * kii * kjj:
        di, dj = (vi * kjj - vj * kij) / det, (vj * kii - vi * kij) / det
        if box[0] <= di <= box[1] and box[2] <= dj <= box[3]:
            return di, dj
    best, move_i, move_j = 0.0, 0.0, 0.0
    for edge in range(4):
        if edge < 2:
            di = box[edge]
            dj = _clipped((vj - kij * di) / max(kjj, FLAT), box[2], box[3])
        else:
            dj = box[edge]
            di = _clipped((vi - kij * dj) / max(kii, FLAT), box[0], box[1])
        gain = vi * di + vj * dj - 0.5 * (kii * di * di + kjj * dj * dj) - kij * di * dj
        if gain > best:
            best, move_i, move_j = gain, di, dj
    # One coefficient alone, the other at rest.
    for alone in range(2):
        di = _clipped(vi / max(kii, FLAT), box[0], box[1]) if alone == 0 else 0.0
        dj = _clipped(vj / max(kjj, FLAT), box[2], box[3]) if alone == 1 else 0.0
        gain = vi * di + vj * dj - 0.5 * (kii * di * di + kjj * dj * dj)
        if gain > best:
            best, move_i, move_j = gain, di, dj
    return move_i, move_j


@compiled
def _may_move(slope: float, signed: float, low: float, high: float) -> float:
    """Return a slope that may be followed, 0 where the box forbids it."""
    return slope if (slope > 0.0 and signed < high) or (slope < 0.0 and signed > low) else 0.0


@compiled
def box_steps(
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
    """Ascend until no slope above `tol` may be followed; return steps and the row that is missing.

    Problem: max y'b - b'Kb / 2, low <= b <= high, without a constraint on the sum. Update: i is
    the coefficient whose own step gains most, v_i^2 / K_ii; j the one with which it gains most, the
    box aside; both move to the maximum over their rectangle. Reference: I. Steinwart, D. Hush,
    C. Scovel (2011), Training SVMs without offset, JMLR 12.

    Parameters and returns are those of `pair_steps`.
    """
    n = len(slopes)
    box = np.empty(4)
    for steps in range(most):
        i, gain, largest = -1, -1.0, 0.0
        for t in range(n):
            slope = _may_move(slopes[t], signed[t], low[t], high[t])
            largest = max(largest, abs(slope))
            own = slope * slope / max(diagonal[t], FLAT)
            if own > gain:
                i, gain = t, own
        if largest <= tol:
            return steps, -1
        if slot[i] < 0:
            return steps, i
        first = store[slot[i]]
        vi, kii = slopes[i], diagonal[i]
        j, gain = -1, 0.0
        for t in range(n):
            slope = _may_move(slopes[t], signed[t], low[t], high[t])
            if t == i or slope == 0.0:
                continue
            # Flat pairs, such as equal cases of two classes, gain up to the corner of their box.
            square = kii * diagonal[t]
            det = max(square - first[t] * first[t], 1e-10 * square)
            if det <= 0.0:
                continue
            both = (vi * vi * diagonal[t] - 2.0 * vi * slope * first[t] + slope * slope * kii) / det
            if both > gain:
                j, gain = t, both
        if j >= 0 and slot[j] < 0:
            return steps, j
        if j < 0:
            move = _clipped(vi / max(kii, FLAT), low[i] - signed[i], high[i] - signed[i])
            signed[i] = _clipped(signed[i] + move, low[i], high[i])
            for t in range(n):
                slopes[t] -= move * first[t]
            continue
        box[0], box[1] = low[i] - signed[i], high[i] - signed[i]
        box[2], box[3] = low[j] - signed[j], high[j] - signed[j]
        move_i, move_j = _best_pair(vi, slopes[j], kii, diagonal[j], first[j], box)
        for at, move, down, up in ((i, move_i, box[0], box[1]), (j, move_j, box[2], box[3])):
            if move == up:
                signed[at] = high[at]
            elif move == down:
                signed[at] = low[at]
            else:
                signed[at] += move
        second = store[slot[j]]
        for t in range(n):
            slopes[t] -= move_i * first[t] + move_j * second[t]
    return most, -1
