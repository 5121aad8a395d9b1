"""A Source: which file the rows of a table come from, and where in it they stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

__all__ = ["Source", "places"]


@dataclass(frozen=True)
class Source:
    """The file some rows were read from, and the place of each.

    Parameters
    ----------
    path : str
        The file as the user named it.
    lines : sequence of int
        For each row its number in the file, counted as an editor counts, from 1.
    unit : str
        What is counted: ``"line"`` for text files, ``"row"`` for Parquet.

    Examples
    --------
    >>> source = Source("data.csv", lines=range(2, 5))
    >>> source.place(0)
    'data.csv, line 2'
    >>> source.n_rows
    3
    """

    path: str
    lines: Sequence[int] = field(repr=False)
    unit: str = "line"

    @property
    def n_rows(self) -> int:
        """How many rows of the table this file holds."""
        return len(self.lines)

    def place(self, row: int) -> str:
        """Name the file and the line of one of its rows."""
        return f"{self.path}, {self.unit} {int(self.lines[row])}"


def places(sources: Sequence[Source], rows: Sequence[int], most: int = 5) -> str:
    """Name the files and lines of the first few of the given rows, and how many more there are.

    Parameters
    ----------
    sources : sequence of Source
        The files, in the order in which their rows were put together.
    rows : sequence of int
        Rows of the whole table, counted from 0, in ascending order.
    most : int
        How many to name.

    Examples
    --------
    >>> train, test = Source("a.csv", range(2, 5)), Source("b.csv", range(1, 4))
    >>> places([train, test], [0, 2, 3])
    'a.csv, lines 2, 4; b.csv, line 1'
    >>> places([train], [0, 1, 2], most=1)
    'a.csv, line 2 and 2 more'
    """
    shown = []
    start = 0
    for source in sources:
        here = [source.lines[r - start] for r in rows[:most] if 0 <= r - start < source.n_rows]
        if here:
            unit = source.unit + ("s" if len(here) > 1 else "")
            shown.append(f"{source.path}, {unit} {', '.join(str(int(line)) for line in here)}")
        start += source.n_rows
    more = f" and {len(rows) - most} more" if len(rows) > most else ""
    return "; ".join(shown) + more
