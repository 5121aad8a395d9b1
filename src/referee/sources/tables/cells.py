"""Cells: what a piece of text in a table means: missing, a number, or a word."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referee.core.arrays import Anything, Floats
from referee.errors import TableError
from referee.sources.tables.source import Source

__all__ = [
    "MISSING",
    "QUOTES",
    "clean",
    "column_of",
    "numbers",
    "refuse_infinite",
    "texts",
    "too_long",
    "words",
]

MISSING = frozenset({"", "?", "NA", "N/A", "nan", "NaN", "null", "NULL"})
"""The ways to write that a value is missing."""

QUOTES = ("'", '"')
"""What may stand around a cell."""


def clean(cell: str) -> str:
    """Remove the blanks around a cell, and then matching quotes and the blanks inside them.

    Examples
    --------
    >>> clean("  '-1' "), clean(' >50K'), clean("'tis")
    ('-1', '>50K', "'tis")
    """
    cell = cell.strip()
    if len(cell) > 1 and cell.startswith(QUOTES) and cell[0] == cell[-1]:
        return cell[1:-1].strip()
    return cell


def words(cells: Sequence[str]) -> list[str | None]:
    """Clean the cells of a column; those that say that a value is missing become None.

    Examples
    --------
    >>> words([" red", "?", "'NA'", "blue "])
    ['red', None, None, 'blue']
    """
    plain = [cell.strip() for cell in cells]
    joined = "".join(plain)
    if any(quote in joined for quote in QUOTES):
        plain = [clean(cell) for cell in plain]
    return [None if cell in MISSING else cell for cell in plain]


def numbers(cells: Sequence[str | None]) -> Floats | None:
    """Return the cells as floats, NaN where missing; None unless all of them are numbers.

    Examples
    --------
    >>> numbers(["1", None, "2.5e3"]).tolist()
    [1.0, nan, 2500.0]
    >>> numbers(["1", "two"]) is None
    True
    >>> numbers(["1_000"]) is None
    True
    """
    try:
        values = [np.nan if cell is None else float(cell) for cell in cells]
    except ValueError:
        return None
    if "_" in "".join(filter(None, cells)):
        return None
    return np.array(values, dtype=np.float64)


def texts(cells: Sequence[str | None]) -> Anything:
    """Return the cells as an object array of strings and None.

    Examples
    --------
    >>> texts(["red", None]).tolist()
    ['red', None]
    """
    column = np.empty(len(cells), dtype=object)
    column[:] = cells
    return column


def too_long(values: Anything) -> bool:
    """Tell whether a column holds numbers that float64 cannot tell from their neighbours.

    Examples
    --------
    >>> too_long(np.array([1.0, 2.0**53])), too_long(np.array(["a"], dtype=object))
    (True, False)
    """
    return values.dtype != object and bool(np.any(np.abs(values) >= 2.0**53))


def refuse_infinite(
    values: Floats, cells: Sequence[object] | Anything, name: str, source: Source
) -> None:
    """Raise when a number is not finite, naming file, line, column and value.

    Examples
    --------
    >>> refuse_infinite(np.array([1.0, np.inf]), ["1", "1e999"], "age", Source("a.csv", [1, 2]))
    Traceback (most recent call last):
    ...
    referee.errors.TableError: a.csv, line 2, column 'age': '1e999' is not a finite number;
    correct it, or leave the cell empty if the value is missing
    """
    infinite = np.flatnonzero(np.isinf(values))
    if infinite.size:
        row = int(infinite[0])
        more = f" (and {infinite.size - 1} more in this column)" if infinite.size > 1 else ""
        raise TableError(
            f"{source.place(row)}, column {name!r}: {str(cells[row])!r} is not a finite "
            f"number{more}",
            at=source.place(row),
            remedy="correct it, or leave the cell empty if the value is missing",
        )


def column_of(cells: Sequence[str], name: str, source: Source) -> Anything:
    """Turn the cells of a column into floats when all are numbers, else into strings.

    Parameters
    ----------
    cells : sequence of str
        The cells as they stand in the file.
    name : str
        The name of the column, for messages.
    source : Source
        Where the cells come from, for messages.

    Returns
    -------
    array of float or of object
        Missing values are NaN among numbers and None among strings.

    Examples
    --------
    >>> column_of([" 1", "?"], "age", Source("a.csv", [1, 2])).tolist()
    [1.0, nan]
    >>> column_of([" <=50K", ">50K"], "income", Source("a.csv", [1, 2])).tolist()
    ['<=50K', '>50K']
    """
    cleaned = words(cells)
    values = numbers(cleaned)
    if values is None:
        return texts(cleaned)
    refuse_infinite(values, cleaned, name, source)
    return values
