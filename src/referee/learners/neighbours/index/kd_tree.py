"""The k-d tree: flat arrays, tight boxes, exact or with a bound on what it may miss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit

from referee.core.arrays import Floats, Rows
from referee.core.machine.compiling import compiled
from referee.learners.neighbours.index.bound import EXACT, Bound
from referee.learners.neighbours.index.distance import insert, reduced_distance
from referee.learners.neighbours.index.neighbours import Neighbours

__all__ = ["KDTree"]

_LEAF = 16
"""Rows in the largest leaf."""

_LONG, _SAMPLED = 256, 31
"""Spans from which on a pivot is chosen with care, and of how many values."""

_SAFE = 1 - 1e-12
"""Boxes are pruned a little later than they could, for the rounding of their distances."""


@dataclass(frozen=True, eq=False)
class KDTree:
    """A balanced tree of boxes (Bentley 1975), split at the median of the widest side.

    Node i has children 2 i + 1 and 2 i + 2 and holds ``order[start[i]:stop[i]]``. A box is left out
    if nothing in it can be among the k nearest; with a `Bound`, if all it could save is what the
    bound allows. Then the promise holds for every rank r: if one of the r truly nearest rows was
    left out with its box, the k-th distance found by then, which the r-th one returned does not
    exceed, was within the bound of that box (Arya, Mount, Netanyahu, Silverman and Wu 1998).

    Attributes
    ----------
    p : float
        Minkowski's power, at least 1.
    points : array of shape (n, d)
        The rows, in the order of the leaves.
    order : array of int, shape (n,)
        Their row numbers.
    start, stop : array of int, shape (nodes,)
        The span of each node.
    low, high : array of shape (nodes, d)
        The smallest box around each node's rows.
    bound : Bound
        How far the search may be off.

    References
    ----------
    .. [1] J. L. Bentley (1975). Multidimensional binary search trees used for associative
       searching. Communications of the ACM 18, 509-517.
    .. [2] S. Arya, D. M. Mount, N. S. Netanyahu, R. Silverman, A. Y. Wu (1998). An optimal
       algorithm for approximate nearest neighbor searching in fixed dimensions. Journal of the
       ACM 45, 891-923.

    Examples
    --------
    >>> tree = KDTree.of(np.array([[0.0], [1.0], [5.0]]))
    >>> tree.query(np.array([[0.8]]), 2).rows.tolist()
    [[1, 0]]
    """

    p: float
    points: Floats
    order: Rows
    start: Rows
    stop: Rows
    low: Floats
    high: Floats
    bound: Bound = EXACT

    @classmethod
    def of(cls, X: Floats, p: float = 2.0, bound: Bound = EXACT) -> KDTree:
        """Grow the tree."""
        depth = max(0, int(np.ceil(np.log2(len(X) / _LEAF)))) if len(X) else 0
        nodes = 2 ** (depth + 1) - 1
        order = np.arange(len(X))
        points = X.copy()
        start, stop = np.empty(nodes, dtype=np.intp), np.empty(nodes, dtype=np.intp)
        low, high = np.empty((nodes, X.shape[1])), np.empty((nodes, X.shape[1]))
        _grow(points, order, start, stop, low, high)
        return cls(p, points, order, start, stop, low, high, bound)

    @property
    def name(self) -> str:
        """What it is called in ``index=``."""
        return "kd_tree"

    def query(self, Q: Floats, k: int) -> Neighbours:
        """Return k nearest rows of each query, as exact as the bound."""
        reduced, rows, _ = self._searched(Q, k)
        return Neighbours(reduced, rows)

    def work(self, Q: Floats, k: int) -> float:
        """Return how many rows a query is compared with, on average."""
        return float(self._searched(Q, k)[2] / len(Q))

    def _searched(self, Q: Floats, k: int) -> tuple[Floats, Rows, int]:
        reduced = np.empty((len(Q), k))
        rows = np.empty((len(Q), k), dtype=np.intp)
        relative = self.bound.eps if self.bound.kind == "relative" else 0.0
        additive = self.bound.eps if self.bound.kind == "additive" else 0.0
        compared = _search(
            Q,
            _visiting_order(Q),
            self.p,
            self.points,
            self.order,
            self.start,
            self.stop,
            self.low,
            self.high,
            relative,
            additive,
            reduced,
            rows,
        )
        return reduced, rows, compared


def _visiting_order(Q: Floats) -> Rows:
    """Return queries in an order in which neighbours in it tend to visit the same boxes."""
    if len(Q) < 1000:
        return np.arange(len(Q))
    order = np.arange(len(Q))
    points = Q.copy()
    nodes = 2 ** (int(np.log2(len(Q) / 32)) + 1) - 1
    spans = np.empty(nodes, dtype=np.intp), np.empty(nodes, dtype=np.intp)
    boxes = np.empty((nodes, Q.shape[1])), np.empty((nodes, Q.shape[1]))
    _grow(points, order, *spans, *boxes)
    return order


@compiled
def _grow(points: Floats, order: Rows, start: Rows, stop: Rows, low: Floats, high: Floats) -> None:
    nodes, d = low.shape
    start[0], stop[0] = 0, len(points)
    for node in range(nodes):
        first, last = start[node], stop[node]
        for j in range(d):
            least, most = np.inf, -np.inf
            for i in range(first, last):
                value = points[i, j]
                # Not min and max, which look after missing values and take three times as long.
                least = value if value < least else least
                most = value if value > most else most
            low[node, j], high[node, j] = least, most
        if 2 * node + 2 >= nodes:
            continue
        widest = 0
        for j in range(1, d):
            if high[node, j] - low[node, j] > high[node, widest] - low[node, widest]:
                widest = j
        middle = (first + last) // 2
        _split(points, order, first, last, middle, widest)
        start[2 * node + 1], stop[2 * node + 1] = first, middle
        start[2 * node + 2], stop[2 * node + 2] = middle, last


@compiled
def _split(points: Floats, order: Rows, first: int, last: int, middle: int, j: int) -> None:
    """Bring the smaller values of feature j to the left of the middle (Hoare's selection).

    In long spans the pivot is a value of a small sample, at the rank that is wanted (after Floyd
    and Rivest 1975): rows are gone through little more than once.
    """
    low, high = first, last - 1
    sample = np.empty(_SAMPLED)
    while low < high:
        pivot = points[(low + high) // 2, j]
        if high - low > _LONG:
            for s in range(_SAMPLED):
                value, at = points[low + s * (high - low) // (_SAMPLED - 1), j], s
                while at > 0 and sample[at - 1] > value:
                    sample[at] = sample[at - 1]
                    at -= 1
                sample[at] = value
            pivot = sample[(middle - low) * _SAMPLED // (high - low + 1)]
        a, b = low, high
        while a <= b:
            while points[a, j] < pivot:
                a += 1
            while points[b, j] > pivot:
                b -= 1
            if a <= b:
                for f in range(points.shape[1]):
                    points[a, f], points[b, f] = points[b, f], points[a, f]
                order[a], order[b] = order[b], order[a]
                a += 1
                b -= 1
        if middle <= b:
            high = b
        elif middle >= a:
            low = a
        else:
            break


@njit(cache=True, nogil=True, inline="always")
def _to_box(x: Floats, low: Floats, high: Floats, p: float) -> float:
    """Return the reduced distance to the nearest point of a box."""
    total = 0.0
    for j in range(len(x)):
        off = max(0.0, low[j] - x[j], x[j] - high[j])
        if p == 2.0:
            total += off * off
        elif p == 1.0:
            total += off
        elif p == np.inf:
            total = max(total, off)
        elif off > 0:
            total += off**p
    return total


@njit(cache=True, nogil=True, inline="always")
def _farthest(last: float, p: float, relative: float, additive: float) -> Any:
    """Return the reduced distance from which on a box can be left out."""
    if relative == 0.0 and additive == 0.0:
        return last
    if p == 2.0:
        distance = np.sqrt(last)
    elif p == 1.0 or p == np.inf:
        distance = last
    else:
        distance = last ** (1 / p)
    distance = max(0.0, distance / (1 + relative) - additive)
    if p == 2.0:
        return distance * distance
    if p == 1.0 or p == np.inf:
        return distance
    return distance**p


@compiled
def _search(
    Q: Floats,
    visits: Rows,
    p: float,
    points: Floats,
    order: Rows,
    start: Rows,
    stop: Rows,
    low: Floats,
    high: Floats,
    relative: float,
    additive: float,
    reduced: Floats,
    rows: Rows,
) -> int:
    nodes, k = len(start), rows.shape[1]
    waiting = np.empty(2 * 64, dtype=np.intp)
    nearest = np.empty(2 * 64)
    compared = 0
    for i in visits:
        x, distances, names = Q[i], reduced[i], rows[i]
        distances[:] = np.inf
        names[:] = len(points)
        farthest = np.inf
        waiting[0], nearest[0], size = 0, 0.0, 1
        while size > 0:
            size -= 1
            node = waiting[size]
            if nearest[size] * _SAFE > farthest:
                continue
            while 2 * node + 2 < nodes:
                left = _to_box(x, low[2 * node + 1], high[2 * node + 1], p)
                right = _to_box(x, low[2 * node + 2], high[2 * node + 2], p)
                other = max(left, right)
                if other * _SAFE <= farthest:
                    waiting[size] = 2 * node + (2 if left <= right else 1)
                    nearest[size] = other
                    size += 1
                node = 2 * node + (1 if left <= right else 2)
                if min(left, right) * _SAFE > farthest:
                    break
            else:
                compared += stop[node] - start[node]
                for at in range(start[node], stop[node]):
                    value = reduced_distance(x, points[at], p)
                    last = distances[k - 1]
                    if value < last or (value == last and order[at] < names[k - 1]):
                        insert(distances, names, value, order[at])
                farthest = _farthest(distances[k - 1], p, relative, additive)
    return compared
