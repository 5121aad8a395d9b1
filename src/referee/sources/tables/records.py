"""Records of a delimited file: the fields of every line, all of them equally many, in blocks."""

from __future__ import annotations

import csv
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TextIO

from referee.errors import TableError
from referee.sources.tables.text import TextFile

__all__ = ["Record", "Records", "record_blocks"]

Record = list[str]

_CELLS = 2**18
"""Cells of a block: enough to be quick, and a few megabytes while they are strings."""


@dataclass(frozen=True)
class Records:
    """The fields of some lines of a delimited file.

    Parameters
    ----------
    fields : list of list of str
        One list a record; all have the same length.
    lines : array of int
        The line on which each record begins, counted as an editor counts, from 1.
    """

    fields: list[Record]
    lines: array[int]


def record_blocks(text: TextFile, separator: str, cells: int = _CELLS) -> Iterator[Records]:
    r"""Cut a text into records, block by block; blank lines are skipped, ragged lines refused.

    Parameters
    ----------
    text : TextFile
        The file.
    separator : str
        What stands between two fields.
    cells : int
        How many cells a block holds, or a few more.

    Yields
    ------
    Records
        One block at least.

    Examples
    --------
    >>> text = TextFile("-", b"a,b\n\n1,'2'\n")
    >>> [(block.fields, list(block.lines)) for block in record_blocks(text, ",")]
    [([['a', 'b'], ['1', "'2'"]], [1, 3])]
    >>> list(record_blocks(TextFile("-", b"a,b\n1\n"), ","))
    Traceback (most recent call last):
    ...
    referee.errors.TableError: -, line 2: 1 field, expected 2 as in line 1; complete or
    delete this line, or quote cells that contain ','
    """
    with text.open() as file:
        yield from _Splitting(text.path, separator, cells).of(file)


@dataclass
class _Splitting:
    """Records of one file on their way into blocks, checked one by one."""

    path: str
    separator: str
    cells: int
    _latest: list[str] = field(default_factory=list)

    def of(self, file: TextIO) -> Iterator[Records]:
        fields: list[Record] = []
        lines = array("q")
        width = first = 0
        for start, record in self._records(file):
            if not width:
                width, first = len(record), start
            if len(record) != width:
                self._refuse_ragged(len(record), start, width, first)
            fields.append(record)
            lines.append(start)
            if len(fields) * width >= self.cells:
                yield Records(fields, lines)
                fields, lines = [], array("q")
        if not width:
            raise TableError(
                f"{self.path} is empty: it has blank lines only; a table needs at least a row"
            )
        if fields:
            yield Records(fields, lines)

    def _records(self, file: TextIO) -> Iterator[tuple[int, Record]]:
        """Go through the records that are not blank, with the line each begins on."""
        reader = csv.reader(self._remembered(file), delimiter=self.separator, skipinitialspace=True)
        end = 0
        try:
            for record in reader:
                start, end = end + 1, reader.line_num
                if end > start:
                    self._refuse_open_quotes(start, end)
                self._latest.clear()
                if len(record) > 1 or "".join(record).strip():
                    yield start, record
        except csv.Error as error:
            raise TableError(
                f"{self.path}, line {end + 1}: {error}; check that every quote on this line is "
                "closed"
            ) from None

    def _remembered(self, file: TextIO) -> Iterator[str]:
        """Go through the lines, and keep those of the record that is being read."""
        for line in file:
            self._latest.append(line)
            yield line

    def _refuse_ragged(self, width: int, line: int, expected: int, first: int) -> None:
        fields = f"{width} field{'' if width == 1 else 's'}"
        shown = "a tab" if self.separator == "\t" else repr(self.separator)
        raise TableError(
            f"{self.path}, line {line}: {fields}, expected {expected} as in line {first}; "
            f"complete or delete this line, or quote cells that contain {shown}"
        )

    def _refuse_open_quotes(self, start: int, end: int) -> None:
        """Refuse a record that runs over several lines only because a quote was not closed."""
        try:
            strict = csv.reader(
                self._latest, delimiter=self.separator, skipinitialspace=True, strict=True
            )
            list(strict)
        except csv.Error:
            raise TableError(
                f'{self.path}, line {start}: a double quote (") opens a cell that is not closed '
                f"properly before line {end}; close it, or write it twice where it is part of the "
                "text"
            ) from None
