"""Lists: for some cases, the nearest of all cases, as far down as was asked for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from referee.core.arrays import Floats, Rows
from referee.learners.neighbours.index.choice import choose_index
from referee.learners.neighbours.index.neighbours import Index

__all__ = ["NeighbourLists", "Searched"]


@dataclass(frozen=True, eq=False)
class NeighbourLists:
    """The nearest cases of some cases, themselves included, nearest first.

    Attributes
    ----------
    place : array of int, shape (n,)
        Which list belongs to a case; -1 for none.
    reduced, rows : arrays of shape (lists, length)
        As in `Neighbours`.
    """

    place: Rows
    reduced: Floats
    rows: npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Searched:
    """All cases, in an index, to be asked for lists of any length.

    Attributes
    ----------
    values : array of shape (n, d)
        In the coordinates of the metric.
    index : Index
        An exact one.
    """

    values: Floats
    index: Index

    @classmethod
    def of(cls, values: Floats, p: float, k: int) -> Searched:
        """Put the cases into the index that suits them."""
        return cls(values, choose_index("auto", values, p=p, k=k).index)

    def lists(self, cases: Rows, length: int) -> NeighbourLists:
        """Return lists for distinct cases."""
        place = np.full(len(self.values), -1, dtype=np.intp)
        place[cases] = np.arange(len(cases))
        neighbours = self.index.query(self.values[cases], min(length, len(self.values)))
        return NeighbourLists(place, neighbours.reduced, neighbours.rows.astype(np.int32))
