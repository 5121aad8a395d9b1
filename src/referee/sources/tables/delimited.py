"""Delimited files: CSV, TSV and their relatives, with or without a header line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal, TypeAlias

from referee.core.arrays import Anything
from referee.errors import EmptyTable, TableError, arg
from referee.sources.tables.cells import MISSING, clean, column_of, numbers, texts, too_long, words
from referee.sources.tables.records import Record, Records, split_records
from referee.sources.tables.separator import sniff_separator
from referee.sources.tables.source import Source
from referee.sources.tables.table import Table
from referee.sources.tables.text import load_text

__all__ = ["Header", "read_csv", "read_tsv"]

Header: TypeAlias = Literal["auto"] | bool
"""Whether the first line holds the names: True, False, or decided by looking at it."""

_PROBE = 100  # rows that mostly suffice to see that a column holds words


def read_csv(path: str, *, header: Header = "auto") -> Table:
    r"""Read a delimited text file whose separator is told from its first lines.

    Parameters
    ----------
    path : str
        The file.
    header : bool or "auto"
        Whether the first line holds the names of the columns. ``"auto"`` takes it for data when
        any of its cells is a number or a missing value.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    ...     _ = file.write("39, ?, <=50K\n50, Private, >50K\n")
    ...     file.flush()
    ...     table = read_csv(file.name)
    >>> table.header, table.columns
    (False, ('1', '2', '3'))
    >>> table.column("2").tolist()
    [None, 'Private']
    """
    text = load_text(path)
    return _read(text, sniff_separator(text), path, header)


def read_tsv(path: str, *, header: Header = "auto") -> Table:
    r"""Read a text file whose fields are separated by tabs.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".tsv") as file:
    ...     _ = file.write("name\tclass\nred, green\t1\n")
    ...     file.flush()
    ...     read_tsv(file.name).column("name").tolist()
    ['red, green']
    """
    return _read(load_text(path), "\t", path, header)


def _read(text: str, separator: str, path: str, header: Header) -> Table:
    records = split_records(text, separator, path)
    named = _has_header(records.fields[0]) if header == "auto" else header
    names = _header_names(records, path) if named else _counted_names(records)
    first = 1 if named else 0
    source = Source(path, records.lines[first:])
    if not source.n_rows:
        raise EmptyTable(
            f"{path}, line {records.lines[0]}: a header and no row below it; "
            f"add rows, or pass {arg('header', False)} if this line is data"
        )
    cells = list(zip(*records.fields[first:], strict=True))
    if header == "auto" and not named:
        _refuse_hidden_header(cells, source)
    values = {
        name: _column(column, name, source, separator)
        for name, column in zip(names, cells, strict=True)
    }
    written = dict(zip(names, cells, strict=True))
    exact = {name: texts(words(written[name])) for name in names if too_long(values[name])}
    return Table(values, (source,), header=named, header_guessed=header == "auto", exact=exact)


def _has_header(first: Record) -> bool:
    cells = words(first)
    if len(cells) > 1 and cells[0] is None:
        cells = cells[1:]  # pandas leaves the name of its index empty
    return not any(cell is None or numbers([cell]) is not None for cell in cells)


def _counted_names(records: Records) -> list[str]:
    return [str(position + 1) for position in range(len(records.fields[0]))]


def _header_names(records: Records, path: str) -> list[str]:
    names = [clean(cell) for cell in records.fields[0]]
    if not names[0] and "index" not in names and all(names[1:]):
        names[0] = "index"  # as pandas writes a frame with its index
    place = f"{path}, line {records.lines[0]}"
    empty = [str(position) for position, name in enumerate(names, 1) if not name]
    if empty:
        raise TableError(
            f"{place}: the header gives no name to column{'s' * (len(empty) > 1)} "
            f"{', '.join(empty)}; name every column, or pass {arg('header', False)} if this line "
            "is data"
        )
    if len(set(names)) < len(names):
        name = next(name for name, count in Counter(names).items() if count > 1)
        at = [str(position) for position, other in enumerate(names, 1) if other == name]
        raise TableError(
            f"{place}: the header gives the name {name!r} to columns {', '.join(at)}; "
            f"rename all but one, or pass {arg('header', False)} if this line is data"
        )
    return names


def _refuse_hidden_header(cells: Sequence[Sequence[str]], source: Source) -> None:
    """Refuse to take for data a first line that alone keeps a column from being numeric."""
    for position, column in enumerate(cells, 1):
        first = clean(column[0])
        if first in MISSING or numbers([first]) is not None:
            continue
        if numbers(words(column[1:_PROBE])) is None:
            continue
        below = numbers(words(column[1:]))
        if below is not None and not all(value != value for value in below):
            raise TableError(
                f"{source.place(0)}, column {position}: {first!r} is the only cell of its column "
                "that is not a number, yet other cells of this line look like data; pass "
                f"{arg('header', True)} if the line holds names, {arg('header', False)} if it is "
                "data"
            )


def _column(cells: Sequence[str], name: str, source: Source, separator: str) -> Anything:
    column = column_of(cells, name, source)
    if column.dtype == object and separator != ",":
        _refuse_decimal_commas(column, name, source)
    return column


def _refuse_decimal_commas(column: Anything, name: str, source: Source) -> None:
    """Refuse numbers written 3,14: taken for words they would quietly become categories."""
    with_points = [None if cell is None else cell.replace(",", ".", 1) for cell in column]
    if numbers(with_points) is None:
        return
    row = next(r for r, cell in enumerate(column) if cell is not None and "," in cell)
    raise TableError(
        f"{source.place(row)}, column {name!r}: {column[row]!r} is a number with a decimal comma; "
        "write decimal points"
    )
