"""Ids of cases, read the same way wherever they come from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from referee.core.labels.labels import is_missing
from referee.sources.tables import Table
from referee.sources.tables.cells import numbers, too_long, words

__all__ = ["few", "ids_as_read", "ids_in_table", "overflowing", "repeated"]


def ids_as_read(values: Sequence[Any]) -> list[str | None]:
    """Return ids as one who reads them from a table sees them; None for a missing one.

    A column of numbers is one of numbers however they are written, so ``007`` is 7 there; among
    words it stays what it is.

    Examples
    --------
    >>> ids_as_read(["007", "8.0"]), ids_as_read([7, 8]), ids_as_read(["007", "b8"])
    (['7', '8'], ['7', '8'], ['007', 'b8'])
    """
    cells = words(["" if is_missing(value) else str(value) for value in values])
    floats = numbers(cells)
    if floats is None or too_long(floats):
        return [None if cell is None else _of_text(cell) for cell in cells]
    return [None if np.isnan(value) else _of_number(value) for value in floats.tolist()]


def overflowing(values: Sequence[str]) -> list[int]:
    """Return the rows of ids that look like numbers beyond all bounds, which no table can hold.

    Examples
    --------
    >>> overflowing(["1e5", "1e999"]), overflowing(["1e999", "a"])
    ([1], [])
    """
    floats = numbers(words(values))
    rows: list[int] = [] if floats is None else np.flatnonzero(np.isinf(floats)).tolist()
    return rows


def ids_in_table(table: Table, column: str) -> list[str]:
    """Return the ids in a column that has one in every row, or say where it has none."""
    values = table.complete(column)
    exact = table.exact.get(table.resolve(column), values)
    return [_of_number(v) if isinstance(v, float) else _of_text(v) for v in exact.tolist()]


def _of_number(value: float) -> str:
    return str(int(value)) if value.is_integer() else repr(value)


def _of_text(text: str) -> str:
    whole = text.removesuffix(".0")
    return whole if whole.isdecimal() else text


def repeated(ids: Sequence[str]) -> list[int]:
    """Return the rows of the first id that stands more than once; empty if none does.

    Examples
    --------
    >>> repeated(["a", "b", "a"]), repeated(["a", "b"])
    ([0, 2], [])
    """
    if len(set(ids)) == len(ids):
        return []
    rows: dict[str, list[int]] = {}
    for row, name in enumerate(ids):
        rows.setdefault(name, []).append(row)
    return next(places for places in rows.values() if len(places) > 1)


def few(names: Sequence[str], most: int = 5) -> str:
    """Name the first few, and how many more there are.

    Examples
    --------
    >>> few(["a", "b", "c"], most=2)
    "'a', 'b' and 1 more"
    """
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(repr(name) for name in names[:most]) + more
