"""Compiled loops: the very steps libsvm takes, from kernel values that are at hand.

libsvm stops within a tolerance of the optimum, so that its answers depend on every step. These
loops take the same steps in the same arithmetic: kernel values in single precision, all else in
double, the last of equals chosen, cases swapped when they are shrunk. With v = -y G in place of its
gradient G nothing but signs changes. Reference: C.-C. Chang, C.-J. Lin (2011), LIBSVM, a library
for support vector machines, ACM TIST 2, with R.-E. Fan, P.-H. Chen, C.-J. Lin (2005), JMLR 6, for
the choice of pairs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from referee.core.arrays import Floats, Rows
from referee.core.machine.compiling import compiled

__all__ = [
    "MOST_STEPS",
    "exponentials",
    "inner_products",
    "libsvm_kernel",
    "libsvm_solve",
    "libsvm_values",
    "square_distances",
]

_TAU = 1e-12

MOST_STEPS = 2_000_000
"""On data of a huge scale libsvm goes on for ever; after so many steps nobody waits any longer."""

_LEAST, _LARGEST = np.iinfo(np.int64).min, np.iinfo(np.int64).max


@compiled
def inner_products(X: Floats, products: Floats) -> None:
    """Fill a matrix with inner products, each by BLAS's ddot, which is what scikit-learn calls."""
    n = len(X)
    for i in range(n):
        for j in range(i, n):
            products[i, j] = np.dot(X[i], X[j])
            products[j, i] = products[i, j]


@compiled
def square_distances(X: Floats, distances: Floats) -> None:
    """Fill a matrix with squared distances, each from differences, as libsvm predicts with them.

    In training it takes them from inner products, which far from 0 is another number.
    """
    n = len(X)
    for i in range(n):
        for j in range(i, n):
            apart = X[i] - X[j]
            distances[i, j] = np.dot(apart, apart)
            distances[j, i] = distances[i, j]


@compiled
def exponentials(distances: Floats, gamma: float, values: Floats) -> None:
    """Fill in exp(-gamma distance), with the exponential that libsvm calls."""
    for i in range(values.shape[0]):
        for j in range(values.shape[1]):
            values[i, j] = np.exp(-gamma * distances[i, j])


@compiled
def libsvm_values(between: Floats, order: Rows, signed: Floats, rho: float, values: Floats) -> None:
    """Fill in the values at test cases, summed in libsvm's order: first class, then second.

    Parameters
    ----------
    between : array of shape (n_train, n_test)
        Kernel values in double precision.
    order, signed : arrays
        The training cases as libsvm sees them, and alpha y of each.
    """
    values[:] = 0.0
    for s in range(len(order)):
        move = signed[s]
        if move != 0.0:
            row = between[order[s]]
            for t in range(len(values)):
                values[t] += move * row[t]
    for t in range(len(values)):
        values[t] -= rho


@compiled
def libsvm_kernel(products: Floats, rows: Rows, gamma: float, K: Any, diagonal: Floats) -> None:
    """Fill the kernel matrix of some rows: Gaussian as libsvm computes it; linear if gamma is 0."""
    n = len(rows)
    for i in range(n):
        line, own = products[rows[i]], products[rows[i], rows[i]]
        for j in range(i, n):
            value = line[rows[j]]
            if gamma > 0.0:
                value = np.exp(-gamma * (own + products[rows[j], rows[j]] - 2 * value))
            K[i, j] = value
            K[j, i] = value
            if i == j:
                diagonal[i] = value


@compiled
def _rises(y: float, alpha: float, C: float) -> int:
    """Tell, as a mask, whether y alpha may rise."""
    return -1 if (alpha < C if y > 0 else alpha > 0.0) else 0


@compiled
def _falls(y: float, alpha: float, C: float) -> int:
    return -1 if (alpha > 0.0 if y > 0 else alpha < C) else 0


@compiled
def _last_largest(keys: Any, mask: Any, size: int) -> int:
    """Return the last place of the largest key among those in the mask, -1 if there is none."""
    best = np.int64(_LEAST)
    for t in range(size):
        best = max(best, (keys[t] & mask[t]) | (_LEAST & ~mask[t]))
    if best == _LEAST:
        return -1
    for t in range(size - 1, -1, -1):
        if keys[t] == best and mask[t] != 0:
            return t
    return -1


@compiled
def _select(
    K: Any,
    diagonal: Floats,
    v: Floats,
    rises: Any,
    falls: Any,
    gains: Floats,
    keys: Any,
    size: int,
    eps: float,
) -> tuple[int, int]:
    """Return the pair to work on, (-1, -1) where none violates optimality by eps."""
    bits = v.view(np.int64)
    for t in range(size):
        keys[t] = bits[t] ^ ((bits[t] >> 63) & _LARGEST)
    i = _last_largest(keys, rises, size)
    if i < 0:
        return -1, -1
    top, own, row = v[i], diagonal[i], K[i]
    for t in range(size):
        drop = top - v[t]
        curvature = own + diagonal[t] - 2.0 * row[t]
        curvature = curvature if curvature > 0.0 else _TAU
        gains[t] = (drop * drop) / curvature if drop > 0.0 else -1.0
    lowest = np.int64(_LARGEST)
    for t in range(size):
        lowest = min(lowest, (keys[t] & falls[t]) | (_LARGEST & ~falls[t]))
    if lowest == _LARGEST:
        return -1, -1
    least = np.int64(lowest ^ ((lowest >> 63) & _LARGEST))
    bottom = np.array([least]).view(np.float64)[0]
    j = _last_largest(gains.view(np.int64), falls, size)
    if top - bottom < eps or j < 0 or gains[j] < 0.0:
        return -1, -1
    return i, j


@compiled
def _swap(
    i: int,
    j: int,
    K: Any,
    diagonal: Floats,
    y: Floats,
    alpha: Floats,
    v: Floats,
    bar: Floats,
    C: Floats,
    rises: Any,
    falls: Any,
    who: Rows,
) -> None:
    """Exchange two cases everywhere."""
    for t in range(len(K)):
        K[i, t], K[j, t] = K[j, t], K[i, t]
    for t in range(len(K)):
        K[t, i], K[t, j] = K[t, j], K[t, i]
    diagonal[i], diagonal[j] = diagonal[j], diagonal[i]
    y[i], y[j] = y[j], y[i]
    alpha[i], alpha[j] = alpha[j], alpha[i]
    v[i], v[j] = v[j], v[i]
    bar[i], bar[j] = bar[j], bar[i]
    C[i], C[j] = C[j], C[i]
    rises[i], rises[j] = rises[j], rises[i]
    falls[i], falls[j] = falls[j], falls[i]
    who[i], who[j] = who[j], who[i]


@compiled
def _reconstruct(
    K: Any, y: Floats, alpha: Floats, v: Floats, bar: Floats, C: Floats, size: int
) -> None:
    """Bring the slopes of shrunk cases up to date: G = G_bar + p + free cases, one by one."""
    n = len(v)
    for t in range(size, n):
        v[t] = -y[t] * (bar[t] - 1.0)
    for s in range(size):
        if alpha[s] > 0.0 and alpha[s] < C[s]:
            move, row = y[s] * alpha[s], K[s]
            for t in range(size, n):
                v[t] -= move * row[t]


@compiled
def _held(rises: int, falls: int, v: float, up: float, down: float) -> bool:
    """Tell whether a case can be shrunk; up and down are the steepest slopes of the active."""
    if falls != 0 and rises == 0:
        return v > up
    if rises != 0 and falls == 0:
        return -v > down
    return False


@compiled
def _steepest(v: Floats, rises: Any, falls: Any, size: int) -> tuple[float, float]:
    up, down = -np.inf, -np.inf
    for t in range(size):
        if rises[t] != 0:
            up = max(up, v[t])
        if falls[t] != 0:
            down = max(down, -v[t])
    return up, down


@compiled
def _moved(
    yi: float,
    yj: float,
    ai: float,
    aj: float,
    gi: float,
    gj: float,
    Ci: float,
    Cj: float,
    curvature: float,
) -> tuple[float, float]:
    """Return two coefficients after a step, clipped in the order libsvm clips."""
    if yi != yj:
        delta, diff = (-gi - gj) / curvature, ai - aj
        ai, aj = ai + delta, aj + delta
        if diff > 0:
            if aj < 0:
                ai, aj = diff, 0.0
        elif ai < 0:
            ai, aj = 0.0, -diff
        if diff > Ci - Cj:
            if ai > Ci:
                ai, aj = Ci, Ci - diff
        elif aj > Cj:
            ai, aj = Cj + diff, Cj
        return ai, aj
    delta, total = (gi - gj) / curvature, ai + aj
    ai, aj = ai - delta, aj + delta
    if total > Ci:
        if ai > Ci:
            ai, aj = Ci, total - Ci
    elif aj < 0:
        ai, aj = total, 0.0
    if total > Cj:
        if aj > Cj:
            ai, aj = total - Cj, Cj
    elif ai < 0:
        ai, aj = 0.0, total
    return ai, aj


@compiled
def _rho(y: Floats, alpha: Floats, v: Floats, C: Floats) -> float:
    """Return what is subtracted from the sum over support vectors."""
    free, total, ub, lb = 0, 0.0, np.inf, -np.inf
    for t in range(len(v)):
        slope = -v[t]
        if alpha[t] >= C[t]:
            if y[t] < 0:
                ub = min(ub, slope)
            else:
                lb = max(lb, slope)
        elif alpha[t] <= 0.0:
            if y[t] > 0:
                ub = min(ub, slope)
            else:
                lb = max(lb, slope)
        else:
            free += 1
            total += slope
    return total / free if free > 0 else (ub + lb) / 2


@compiled
def libsvm_solve(
    kernel: Any,
    own: Floats,
    order: Rows,
    signs: Floats,
    cost: float,
    eps: float,
    shrinking: bool,
    signed: Floats,
) -> tuple[float, int]:
    """Fill `signed` with alpha y of the cases in `order`; return rho and the number of steps.

    Parameters
    ----------
    kernel, own : arrays of shape (N, N) and (N,)
        The kernel matrix in single, its diagonal in double precision.
    order : array of int
        The cases as libsvm sees them: the first class, then the second.
    signs : array of float
        1 for the first, -1 for the second class, in that order.
    """
    n = len(order)
    K = np.empty((n, n), kernel.dtype)
    diagonal = np.empty(n)
    for r in range(n):
        row, out = kernel[order[r]], K[r]
        diagonal[r] = own[order[r]]
        for c in range(n):
            out[c] = row[order[c]]
    y, v, who = signs.copy(), signs.copy(), np.arange(n)
    alpha, bar, C = np.zeros(n), np.zeros(n), np.full(n, cost)
    rises, falls = np.empty(n, np.int64), np.empty(n, np.int64)
    for t in range(n):
        rises[t], falls[t] = _rises(y[t], 0.0, cost), _falls(y[t], 0.0, cost)
    gains, keys = np.empty(n), np.empty(n, np.int64)
    size, steps, unshrunk = n, 0, False
    counter = min(n, 1000) + 1
    while True:
        counter -= 1
        if counter == 0:
            counter = min(n, 1000)
            if shrinking:
                up, down = _steepest(v, rises, falls, size)
                if not unshrunk and up + down <= eps * 10:
                    unshrunk = True
                    _reconstruct(K, y, alpha, v, bar, C, size)
                    size = n
                t = 0
                while t < size:
                    if _held(rises[t], falls[t], v[t], up, down):
                        size -= 1
                        while size > t:
                            if not _held(rises[size], falls[size], v[size], up, down):
                                _swap(t, size, K, diagonal, y, alpha, v, bar, C, rises, falls, who)
                                break
                            size -= 1
                    t += 1
        i, j = _select(K, diagonal, v, rises, falls, gains, keys, size, eps)
        if i < 0:
            _reconstruct(K, y, alpha, v, bar, C, size)
            size = n
            i, j = _select(K, diagonal, v, rises, falls, gains, keys, size, eps)
            if i < 0:
                break
            counter = 1
        steps += 1
        if steps >= MOST_STEPS:
            break
        first, second = K[i], K[j]
        curvature = diagonal[i] + diagonal[j] - 2.0 * first[j]
        curvature = curvature if curvature > 0.0 else _TAU
        before_i, before_j = alpha[i], alpha[j]
        alpha[i], alpha[j] = _moved(
            y[i], y[j], before_i, before_j, -y[i] * v[i], -y[j] * v[j], C[i], C[j], curvature
        )
        move_i, move_j = y[i] * (alpha[i] - before_i), y[j] * (alpha[j] - before_j)
        for t in range(size):
            v[t] -= first[t] * move_i + second[t] * move_j
        for s, before in ((i, before_i), (j, before_j)):
            was, now = before >= C[s], alpha[s] >= C[s]
            rises[s], falls[s] = _rises(y[s], alpha[s], C[s]), _falls(y[s], alpha[s], C[s])
            if was != now:
                change = C[s] if now else -C[s]
                row = K[s]
                for t in range(n):
                    bar[t] += change * (y[s] * y[t] * row[t])
    for t in range(n):
        signed[who[t]] = y[t] * alpha[t]
    return _rho(y, alpha, v, C), steps
