"""Brute force: every distance, filtered by single-precision products, ranked exactly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from referee.core.arrays import Floats, Rows
from referee.core.machine.compiling import compiled
from referee.learners.neighbours.index.distance import insert, reduced_distance, scan
from referee.learners.neighbours.index.neighbours import Neighbours

__all__ = ["BruteForce", "filters", "room_for"]

_QUERIES, _ROWS = 128, 2048
"""A block of products: it stays in the second-level cache."""

_CHUNK = 64
"""Products compared at a time; few chunks hold a candidate. (Of 32, LLVM makes slow code.)"""

_LANES = 64
"""Smallest products of so many interleaved parts of a block set the first bar."""

_ROUNDING = 2.0**-24

_FARTHEST = 1e18
"""Lengths from which on squares leave single precision."""

_NARROW = 4
"""With fewer features than this, products save nothing over plain distances."""

Singles = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class BruteForce:
    """Computes the distances to all rows, O(n d) a query.

    For p = 2, |y|^2 - 2 x'y, which orders rows as the distance does, comes from one matrix product
    in single precision. With u = 2^-24 and rows of length a and b about the centre, it is off by at
    most u ((d + 3) / 2 + 4) (a + b)^2 =: e, so whatever is within 2 e of the k-th smallest product
    may be among the k nearest, and nothing else. Those few are ranked by plain distances in double
    precision: the answer does not depend on blocks or threads. Queries for which too many rows
    are that close (equal rows, grids) scan all rows.

    Attributes
    ----------
    X : array of shape (n, d)
        The rows.
    p : float
        Minkowski's power.
    """

    X: Floats
    p: float
    centre: Floats
    unit: float
    products: Singles
    reach: float

    @classmethod
    def of(cls, X: Floats, p: float = 2.0) -> BruteForce:
        """Make the index of rows."""
        centre = X.mean(axis=0)
        Z = X - centre
        unit = float(np.abs(Z).max()) or 1.0
        Z /= unit
        squares = (Z**2).sum(axis=1)
        products = np.empty((X.shape[1] + 1, len(X)), dtype=np.float32)
        products[:-1] = -2 * Z.T
        products[-1] = squares
        return cls(X, p, centre, unit, products, float(np.sqrt(squares.max())))

    @property
    def name(self) -> str:
        """What it is called in ``index=``."""
        return "brute"

    def query(self, Q: Floats, k: int) -> Neighbours:
        """Return the k nearest rows of each query."""
        reduced = np.empty((len(Q), k))
        rows = np.empty((len(Q), k), dtype=np.intp)
        left = np.arange(len(Q))
        if filters(self.p, self.X.shape[1]) and k < len(self.X):
            left = self._filtered(Q, reduced, rows)
        scan(self.X, Q, self.p, left, reduced, rows)
        return Neighbours(reduced, rows)

    def _filtered(self, Q: Floats, reduced: Floats, rows: Rows) -> Rows:
        """Fill lists by way of products; return the queries for which that did not work."""
        n, k = len(self.X), rows.shape[1]
        Z = (Q - self.centre) / self.unit
        with np.errstate(over="ignore"):
            length = np.sqrt((Z**2).sum(axis=1))
            allowed = (2 * _ROUNDING * (len(self.centre) / 2 + 5.5)) * (length + self.reach) ** 2
        singles = np.ones((len(Q), Z.shape[1] + 1), dtype=np.float32)
        singles[:, :-1] = np.where(length[:, None] < _FARTHEST, Z, 0.0)
        candidates = _Candidates.empty(min(len(Q), _QUERIES), k)
        block = np.empty((len(candidates.size), min(n, _ROWS)), dtype=np.float32)
        failed: list[Rows] = []
        for start in range(0, len(Q), _QUERIES):
            at = slice(start, min(start + _QUERIES, len(Q)))
            candidates.clear()
            for first in range(0, n, _ROWS):
                columns = self.products[:, first : first + _ROWS]
                product = block[: at.stop - start, : columns.shape[1]]
                np.matmul(singles[at], columns, out=product)
                _keep(product, first, allowed[at], *candidates.arrays)
            _rank(self.X, Q[at], *candidates.arrays, reduced[at], rows[at])
            # Products of what is beyond single precision filter nothing.
            beyond = ~(length[at] + self.reach < _FARTHEST)
            failed.append(start + np.flatnonzero((candidates.size[: at.stop - start] < 0) | beyond))
        return np.concatenate(failed)


def filters(p: float, d: int) -> bool:
    """Tell whether products in single precision filter the rows, or all are compared one by one."""
    return p == 2 and d >= _NARROW


def room_for(k: int) -> int:
    """Return how many candidates a query may have before all rows are compared."""
    return 4 * k + 64


@dataclass(frozen=True, eq=False)
class _Candidates:
    """For each query of a block: rows that may be among the nearest, and what decides on more.

    Attributes
    ----------
    values, rows : arrays of shape (queries, room)
        Products below the bar when they came, and their rows.
    size : array of int, shape (queries,)
        How many there are; -1 where there was no room.
    best : array of shape (queries, k)
        The smallest products, sorted.
    bar : array of shape (queries,)
        What a product must not exceed.
    """

    values: Singles
    rows: npt.NDArray[np.int32]
    size: Rows
    best: Singles
    bar: Singles

    @classmethod
    def empty(cls, queries: int, k: int) -> _Candidates:
        room = room_for(k)
        return cls(
            np.empty((queries, room), dtype=np.float32),
            np.empty((queries, room), dtype=np.int32),
            np.empty(queries, dtype=np.intp),
            np.empty((queries, k), dtype=np.float32),
            np.empty(queries, dtype=np.float32),
        )

    def clear(self) -> None:
        self.size[:] = 0
        self.best[:] = np.inf
        self.bar[:] = np.inf

    @property
    def arrays(self) -> tuple[Singles, Any, Rows, Singles, Singles]:
        return self.values, self.rows, self.size, self.best, self.bar


@compiled
def _keep(
    product: Singles,
    first: int,
    allowed: Floats,
    values: Singles,
    rows: Any,
    size: Rows,
    best: Singles,
    bar: Singles,
) -> None:
    """Add the products of a block that do not exceed the bar, which falls as they come in."""
    lanes = np.empty(_LANES, dtype=np.float32)
    for i in range(len(product)):
        line = product[i]
        if first == 0 and 2 * best.shape[1] <= _LANES and len(line) >= _LANES:
            bar[i] = _lifted(_first_bar(line, lanes, best.shape[1]), allowed[i])
        for start in range(0, len(line), _CHUNK):
            stop = min(start + _CHUNK, len(line))
            if stop - start < _CHUNK or _any_below(line[start:stop], bar[i]):
                for j in range(start, stop):
                    if line[j] <= bar[i]:
                        _add(line[j], first + j, allowed[i], values, rows, size, best, bar, i)


@compiled
def _first_bar(line: Singles, lanes: Singles, k: int) -> Any:
    """Return a product that at least k products do not exceed: the k-th smallest of lanes."""
    lanes[:] = line[:_LANES]
    for start in range(_LANES, len(line) - _LANES + 1, _LANES):
        chunk = line[start : start + _LANES]
        for j in range(_LANES):
            lanes[j] = chunk[j] if chunk[j] < lanes[j] else lanes[j]
    for j in range(1, _LANES):  # the first k are kept sorted
        value, at = lanes[j], min(j, k)
        if at == k and value >= lanes[k - 1]:
            continue
        at -= at == k
        while at > 0 and lanes[at - 1] > value:
            lanes[at] = lanes[at - 1]
            at -= 1
        lanes[at] = value
    return lanes[k - 1]


@njit(cache=True, nogil=True, inline="always")
def _lifted(product: float, allowed: float) -> Any:
    """Return the bar that a k-th product sets; the rounding of this sum must not lower it."""
    return np.nextafter(np.float32(product + allowed), np.float32(np.inf))


@njit(cache=True, nogil=True, inline="always")
def _any_below(chunk: Singles, limit: float) -> Any:
    below = np.int32(0)
    for j in range(_CHUNK):  # a sum of whole numbers, which compiles to vector instructions
        below += np.int32(chunk[j] <= limit)
    return below > 0


@compiled
def _add(
    value: float,
    row: int,
    allowed: float,
    values: Singles,
    rows: Any,
    size: Rows,
    best: Singles,
    bar: Singles,
    i: int,
) -> None:
    if size[i] == values.shape[1]:
        size[i] = _compressed(values[i], rows[i], bar[i])
        if 8 * size[i] > 7 * values.shape[1]:
            size[i] = -1
            bar[i] = -np.inf
            return
    values[i, size[i]] = value
    rows[i, size[i]] = row
    size[i] += 1
    at = best.shape[1] - 1
    if value < best[i, at]:
        while at > 0 and best[i, at - 1] > value:
            best[i, at] = best[i, at - 1]
            at -= 1
        best[i, at] = value
        bar[i] = min(bar[i], _lifted(best[i, -1], allowed))


@compiled
def _compressed(values: Singles, rows: Any, bar: float) -> int:
    """Drop what exceeds the bar by now; return how many are left."""
    kept = 0
    for j in range(len(values)):
        if values[j] <= bar:
            values[kept] = values[j]
            rows[kept] = rows[j]
            kept += 1
    return kept


@compiled
def _rank(
    X: Floats,
    Q: Floats,
    values: Singles,
    candidates: Any,
    size: Rows,
    best: Singles,
    bar: Singles,
    reduced: Floats,
    rows: Rows,
) -> None:
    """Sort candidates by (distance, row), distances in double precision."""
    k = rows.shape[1]
    for i in range(len(Q)):
        reduced[i] = np.inf
        rows[i] = len(X)
        for j in range(size[i]):
            if values[i, j] <= bar[i]:
                row = candidates[i, j]
                value = reduced_distance(Q[i], X[row], 2.0)
                last = reduced[i, k - 1]
                if value < last or (value == last and row < rows[i, k - 1]):
                    insert(reduced[i], rows[i], value, row)
