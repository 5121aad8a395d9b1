"""Columns of a table as they are held: numbers as floats, words as numbers of different words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from referee.core.arrays import Anything
from referee.sources.tables.cells import texts

__all__ = ["Coded", "Columns", "Held", "Spelled"]


@dataclass(frozen=True, eq=False)
class Coded:
    """A column of words of which few are different.

    Attributes
    ----------
    codes : array of int
        For each row which of the words it holds.
    kinds : array of object
        The different words in order of appearance, and None if a value is missing.

    Examples
    --------
    >>> Coded(np.array([0, 1, 0], dtype=np.uint8), texts(["red", None])).array().tolist()
    ['red', None, 'red']
    """

    codes: Any
    kinds: Anything

    def array(self) -> Anything:
        """Return the words, row by row."""
        values: Anything = self.kinds[self.codes]
        return values

    def take(self, rows: Any) -> Coded:
        """Return the column of some rows."""
        return Coded(self.codes[rows], self.kinds)


@dataclass(frozen=True, eq=False)
class Spelled:
    """A column of words of which many are different, as polars packs them.

    Attributes
    ----------
    series : polars.Series
    """

    series: Any

    def array(self) -> Anything:
        """Return the words, row by row."""
        return texts(self.series.to_list())

    def take(self, rows: Any) -> Spelled:
        """Return the column of some rows."""
        rows = np.asarray(rows)
        at = np.flatnonzero(rows) if rows.dtype == bool else rows
        return Spelled(self.series.gather(at))


Held: TypeAlias = "Anything | Coded | Spelled"
"""A column as it is held: an array of floats, or words packed in one of two ways."""


class Columns(Mapping[str, Anything]):
    """The columns of a table by name; words are unpacked whenever their column is asked for.

    Examples
    --------
    >>> held = {"x": np.array([1.0]), "y": Coded(np.array([0], dtype=np.uint8), texts(["no"]))}
    >>> columns = Columns(held)
    >>> list(columns), columns["y"].tolist(), columns.held("y").kinds.tolist()
    (['x', 'y'], ['no'], ['no'])
    """

    def __init__(self, held: Mapping[str, Held]) -> None:
        self._held = dict(held)

    def __getitem__(self, name: str) -> Anything:
        column = self._held[name]
        return column.array() if isinstance(column, (Coded, Spelled)) else column

    def __iter__(self) -> Iterator[str]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)

    def __contains__(self, name: object) -> bool:
        return name in self._held

    def held(self, name: str) -> Held:
        """Return a column packed as it is."""
        return self._held[name]

    def take(self, rows: Any) -> Columns:
        """Return the columns of some rows."""
        return Columns(
            {
                name: column.take(rows) if isinstance(column, (Coded, Spelled)) else column[rows]
                for name, column in self._held.items()
            }
        )
