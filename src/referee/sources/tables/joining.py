"""Joining: rows of several files brought into one order by the ids they share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referee.core.showing.counting import few_quoted
from referee.errors import TableError
from referee.sources.tables.table import Table

__all__ = ["aligned"]

_NAMED = 5


def aligned(tables: Sequence[Table], on: str) -> tuple[Table, ...]:
    """Return the tables with their rows in the order of the first one's ids.

    Every id must stand once in each file; rows are never dropped silently.

    Parameters
    ----------
    tables : sequence of Table
        One per file.
    on : str
        The column that holds the ids in each of them.

    Examples
    --------
    >>> from referee.sources.tables import Source
    >>> a = Table({"id": np.array([7.0, 8.0])}, (Source("a.csv", [2, 3]),))
    >>> b = Table({"id": np.array(["8", "7"], dtype=object)}, (Source("b.csv", [2, 3]),))
    >>> [t.column("id").tolist() for t in aligned([a, b], "id")]
    [[7.0, 8.0], ['7', '8']]
    """
    rows = [_rows_by_id(table, on) for table in tables]
    first = list(rows[0])
    for table, other in zip(tables[1:], rows[1:], strict=True):
        _refuse_mismatch(tables[0], rows[0], table, other, on)
    return tuple(
        table.keep(np.array([where[key] for key in first], dtype=np.intp))
        for table, where in zip(tables, rows, strict=True)
    )


def _rows_by_id(table: Table, on: str) -> dict[str, int]:
    column = table.complete(on)
    ids = [_key(value) for value in table.exact.get(table.resolve(on), column).tolist()]
    rows: dict[str, int] = {}
    again: dict[str, list[int]] = {}
    for row, key in enumerate(ids):
        if key in rows:
            again.setdefault(key, [rows[key]]).append(row)
        else:
            rows[key] = row
    if again:
        key = next(iter(again))
        raise TableError(
            f"{table.path}, column {table.resolve(on)!r}: {len(again)} ids stand more than "
            f"once, {few_quoted(list(again), _NAMED)} ({key!r} in {table.places(again[key])})",
            at=str(table.path),
            remedy="keep one row for each",
        )
    return rows


def _refuse_mismatch(
    one: Table, ids: dict[str, int], other: Table, others: dict[str, int], on: str
) -> None:
    missing = [key for key in ids if key not in others]
    extra = [key for key in others if key not in ids]
    if not missing and not extra:
        return
    parts = []
    if missing:
        parts.append(f"{len(missing)} of {len(ids)} ids of {one.path} are not in {other.path}: ")
        parts[-1] += few_quoted(missing, _NAMED)
    if extra:
        parts.append(f"{len(extra)} of {len(others)} ids of {other.path} are not in {one.path}: ")
        parts[-1] += few_quoted(extra, _NAMED)
    raise TableError(
        f"column {on!r}: {'; '.join(parts)}; models must be judged on the same cases, so give "
        "files with the same ids",
        concerning="on",
    )


def _key(value: float | str) -> str:
    """Write an id the same way whether its file holds numbers only or words too."""
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    return value.removesuffix(".0") if value.removesuffix(".0").isdecimal() else value
