"""Hashing: random projections pick candidates, which are ranked exactly; the recall is measured."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from referee.core.arrays import Floats, Rows
from referee.core.machine.compiling import compiled
from referee.core.results import Interval
from referee.errors import InputError
from referee.intervals.one_set.proportion import clopper_pearson
from referee.learners.neighbours.index.brute import BruteForce
from referee.learners.neighbours.index.distance import insert, reduced_distance, scan
from referee.learners.neighbours.index.neighbours import Neighbours

__all__ = ["Hashing", "Recall"]

_TABLES = 16
_MOST = 24
"""Projections a table may join."""

_WIDTH = 4.0
"""Width of a slot, in distances to the k-th neighbour; the value of Datar et al."""

_AIM = 0.95
"""Recall that the number of joined projections is chosen for."""

_TUNED, _MEASURED = 100, 300
"""Training rows on which that number is chosen, and others on which the recall is measured."""

Keys = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class Recall:
    """Which share of the true nearest rows a search finds.

    Attributes
    ----------
    value : float
        The share, over the training rows that were asked about (each apart from itself).
    interval : Interval
        Clopper-Pearson with the number of queries as n: shares vary no more than yes and no do.
    queries, k : int
        How many were asked about, and how many neighbours of each.
    compared : float
        How many rows were ranked for a query, on average.
    """

    value: float
    interval: Interval
    queries: int
    k: int
    compared: float

    def __str__(self) -> str:
        return (
            f"recall {self.value:.3f} ({self.interval.level:.0%} interval {self.interval.low:.3f} "
            f"to {self.interval.high:.3f}, {self.queries} queries, k = {self.k}), "
            f"{self.compared:.0f} rows ranked a query"
        )


@dataclass(frozen=True, eq=False)
class Hashing:
    """Locality-sensitive hashing by p-stable projections, as a filter before exact ranking.

    A projection sends x to the slot floor((a'x + b) / w), with the numbers of a drawn from a normal
    (p = 2) or Cauchy (p = 1) distribution and b uniformly from 0 to w. Rows that share all slots of
    a table are candidates; tables are many. The width is four times the median distance to the
    k-th neighbour, the number of projections joined the largest that finds a share of .95 of the
    neighbours of a sample. A query with fewer than k candidates is compared with all rows.

    Attributes
    ----------
    recall : Recall
        Measured on another sample.

    References
    ----------
    .. [1] M. Datar, N. Immorlica, P. Indyk, V. S. Mirrokni (2004). Locality-sensitive hashing
       scheme based on p-stable distributions. Symposium on Computational Geometry, 253-262.
    """

    X: Floats
    p: float
    directions: Floats
    offsets: Floats
    keys: Keys
    order: npt.NDArray[np.int32]
    recall: Recall

    @classmethod
    def of(cls, X: Floats, p: float = 2.0, k: int = 5, seed: int = 0) -> Hashing:
        """Choose widths and projections, hash all rows, and measure the recall."""
        if p not in (1, 2):
            raise InputError(
                "index='hashing' knows euclidean and manhattan distances (and those made of them)",
                value=f"p = {p:g}",
                remedy="use index='auto'",
            )
        rng = np.random.default_rng(seed)
        k = max(1, min(k, len(X) - 1))
        drawn = rng.permutation(len(X))[: _TUNED + _MEASURED]
        tuned, measured = np.array_split(drawn, [max(1, len(drawn) // 4)])
        near = _others(X, p, tuned, k)
        width = _WIDTH * float(np.median(near.reduced[:, -1]) ** (1 / p)) or 1.0
        draw = rng.normal if p == 2 else rng.standard_cauchy
        directions = draw(size=(X.shape[1], _TABLES * _MOST)) / width
        offsets = rng.uniform(size=_TABLES * _MOST)
        slots = np.floor(X @ directions + offsets)
        joined = _joined(slots, tuned, near.rows)
        used = (np.arange(_TABLES)[:, None] * _MOST + np.arange(joined)).ravel()
        keys = _keys(np.ascontiguousarray(slots[:, used]), joined)
        order = np.argsort(keys, axis=1, kind="stable").astype(np.int32)
        index = cls(
            X,
            p,
            directions[:, used],
            offsets[used],
            np.take_along_axis(keys, order, axis=1),
            order,
            _UNKNOWN,
        )
        return replace(index, recall=index._measured(measured, k))

    @property
    def name(self) -> str:
        """What it is called in ``index=``."""
        return "hashing"

    def query(self, Q: Floats, k: int) -> Neighbours:
        """Return the k nearest candidates of each query."""
        return self._searched(Q, k)[0]

    def _searched(self, Q: Floats, k: int) -> tuple[Neighbours, Rows]:
        joined = len(self.offsets) // _TABLES
        keys = _keys(np.floor(Q @ self.directions + self.offsets), joined)
        reduced, rows = np.empty((len(Q), k)), np.empty((len(Q), k), dtype=np.intp)
        compared = np.empty(len(Q), dtype=np.intp)
        _rank(self.X, Q, self.p, keys, self.keys, self.order, reduced, rows, compared)
        few = np.flatnonzero(compared < k)
        scan(self.X, Q, self.p, few, reduced, rows)
        compared[few] = len(self.X)
        return Neighbours(reduced, rows), compared

    def _measured(self, queries: Rows, k: int) -> Recall:
        if len(queries) == 0:
            return _UNKNOWN
        true = _others(self.X, self.p, queries, k).rows
        neighbours, compared = self._searched(self.X[queries], min(k + 1, len(self.X)))
        hits = np.array(
            [np.isin(t, f).mean() for t, f in zip(true, neighbours.rows, strict=True)], dtype=float
        )
        missed = len(hits) - float(hits.sum())
        interval = clopper_pearson(missed, len(hits)).complement()
        return Recall(float(hits.mean()), interval, len(hits), k, float(compared.mean()))


_UNKNOWN = Recall(float("nan"), clopper_pearson(0, 1), 0, 0, float("nan"))


def _others(X: Floats, p: float, queries: Rows, k: int) -> Neighbours:
    """Return the true nearest rows of training rows, apart from themselves."""
    neighbours = BruteForce.of(X, p).query(X[queries], min(k + 1, len(X)))
    own = neighbours.rows == queries[:, None]
    own[~own.any(axis=1), -1] = True  # among many equal rows, itself may not be listed
    shape = (len(queries), neighbours.rows.shape[1] - 1)
    if shape[1] == 0:
        return neighbours
    return Neighbours(neighbours.reduced[~own].reshape(shape), neighbours.rows[~own].reshape(shape))


def _joined(slots: Floats, queries: Rows, near: Rows) -> int:
    """Return the largest number of projections whose tables still find the neighbours."""
    same = slots[queries][:, None] == slots[near]
    tables = same.reshape(*near.shape, _TABLES, _MOST)
    shares = np.logical_and.accumulate(tables, axis=3).any(axis=2).mean(axis=(0, 1))
    return max(1, int((shares >= _AIM).sum()))


@compiled
def _keys(slots: Floats, joined: int) -> Any:
    """Return a key for the joined slots of each table, of shape (tables, rows)."""
    n, tables = len(slots), slots.shape[1] // joined
    keys = np.empty((tables, n), dtype=np.uint64)
    for i in range(n):
        for table in range(tables):
            key = np.uint64(0x9E3779B97F4A7C15)
            for j in range(joined):
                key ^= np.uint64(np.int64(slots[i, table * joined + j]))
                key *= np.uint64(0xBF58476D1CE4E5B9)
                key ^= key >> np.uint64(29)
            keys[table, i] = key
    return keys


@compiled
def _rank(
    X: Floats,
    Q: Floats,
    p: float,
    asked: Any,
    keys: Any,
    order: Any,
    reduced: Floats,
    rows: Rows,
    compared: Rows,
) -> None:
    """Rank the rows that share a key with a query in some table, each once."""
    k = rows.shape[1]
    seen = np.full(len(X), -1, dtype=np.int64)
    for i in range(len(Q)):
        reduced[i] = np.inf
        rows[i] = len(X)
        compared[i] = 0
        for table in range(len(keys)):
            key = asked[table, i]
            at = np.searchsorted(keys[table], key)
            while at < len(X) and keys[table, at] == key:
                row = order[table, at]
                at += 1
                if seen[row] == i:
                    continue
                seen[row] = i
                compared[i] += 1
                value = reduced_distance(Q[i], X[row], p)
                last = reduced[i, k - 1]
                if value < last or (value == last and row < rows[i, k - 1]):
                    insert(reduced[i], rows[i], value, row)
