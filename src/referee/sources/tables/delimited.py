"""Delimited files: CSV, TSV and their relatives, with or without a header line."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Literal, TypeAlias

from referee.errors import EmptyTable, TableError, arg
from referee.sources.tables.cells import MISSING, clean, numbers, refuse_infinite, words
from referee.sources.tables.columns import Coded, Columns, Held, Spelled
from referee.sources.tables.growing import GrowingColumn, GrowingWords
from referee.sources.tables.records import Record, Records, record_blocks
from referee.sources.tables.separator import sniff_separator
from referee.sources.tables.source import Source
from referee.sources.tables.table import Table
from referee.sources.tables.text import TextFile

__all__ = ["Header", "read_csv", "read_tsv"]

Header: TypeAlias = Literal["auto"] | bool
"""Whether the first line holds the names: True, False, or decided by looking at it."""

_SNIFFED = 100
"""Lines from which the separator is told."""

_PROBE = 100
"""Rows that mostly suffice to see that a column holds words."""


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
    text = TextFile.of(path)
    with text.open() as file:
        separator = sniff_separator("".join(islice(file, _SNIFFED)))
    return _read(text, separator, header)


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
    return _read(TextFile.of(path), "\t", header)


def _read(text: TextFile, separator: str, header: Header) -> Table:
    path = text.path
    blocks = record_blocks(text, separator)
    first = next(blocks)
    begins = first.lines[0]
    named = _has_header(first.first) if header == "auto" else header
    names = _header_names(first, path) if named else _counted_names(first)
    hidden = _HiddenHeader.of(first.first) if header == "auto" and not named else None
    columns = [GrowingColumn() for _ in names]
    lines = array("q")
    blocks = chain(iter([first.below() if named else first]), blocks)
    del first  # a block is let go of when the next one comes
    for block in blocks:
        lines.extend(block.lines)
        for position, cells in enumerate(block.columns):
            columns[position].add(cells)
            if hidden is not None:
                hidden.look(position, cells)
    if not lines:
        raise EmptyTable(
            f"{path}, line {begins}: a header and no row below it",
            concerning="header",
            at=str(path),
            remedy=f"add rows, or pass {arg('header', False)} if this line is data",
        )
    source = Source(path, _numbered(lines))
    if hidden is not None:
        hidden.refuse(source)
    written = _written(
        [p for p, column in enumerate(columns) if not column.complete or column.odd],
        record_blocks(text, separator),
        named=named,
    )
    held: dict[str, Held] = {}
    exact = {}
    for position, name in enumerate(names):
        column, columns[position] = columns[position], GrowingColumn()
        held[name] = _column(column, written.get(position), name, source, separator)
        if position in written and not isinstance(held[name], (Coded, Spelled)):
            exact[name] = written[position].array()
    return Table(
        Columns(held), (source,), header=named, header_guessed=header == "auto", exact=exact
    )


def _numbered(lines: array[int]) -> Sequence[int]:
    """Return the numbers of lines as a range where none is left out."""
    if lines[-1] - lines[0] == len(lines) - 1:
        return range(lines[0], lines[-1] + 1)
    return lines


def _written(
    positions: Sequence[int], blocks: Iterable[Records], *, named: bool
) -> dict[int, Coded | Spelled]:
    """Go through the file once more for columns whose cells are wanted as they are written."""
    if not positions:
        return {}
    columns = {position: GrowingWords() for position in positions}
    for block in _without_header(blocks) if named else blocks:
        for position, column in columns.items():
            column.add(block.columns[position])
    return {position: column.finish() for position, column in columns.items()}


def _without_header(blocks: Iterable[Records]) -> Iterator[Records]:
    for number, block in enumerate(blocks):
        yield block if number else block.below()


def _has_header(first: Record) -> bool:
    cells = words(first)
    if len(cells) > 1 and cells[0] is None:
        cells = cells[1:]  # pandas leaves the name of its index empty
    return not any(cell is None or numbers([cell]) is not None for cell in cells)


def _counted_names(records: Records) -> list[str]:
    return [str(position + 1) for position in range(len(records.columns))]


def _header_names(records: Records, path: str) -> list[str]:
    names = [clean(cell) for cell in records.first]
    if not names[0] and "index" not in names and all(names[1:]):
        names[0] = "index"  # as pandas writes a frame with its index
    place = f"{path}, line {records.lines[0]}"
    empty = [str(position) for position, name in enumerate(names, 1) if not name]
    if empty:
        raise TableError(
            f"{place}: the header gives no name to column{'s' * (len(empty) > 1)} "
            f"{', '.join(empty)}",
            concerning="header",
            at=place,
            remedy=f"name every column, or pass {arg('header', False)} if this line is data",
        )
    if len(set(names)) < len(names):
        name = next(name for name, count in Counter(names).items() if count > 1)
        at = [str(position) for position, other in enumerate(names, 1) if other == name]
        raise TableError(
            f"{place}: the header gives the name {name!r} to columns {', '.join(at)}",
            concerning="header",
            at=place,
            remedy=f"rename all but one, or pass {arg('header', False)} if this line is data",
        )
    return names


@dataclass
class _HiddenHeader:
    """Looks for a first line taken for data that alone keeps a column from being numeric.

    Attributes
    ----------
    first : list of str
        The cells of that line.
    suspects : dict of int to bool
        Columns with a word there and nothing but numbers below, so far, and whether there were any.
    """

    first: Record
    suspects: dict[int, bool]
    _begun: set[int] = field(default_factory=set)

    @classmethod
    def of(cls, record: Record) -> _HiddenHeader:
        cells = [clean(cell) for cell in record]
        words_there = [
            position
            for position, cell in enumerate(cells)
            if cell not in MISSING and numbers([cell]) is None
        ]
        return cls(cells, dict.fromkeys(words_there, False))

    def look(self, position: int, cells: Sequence[str]) -> None:
        """Look at the next cells of a column, the first of all being those of the line itself."""
        if position not in self.suspects:
            return
        below = cells if position in self._begun else cells[1:]
        self._begun.add(position)
        values = numbers(words(below[:_PROBE]))
        values = None if values is None else numbers(words(below))
        if values is None:
            del self.suspects[position]
        elif not all(value != value for value in values):
            self.suspects[position] = True

    def refuse(self, source: Source) -> None:
        """Raise if there is such a column."""
        position = next((p for p in sorted(self.suspects) if self.suspects[p]), None)
        if position is not None:
            raise TableError(
                f"{source.place(0)}, column {position + 1}: {self.first[position]!r} is the "
                "only cell of its column that is not a number, yet other cells of this line "
                "look like data",
                concerning="header",
                at=source.place(0),
                remedy=f"pass {arg('header', True)} if the line holds names, "
                f"{arg('header', False)} if it is data",
            )


def _column(
    column: GrowingColumn,
    written: Coded | Spelled | None,
    name: str,
    source: Source,
    separator: str,
) -> Held:
    if column.complete:
        values = column.finish()
    else:
        assert written is not None
        values = written
    if isinstance(values, (Coded, Spelled)):
        if separator != ",":
            _refuse_decimal_commas(values, name, source)
    elif written is not None:
        refuse_infinite(values, written.array(), name, source)
    return values


def _refuse_decimal_commas(column: Coded | Spelled, name: str, source: Source) -> None:
    """Refuse numbers written 3,14: taken for words they would quietly become categories."""
    kinds = column.kinds if isinstance(column, Coded) else column.array()
    if numbers([None if cell is None else cell.replace(",", ".", 1) for cell in kinds]) is None:
        return
    rows = column.array()
    row = next(r for r, cell in enumerate(rows) if cell is not None and "," in cell)
    raise TableError(
        f"{source.place(row)}, column {name!r}: {rows[row]!r} is a number with a decimal comma",
        at=source.place(row),
        remedy="write decimal points",
    )
