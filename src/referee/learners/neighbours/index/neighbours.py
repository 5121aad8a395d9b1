"""Neighbours: what every index answers, and the order in which rows are nearest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from referee.core.arrays import Floats, Rows

__all__ = ["Index", "Neighbours"]


@dataclass(frozen=True, eq=False)
class Neighbours:
    """The nearest training rows of each query, nearest first, the lower row first among equals.

    Attributes
    ----------
    reduced : array of shape (queries, k)
        Sums of p-th powers of the differences (for p infinite, the largest difference), added up
        feature by feature: what is compared, so that equal means the same bits.
    rows : array of int, shape (queries, k)
        Training rows.
    """

    reduced: Floats
    rows: Rows


class Index(Protocol):
    """Finds nearest rows among those it was made of."""

    @property
    def name(self) -> str:
        """What it is called in ``index=``."""

    def query(self, Q: Floats, k: int) -> Neighbours:
        """Return the k nearest rows of each query."""
