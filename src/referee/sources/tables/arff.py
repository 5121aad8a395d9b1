"""ARFF files: columns declared with their kinds, then the rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from referee.core.arrays import Anything
from referee.errors import TableError, nearest
from referee.sources.tables.cells import numbers, refuse_infinite, texts
from referee.sources.tables.source import Source
from referee.sources.tables.table import Table
from referee.sources.tables.text import load_text

__all__ = ["Attribute", "read_arff"]

_QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
_DECLARATION = re.compile(rf"@attribute\s+({_QUOTED}|[^\s{{]+)\s*(.*)", re.IGNORECASE)
_STARTS_QUOTED = re.compile(rf"\s*({_QUOTED})\s*(?=,|$)")
_NUMERIC = frozenset({"numeric", "real", "integer"})
_TEXT = frozenset({"string", "date"})


@dataclass(frozen=True)
class Attribute:
    """A column as the file declares it.

    Parameters
    ----------
    name : str
        Its name, without quotes.
    kind : str
        ``"numeric"``, ``"text"`` or ``"nominal"``.
    categories : frozenset of str
        The values a nominal column may have.
    """

    name: str
    kind: str
    categories: frozenset[str] = field(default=frozenset())


@dataclass(frozen=True)
class _Body:
    rows: list[list[str | None]]
    lines: list[int]


def read_arff(path: str) -> Table:
    r"""Read an ARFF file with dense rows.

    Only an unquoted ``?`` is a missing value; nominal values keep the names declared.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".arff") as file:
    ...     _ = file.write(
    ...         "@relation pets\n@attribute 'body mass' real\n@attribute kind {cat, 'big dog'}\n"
    ...         "@data\n4.2,cat\n?,'big dog'\n"
    ...     )
    ...     file.flush()
    ...     table = read_arff(file.name)
    >>> table.column("body mass").tolist(), table.labels("kind").tolist()
    ([4.2, nan], ['cat', 'big dog'])
    """
    lines = load_text(path).split("\n")
    attributes, start = _declarations(lines, path)
    body = _body(lines, start, len(attributes), path)
    source = Source(path, body.lines)
    cells = zip(*body.rows, strict=True)
    return Table(
        {a.name: _column(a, column, source) for a, column in zip(attributes, cells, strict=True)},
        (source,),
    )


def _declarations(lines: list[str], path: str) -> tuple[list[Attribute], int]:
    """Return the attributes and the number of the line that says @data."""
    attributes: list[Attribute] = []
    for number, line in enumerate(lines, 1):
        statement = line.strip()
        if not statement or statement.startswith("%"):
            continue
        keyword = statement.split()[0].lower()
        if keyword == "@data":
            _check_names(attributes, path, number)
            return attributes, number
        if keyword == "@attribute":
            attributes.append(_attribute(statement, f"{path}, line {number}"))
        elif keyword != "@relation":
            raise TableError(
                f"{path}, line {number}: {statement[:40]!r} is neither @relation, @attribute, "
                "@data nor a comment (%)",
                at=str(path),
                remedy="correct it, or rename the file if it is not ARFF",
            )
    raise TableError(
        f"{path}, line {len(lines)}: the file ends without @data",
        at=str(path),
        remedy="add @data and the rows after it",
    )


def _check_names(attributes: list[Attribute], path: str, line: int) -> None:
    names = [a.name for a in attributes]
    if not names:
        raise TableError(
            f"{path}, line {line}: @data without any @attribute; declare the columns",
            at=str(path),
        )
    twice = sorted(name for name, count in Counter(names).items() if count > 1)
    if twice:
        shown = ", ".join(repr(name) for name in twice)
        raise TableError(
            f"{path}: declared more than once: {shown}",
            at=str(path),
            remedy="rename all but one of each",
        )


def _attribute(statement: str, place: str) -> Attribute:
    match = _DECLARATION.match(statement)
    if not match or not match[2]:
        raise TableError(
            f"{place}: {statement[:40]!r} does not declare a column",
            at=place,
            remedy="write '@attribute name numeric', '... string' or '... {a, b}'",
        )
    name, kind = _unquoted(match[1]), match[2].strip()
    if kind.startswith("{") and kind.endswith("}"):
        return Attribute(name, "nominal", frozenset(f or "?" for f in _fields(kind[1:-1])))
    word = kind.split()[0].lower()
    if word in _NUMERIC:
        return Attribute(name, "numeric")
    if word in _TEXT:
        return Attribute(name, "text")
    raise TableError(
        f"{place}, column {name!r}: {kind[:40]!r} is no kind of column",
        at=place,
        remedy="use numeric, real, integer, string, date or {a, b}",
    )


def _body(lines: list[str], start: int, expected: int, path: str) -> _Body:
    body = _Body([], [])
    for number, line in enumerate(lines[start:], start + 1):
        row = line.strip()
        if not row or row.startswith("%"):
            continue
        if row.startswith("{"):
            raise TableError(
                f"{path}, line {number}: {row[:40]!r} is a sparse row, which is not supported",
                at=str(path),
                remedy="write all values of the row, or give the table as svmlight",
            )
        fields = _fields(row)
        if len(fields) != expected:
            raise TableError(
                f"{path}, line {number}: {len(fields)} field{'s' * (len(fields) > 1)}, expected "
                f"{expected} as declared",
                at=str(path),
                remedy="complete the line, or quote values that contain ','",
            )
        body.rows.append(fields)
        body.lines.append(number)
    if not body.rows:
        raise TableError(
            f"{path}, line {start}: no row after @data; a table needs at least one",
            at=str(path),
        )
    return body


def _fields(row: str) -> list[str | None]:
    """Cut a row at its commas; an unquoted question mark, or nothing, is missing."""
    if "'" not in row and '"' not in row:
        raw = [part.strip() for part in row.split(",")]
    else:
        raw = list(_cut(row))
    return [None if part in ("", "?") else _unquoted(part) for part in raw]


def _cut(row: str) -> Iterator[str]:
    """Yield the fields of a row with quotes; each character is looked at a few times at most."""
    start = 0
    while start <= len(row):
        quoted = _STARTS_QUOTED.match(row, start)
        end = quoted.end() if quoted else row.find(",", start)
        end = len(row) if end < 0 else end
        yield quoted[1] if quoted else row[start:end].strip()
        start = end + 1


def _unquoted(text: str) -> str:
    if len(text) > 1 and text[0] in "'\"" and text[-1] == text[0]:
        return re.sub(r"\\(.)", r"\1", text[1:-1]).strip()
    return text


def _column(attribute: Attribute, cells: Sequence[str | None], source: Source) -> Anything:
    if attribute.kind == "numeric":
        values = numbers(cells)
        if values is None:
            raise TableError(_not_a_number(attribute, cells, source))
        refuse_infinite(values, cells, attribute.name, source)
        return values
    if attribute.kind == "nominal":
        _refuse_undeclared(attribute, cells, source)
    return texts(cells)


def _not_a_number(attribute: Attribute, cells: Sequence[str | None], source: Source) -> str:
    row = next(r for r, cell in enumerate(cells) if numbers([cell]) is None)
    return (
        f"{source.place(row)}, column {attribute.name!r}: {cells[row]!r} is not a number, as the "
        "column is declared; correct the value, or declare the column as string"
    )


def _refuse_undeclared(attribute: Attribute, cells: Sequence[str | None], source: Source) -> None:
    for row, cell in enumerate(cells):
        if cell is not None and cell not in attribute.categories:
            raise TableError(
                f"{source.place(row)}, column {attribute.name!r}: {cell!r} is not among the "
                "declared values",
                at=source.place(row),
                remedy=nearest(cell, sorted(attribute.categories)),
            )
