"""Records of a delimited file: the fields of every line, all of them equally many, in blocks."""

from __future__ import annotations

import csv
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from operator import methodcaller
from typing import TextIO

from referee.errors import TableError
from referee.sources.tables.text import TextFile

__all__ = ["Record", "Records", "record_blocks"]

Record = list[str]

_CELLS = 2**16
"""Cells of a block: enough to be quick, and a few megabytes while they are strings."""

_LONGEST = csv.field_size_limit()
"""Characters of a line that is split at once: no cell of it is too long for the csv module."""


@dataclass(frozen=True)
class Records:
    """Some lines of a delimited file, cut into cells.

    Parameters
    ----------
    columns : list of list of str
        The cells, column by column; all have the same length.
    lines : array of int
        The line on which each record begins, counted as an editor counts, from 1.
    """

    columns: list[list[str]]
    lines: array[int]

    @property
    def first(self) -> Record:
        """The cells of the first record."""
        return [cells[0] for cells in self.columns]

    def below(self) -> Records:
        """Return the records without the first, which is the header."""
        return Records([cells[1:] for cells in self.columns], self.lines[1:])


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
    >>> [(block.columns, list(block.lines)) for block in record_blocks(text, ",")]
    [([['a', '1'], ['b', "'2'"]], [1, 3])]
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
    """Records of one file on their way into blocks.

    A block whose lines are one record each, without quotes and equally wide, is split at once;
    others are gone through record by record.
    """

    path: str
    separator: str
    cells: int
    width: int = 0
    first: int = 0
    line: int = 0
    _latest: list[str] = field(default_factory=list)

    def of(self, file: TextIO) -> Iterator[Records]:
        rows = 1
        while lines := list(islice(file, rows)):
            if self.line == 0:
                rows = max(self.cells // (lines[0].count(self.separator) + 1), 1)
                lines += islice(file, rows)
            block = self._at_once(lines) or self._one_by_one(lines, file)
            if block.lines:
                yield block
        if not self.width:
            raise TableError(
                f"{self.path} is empty: it has blank lines only; a table needs at least a row",
                at=str(self.path),
            )

    def _at_once(self, lines: list[str]) -> Records | None:
        """Split lines that hold a record each and no quotes; None where there is any doubt."""
        separators = set(map(methodcaller("count", self.separator), lines))
        width = self.width or max(separators) + 1
        if separators != {width - 1} or width < 2 or max(map(len, lines)) > _LONGEST:
            return None
        text = "".join(lines)
        if '"' in text:
            return None
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        cells = text.removesuffix("\n").replace("\n", self.separator).split(self.separator)
        self.width, self.first = width, self.first or self.line + 1
        begins, self.line = self.line + 1, self.line + len(lines)
        columns = [cells[position::width] for position in range(width)]
        return Records(columns, array("q", range(begins, self.line + 1)))

    def _one_by_one(self, lines: list[str], file: TextIO) -> Records:
        """Split lines, and those after them that the last record goes on in; check each record."""
        fields: list[Record] = []
        begins = array("q")
        end = self.line + len(lines)
        for start, record in self._records(chain(lines, file)):
            if len(record) > 1 or "".join(record).strip():
                if not self.width:
                    self.width, self.first = len(record), start
                if len(record) != self.width:
                    self._refuse_ragged(len(record), start, self.width, self.first)
                fields.append(record)
                begins.append(start)
            if self.line >= end:
                break
        columns = [[record[position] for record in fields] for position in range(self.width)]
        return Records(columns, begins)

    def _records(self, lines: Iterator[str]) -> Iterator[tuple[int, Record]]:
        """Go through the records with the line each begins on."""
        reader = csv.reader(
            self._remembered(lines), delimiter=self.separator, skipinitialspace=True
        )
        before = self.line
        try:
            for record in reader:
                start, self.line = self.line + 1, before + reader.line_num
                if self.line > start:
                    self._refuse_open_quotes(start, self.line)
                self._latest.clear()
                yield start, record
        except csv.Error as error:
            raise TableError(
                f"{self.path}, line {self.line + 1}: {error}",
                at=str(self.path),
                remedy="check that every quote on this line is closed",
            ) from None

    def _remembered(self, lines: Iterator[str]) -> Iterator[str]:
        """Go through the lines, and keep those of the record that is being read."""
        for line in lines:
            self._latest.append(line)
            yield line

    def _refuse_ragged(self, width: int, line: int, expected: int, first: int) -> None:
        fields = f"{width} field{'' if width == 1 else 's'}"
        shown = "a tab" if self.separator == "\t" else repr(self.separator)
        raise TableError(
            f"{self.path}, line {line}: {fields}, expected {expected} as in line {first}",
            at=str(self.path),
            remedy=f"complete or delete this line, or quote cells that contain {shown}",
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
                f"properly before line {end}",
                at=str(self.path),
                remedy="close it, or write it twice where it is part of the text",
            ) from None
