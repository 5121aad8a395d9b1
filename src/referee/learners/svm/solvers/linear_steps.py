"""Compiled loop: epochs of steps on single coefficients of a linear machine, dense or sparse."""

from __future__ import annotations

from typing import Any

import numpy as np

from referee.core.arrays import Floats, Rows
from referee.core.machine.compiling import compiled_sums
from referee.learners.svm.solvers.prefetch import prefetch

__all__ = ["BOUND", "RIDGE", "SIGN", "SQUARE", "VALUE", "linear_epoch"]

VALUE, SIGN, BOUND, RIDGE, SQUARE = range(5)
"""What is kept of every coefficient, side by side, for one look at memory: alpha, y and so on."""

_AHEAD = 4
"""Steps for which memory is asked for in advance."""

_LINE = 8
"""Numbers in a cache line."""


@compiled_sums
def _shuffle(order: Rows, count: int, state: Any) -> None:
    """Put the first elements into a random order (Fisher, Yates; xorshift64*, Vigna 2016)."""
    x = state[0]
    for s in range(count - 1, 0, -1):
        x ^= x >> np.uint64(12)
        x ^= x << np.uint64(25)
        x ^= x >> np.uint64(27)
        bits = (x * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(32)
        other = np.int64((bits * np.uint64(s + 1)) >> np.uint64(32))
        order[s], order[other] = order[other], order[s]
    state[0] = x


@compiled_sums
def _ask(dense: Any, data: Any, indices: Any, starts: Any, cases: Floats, i: int) -> None:
    """Fetch what a step on the i-th coefficient will need."""
    prefetch(cases[i], 0)
    if dense is not None:
        row = dense[i]
        for t in range(0, len(row), _LINE):
            prefetch(row, t)
    if data is not None:
        for p in range(starts[i], starts[i + 1], _LINE):
            prefetch(data, p)
        for p in range(starts[i], starts[i + 1], 2 * _LINE):
            prefetch(indices, p)


@compiled_sums
def linear_epoch(
    dense: Any,
    data: Any,
    indices: Any,
    starts: Any,
    constant: float,
    cases: Floats,
    weights: Floats,
    order: Rows,
    active: int,
    limits: Floats,
    state: Any,
) -> int:
    """Take a step on every active coefficient, in random order; return how many stay active.

    Problem: max sum(alpha) - |w|^2 / 2 - sum(ridge alpha^2) / 2 over 0 <= alpha <= bound with
    w = sum alpha_i y_i x_i. Update: alpha_i -= G / (|x_i|^2 + ridge_i), clipped, with the slope
    G = y_i <w, x_i> - 1 + ridge_i alpha_i; w follows. A coefficient held at an end of its box by
    more than the largest violation of the last epoch is left out from then on. Reference:
    C.-J. Hsieh et al. (2008), A dual coordinate descent method for large-scale linear SVM, ICML,
    algorithm 3.

    Parameters
    ----------
    dense : array of shape (n, d) or None
        The rows; or else `data`, `indices`, `starts` of a CSR matrix, None where dense.
    constant : float
        A feature with this value for every row, whose weight is the last; 0 for none.
    cases : array of shape (n, 8), changed in place
        The coefficient of each row, its class, bound, ridge, and |x|^2 + ridge with the constant.
    weights, order : arrays, changed in place
    limits : array of shape (2,), changed in place
        The largest and smallest projected slope of the last epoch; those of this one on return.
    state : array of uint64, shape (1,), changed in place
        Of the random numbers.
    """
    d = len(weights) - 1
    _shuffle(order, active, state)
    largest, smallest = -np.inf, np.inf
    above = limits[0] if limits[0] > 0.0 else np.inf
    below = limits[1] if limits[1] < 0.0 else -np.inf
    s = 0
    while s < active:
        i = order[s]
        if s + _AHEAD < active:
            _ask(dense, data, indices, starts, cases, order[s + _AHEAD])
        product = constant * weights[d]
        if dense is not None:
            row = dense[i]
            for t in range(d):
                product += row[t] * weights[t]
        if data is not None:
            values = data[starts[i] : starts[i + 1]]
            places = indices[starts[i] : starts[i + 1]]
            for t in range(len(values)):
                product += values[t] * weights[places[t]]
        case = cases[i]
        alpha, sign, bound = case[VALUE], case[SIGN], case[BOUND]
        slope = sign * product - 1.0 + case[RIDGE] * alpha
        if (alpha == 0.0 and slope > above) or (alpha == bound and slope < below):
            active -= 1
            order[s], order[active] = order[active], order[s]
            continue
        projected = slope
        if alpha == 0.0:
            projected = min(slope, 0.0)
        elif alpha == bound:
            projected = max(slope, 0.0)
        largest, smallest = max(largest, projected), min(smallest, projected)
        if abs(projected) > 1e-12:
            moved = min(max(alpha - slope / case[SQUARE], 0.0), bound)
            case[VALUE] = moved
            move = (moved - alpha) * sign
            weights[d] += move * constant
            if dense is not None:
                for t in range(d):
                    weights[t] += move * row[t]
            if data is not None:
                for t in range(len(values)):
                    weights[places[t]] += move * values[t]
        s += 1
    limits[0], limits[1] = largest, smallest
    return active
