"""JSON lines: one object a line, its keys the names of the columns."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from referee.core.arrays import Anything
from referee.errors import TableError
from referee.sources.tables.cells import refuse_infinite, texts, too_long, words
from referee.sources.tables.source import Source
from referee.sources.tables.table import Table
from referee.sources.tables.text import load_text

__all__ = ["read_json_lines"]

_REMEDY = 'write one object a line, such as {"age": 39, "class": "yes"}'


def read_json_lines(path: str) -> Table:
    r"""Read a file of JSON objects, one a line.

    A key that a line lacks is a missing value there. Strings are cleaned as the cells of a CSV
    file are, but stay strings even where they look like numbers. The parser is Python's own,
    since it tells the line of an error and reads the NaN that Python writes.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
    ...     _ = file.write('{"age": 39, "class": "no"}\n{"class": "yes"}\n')
    ...     file.flush()
    ...     table = read_json_lines(file.name)
    >>> table.column("age").tolist(), table.labels("class").tolist()
    ([39.0, nan], ['no', 'yes'])
    """
    records: list[dict[str, Any]] = []
    lines: list[int] = []
    for number, line in enumerate(load_text(path).split("\n"), 1):
        if line.strip():
            records.append(_object(line, f"{path}, line {number}"))
            lines.append(number)
    names = list(dict.fromkeys(name for record in records for name in record))
    if not names:
        raise TableError(
            f"{path} has no column: every object is empty; {_REMEDY}",
            at=str(path),
        )
    source = Source(path, lines)
    columns = {name: [record.get(name) for record in records] for name in names}
    values = {name: _column(cells, name, source) for name, cells in columns.items()}
    exact = {
        name: texts([_text(cell) for cell in columns[name]])
        for name, column in values.items()
        if too_long(column)
    }
    return Table(values, (source,), exact=exact)


def _object(line: str, place: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except json.JSONDecodeError as error:
        shown = line.strip()[:40]
        raise TableError(
            f"{place}, character {error.pos + 1}: {shown!r} is not JSON ({error.msg}); {_REMEDY}",
            at=place,
        ) from None
    except RecursionError:
        raise TableError(
            f"{place}: values are nested too deeply to be read; {_REMEDY}",
            at=place,
        ) from None
    except ValueError:
        raise TableError(
            f"{place}: it holds a whole number of too many digits to be read",
            at=place,
            remedy="write it as text, or as 1e30",
        ) from None
    _refuse_half_characters(line, value, place)
    if not isinstance(value, dict):
        raise TableError(
            f"{place}: {line.strip()[:40]!r} is not an object; {_REMEDY}",
            at=place,
        )
    return value


def _refuse_half_characters(line: str, value: Any, place: str) -> None:
    """Refuse text that no file can hold: one half of a character that takes two."""
    if "\\u" not in line:
        return
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        half = error.object[error.start]
        raise TableError(
            f"{place}: \\u{ord(half):04x} is half a character, which is no text",
            at=place,
            remedy="write the whole character, or remove it",
        ) from None


def _column(cells: Sequence[Any], name: str, source: Source) -> Anything:
    for row, cell in enumerate(cells):
        if isinstance(cell, (dict, list)):
            raise TableError(
                f"{source.place(row)}, column {name!r}: {json.dumps(cell)[:40]} is not a single "
                "value",
                at=source.place(row),
                remedy="flatten the column into columns of numbers or text, or remove it",
            )
    cleaned = [words([cell])[0] if isinstance(cell, str) else cell for cell in cells]
    if any(isinstance(cell, (str, bool)) for cell in cleaned):
        return texts([_text(cell) for cell in cleaned])
    values = np.array([_float(cell) for cell in cleaned], dtype=np.float64)
    refuse_infinite(values, cells, name, source)
    return values


def _text(cell: str | bool | float | None) -> str | None:
    return None if cell is None or cell != cell else str(cell)


def _float(cell: Any) -> float:
    try:
        return np.nan if cell is None else float(cell)
    except OverflowError:  # an integer of more than 308 digits
        return np.inf
