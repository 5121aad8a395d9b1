"""Powers of Minkowski distances, compiled, and the sorted list of the nearest so far."""

from __future__ import annotations

import numpy as np
from numba import njit

from referee.core.arrays import Floats, Rows
from referee.core.machine.compiling import compiled

__all__ = ["insert", "reduced_distance", "scan"]


@njit(cache=True, nogil=True, inline="always")
def reduced_distance(x: Floats, y: Floats, p: float) -> float:
    """Return the sum of |x_j - y_j|^p in the order of features, or the largest difference."""
    total = 0.0
    if p == 2.0:
        for j in range(len(x)):
            step = x[j] - y[j]
            total += step * step
    elif p == 1.0:
        for j in range(len(x)):
            total += abs(x[j] - y[j])
    elif p == np.inf:
        for j in range(len(x)):
            total = max(total, abs(x[j] - y[j]))
    else:
        for j in range(len(x)):
            total += abs(x[j] - y[j]) ** p
    return total


@njit(cache=True, nogil=True, inline="always")
def insert(reduced: Floats, rows: Rows, value: float, row: int) -> None:
    """Put a row into its place of a full list, sorted by (distance, row); the last falls off."""
    at = len(rows) - 1
    while at > 0 and (reduced[at - 1] > value or (reduced[at - 1] == value and rows[at - 1] > row)):
        reduced[at] = reduced[at - 1]
        rows[at] = rows[at - 1]
        at -= 1
    reduced[at] = value
    rows[at] = row


@compiled
def scan(X: Floats, Q: Floats, p: float, which: Rows, reduced: Floats, rows: Rows) -> None:
    """Fill the lists of some queries by computing the distance to every row."""
    k = rows.shape[1]
    for i in which:
        reduced[i] = np.inf
        rows[i] = len(X)
        for row in range(len(X)):
            value = reduced_distance(Q[i], X[row], p)
            # Rows come in order, so an equal distance never moves an earlier row.
            if value < reduced[i, k - 1] or rows[i, k - 1] == len(X):
                insert(reduced[i], rows[i], value, row)
