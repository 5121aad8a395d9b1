"""Ids of cases, written the same way wherever they come from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from referee.sources.tables import Table

__all__ = ["few", "id_text", "ids_of", "repeated"]


def id_text(value: Any) -> str:
    """Write an id the same way whether its file holds numbers only or words too.

    Examples
    --------
    >>> id_text(7.0), id_text("7.0"), id_text(7), id_text("7b"), id_text(0.5)
    ('7', '7', '7', '7b', '0.5')
    """
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    text = str(value)
    whole = text.removesuffix(".0")
    return whole if whole.isdecimal() else text


def ids_of(table: Table, column: str) -> list[str]:
    """Return the ids in a column that has one in every row, or say where it has none."""
    values = table.complete(column)
    exact = table.exact.get(table.resolve(column), values)
    return [id_text(value) for value in exact.tolist()]


def repeated(ids: Sequence[str]) -> list[int]:
    """Return the rows of the first id that stands more than once; empty if none does.

    Examples
    --------
    >>> repeated(["a", "b", "a"]), repeated(["a", "b"])
    ([0, 2], [])
    """
    if len(set(ids)) == len(ids):
        return []
    seen: set[str] = set()
    twice = next(name for name in ids if name in seen or seen.add(name))  # type: ignore[func-returns-value]
    return [row for row, name in enumerate(ids) if name == twice]


def few(names: Sequence[str], most: int = 5) -> str:
    """Name the first few, and how many more there are.

    Examples
    --------
    >>> few(["a", "b", "c"], most=2)
    "'a', 'b' and 1 more"
    """
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(repr(name) for name in names[:most]) + more
