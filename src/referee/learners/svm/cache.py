"""The cache: rows of a kernel matrix that were used last, in a fixed amount of memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from referee.core.arrays import Floats, Rows
from referee.learners.svm.cases import Cases, finite_diagonal
from referee.learners.svm.problem import KernelRows

__all__ = ["SMALL", "GivenRows", "RowCache", "rows_of", "whole"]

SMALL = 2048
"""Up to this many cases, and where it fits, the whole matrix is made before anything else."""

_BLOCK = 256
"""Rows of the whole matrix that are made at once."""

_FEWEST = 8
"""Rows that are kept whatever the budget."""


class GivenRows:
    """A whole kernel matrix.

    Examples
    --------
    >>> GivenRows(np.eye(3)).slot.tolist()
    [0, 1, 2]
    """

    def __init__(
        self, K: npt.NDArray[Any], diagonal: Floats | None = None, *, evaluations: int = 0
    ) -> None:
        self.store = np.ascontiguousarray(K)
        self.slot = np.arange(len(K))
        self.diagonal = np.diagonal(K).astype(float) if diagonal is None else diagonal
        self.evaluations = evaluations

    def fetch(self, rows: Rows) -> None:
        """Do nothing: all rows are at hand."""


class RowCache:
    """The rows used last; others are made when they are asked for.

    Parameters
    ----------
    cases : Cases
        The n training cases.
    slots : int
        How many rows are kept.
    dtype : type
        Of the rows: float32 or float64.
    """

    def __init__(self, cases: Cases, *, slots: int, dtype: type) -> None:
        n = cases.n
        self._block = cases.blocks(dtype)
        self._shape, self._dtype = (slots, n), dtype
        self.store: npt.NDArray[Any] = np.empty(self._shape, dtype=dtype)
        self.slot = np.full(n, -1)
        self.diagonal = cases.diagonal()
        self.evaluations = 0
        self._held = np.full(slots, -1)
        self._used = np.zeros(slots, dtype=np.intp)
        self._clock = 0

    def forget(self) -> None:
        """Give the memory of the rows back, for the rows of someone else."""
        self.store = np.empty((0, self._shape[1]), dtype=self._dtype)
        self.slot[:], self._held[:] = -1, -1

    def remember(self) -> None:
        """Take memory for rows again, if it was given back."""
        if not len(self.store):
            self.store = np.empty(self._shape, dtype=self._dtype)

    def fetch(self, rows: Rows) -> None:
        """Bring rows into the store in place of those unused for longest."""
        self._clock += 1
        here = self.slot[rows]
        self._used[here[here >= 0]] = self._clock
        missing = rows[here < 0]
        if not len(missing):
            return
        places = np.sort(np.argsort(self._used, kind="stable")[: len(missing)])
        dropped = self._held[places]
        self.slot[dropped[dropped >= 0]] = -1
        self._fill(missing, places)
        self.slot[missing], self._held[places] = places, missing
        self._used[places] = self._clock
        self.evaluations += len(missing) * self.store.shape[1]

    def _fill(self, rows: Rows, places: Rows) -> None:
        """Make rows right where they will stay, as far as places lie side by side."""
        ends = np.flatnonzero(np.diff(places) != 1) + 1
        if len(ends) > len(places) // 16:
            step = spare_rows(len(self.store))
            for start in range(0, len(places), step):
                some = slice(start, start + step)
                self.store[places[some]] = self._block(rows[some])
            return
        for run in np.split(np.arange(len(places)), ends):
            first, last = places[run[0]], places[run[-1]]
            self._block(rows[run], self.store[first : last + 1])


def rows_of(cases: Cases, *, cache_mb: float, dtype: type = np.float32) -> KernelRows:
    """Return the whole kernel matrix where cases are few and it fits, else a cache of rows.

    Values of a whole matrix are computed in double precision and then rounded to `dtype`, so that
    they hardly ever depend on the block they were computed in; rows of a cache are computed in it.
    """
    n, diagonal = cases.n, finite_diagonal(cases)
    slots = int(cache_mb * 2**20 / (n * np.dtype(dtype).itemsize))
    if slots >= n and n <= SMALL:
        return GivenRows(whole(cases, dtype), diagonal, evaluations=n * n)
    slots -= spare_rows(slots)
    return RowCache(cases, slots=min(n, max(_FEWEST, slots)), dtype=dtype)


def spare_rows(slots: int) -> int:
    """Return how many rows are made at once beside the cache; they count in its budget."""
    return max(1, min(256, slots // 8))


def whole(cases: Cases, dtype: type) -> npt.NDArray[Any]:
    """Return the whole kernel matrix, computed in double precision and rounded."""
    from referee.kernels.loops import mirror

    n = cases.n
    upper = cases.upper()
    K: npt.NDArray[Any] = np.empty((n, n), dtype=dtype)
    for start in range(0, n, _BLOCK):
        stop = min(start + _BLOCK, n)
        with np.errstate(over="ignore"):  # who trains looks for what is too large
            K[start:stop, start:] = upper(start, stop)
        mirror(K, start, stop)
    return K
