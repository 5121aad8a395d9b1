"""Records of a delimited file: the fields of every line, all of them equally many."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass

from referee.errors import TableError

__all__ = ["Record", "Records", "split_records"]

Record = list[str]


@dataclass(frozen=True)
class Records:
    """The fields of a delimited file, line by line.

    Parameters
    ----------
    fields : list of list of str
        One list a record; all have the same length.
    lines : list of int
        The line on which each record begins, counted as an editor counts, from 1.
    """

    fields: list[Record]
    lines: list[int]


def split_records(text: str, separator: str, path: str) -> Records:
    r"""Cut a text into records; blank lines are skipped, ragged lines refused.

    Parameters
    ----------
    text : str
        The contents of the file.
    separator : str
        What stands between two fields.
    path : str
        The file as the user named it, for messages.

    Examples
    --------
    >>> split_records("a,b\n\n1,'2'\n", ",", "data.csv")
    Records(fields=[['a', 'b'], ['1', "'2'"]], lines=[1, 3])
    >>> split_records("a,b\n1\n", ",", "data.csv")
    Traceback (most recent call last):
    ...
    referee.errors.TableError: data.csv, line 2: 1 field, expected 2 as in line 1; complete or
    delete this line, or quote cells that contain ','
    """
    fields: list[Record] = []
    lines: list[int] = []
    tall: list[range] = []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=True)
    end = 0
    try:
        for record in reader:
            start, end = end + 1, reader.line_num
            if len(record) <= 1 and not "".join(record).strip():
                continue
            if end > start:
                tall.append(range(start, end + 1))
            fields.append(record)
            lines.append(start)
    except csv.Error as error:
        raise TableError(
            f"{path}, line {end + 1}: {error}; check that every quote on this line is closed"
        ) from None
    if tall:
        _refuse_open_quotes(text, separator, path, tall)
    records = Records(fields, lines)
    _refuse_ragged(records, separator, path)
    return records


def _refuse_ragged(records: Records, separator: str, path: str) -> None:
    if not records.fields:
        raise TableError(f"{path} is empty: it has blank lines only; a table needs at least a row")
    expected = len(records.fields[0])
    for line, record in zip(records.lines, records.fields, strict=True):
        if len(record) != expected:
            fields = f"{len(record)} field{'' if len(record) == 1 else 's'}"
            shown = "a tab" if separator == "\t" else repr(separator)
            raise TableError(
                f"{path}, line {line}: {fields}, expected {expected} as in line "
                f"{records.lines[0]}; complete or delete this line, "
                f"or quote cells that contain {shown}"
            )


def _refuse_open_quotes(text: str, separator: str, path: str, tall: list[range]) -> None:
    """Refuse a record that runs over several lines only because a quote was not closed."""
    lines = list(io.StringIO(text, newline=""))
    for span in tall:
        record = lines[span.start - 1 : span.stop - 1]
        try:
            list(csv.reader(record, delimiter=separator, skipinitialspace=True, strict=True))
        except csv.Error:
            raise TableError(
                f'{path}, line {span.start}: a double quote (") opens a cell that is not closed '
                f"properly before line {span.stop - 1}; close it, or write it twice where it is "
                "part of the text"
            ) from None
