"""The nearest case by direct sums of squares; of equally near cases the first row."""

from __future__ import annotations

import numpy as np
from numba import njit

from referee.core.arrays import Floats, Rows
from referee.core.machine.compiling import compiled

__all__ = ["nearest_rows", "squared_distance"]


@njit(cache=True, nogil=True, inline="always")
def squared_distance(a: Floats, b: Floats) -> float:
    """Return the sum of squared differences, feature by feature."""
    total = 0.0
    for f in range(len(a)):
        gap = a[f] - b[f]
        total += gap * gap
    return total


@compiled
def _nearest(queries: Floats, cases: Floats, nearest: Rows) -> None:
    for q in range(len(queries)):
        best = np.inf
        for c in range(len(cases)):
            distance = squared_distance(queries[q], cases[c])
            if distance < best:
                best = distance
                nearest[q] = c


def nearest_rows(queries: Floats, cases: Floats) -> Rows:
    """Return, for every query, the row of the nearest case, the first one of several.

    Distances are summed directly rather than from norms and products, so that equal distances of
    exact numbers come out equal and the first row wins, whatever other cases there are.

    Examples
    --------
    >>> nearest_rows(np.array([[1.0], [9.0]]), np.array([[0.0], [2.0], [8.0]])).tolist()
    [0, 2]
    """
    nearest = np.zeros(len(queries), dtype=np.intp)
    _nearest(np.ascontiguousarray(queries), np.ascontiguousarray(cases), nearest)
    return nearest
