"""Lines of an uploaded CSV file, each with its number; what is no CSV is said where it is found."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass

from referee.arena.problem import Problem

__all__ = ["Line", "csv_lines"]

_MARKS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16", b"\x1f\x8b": "gzip", b"PK": "zip"}


@dataclass(frozen=True)
class Line:
    """A row of a file.

    Attributes
    ----------
    number : int
        Where it stands, counted as an editor counts.
    cells : list of str
        What it holds.
    unit : str
        "line", or "row" where a file has no lines.
    """

    number: int
    cells: list[str]
    unit: str = "line"

    @property
    def place(self) -> str:
        """Where it stands, in words."""
        return f"{self.unit} {self.number}"


def csv_lines(content: bytes) -> Iterator[Line]:
    """Return the lines of a CSV file in UTF-8, the header first; empty lines are left out."""
    text = _text(content)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    number = 1
    try:
        for cells in reader:
            if cells:
                yield Line(number, cells)
            number = reader.line_num + 1
    except csv.Error as problem:
        raise Problem(
            422, f"line {reader.line_num}: not a line of CSV ({problem})", line=reader.line_num
        ) from None


def _text(content: bytes) -> str:
    kind = next((k for mark, k in _MARKS.items() if content.startswith(mark)), None)
    if kind is not None:
        raise Problem(422, f"the file is {kind}; send plain text in UTF-8", line=1)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        raise Problem(422, f"line {line}: not UTF-8; save the file as UTF-8", line=line) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise Problem(422, f"line {line}: a NUL character; save the file as UTF-8", line=line)
    if "\r" in text and "\n" not in text:
        raise Problem(
            422, "lines end with CR alone, as on very old computers; save the file anew", line=1
        )
    return text
