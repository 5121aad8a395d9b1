"""svmlight and libsvm files: sparse features, one line a case, the target first."""

from __future__ import annotations

import io
import re
from typing import Any

import numpy as np

from referee.core.arrays import Floats
from referee.core.machine.limits import refuse_memory
from referee.errors import TableError
from referee.sources.tables.source import Source
from referee.sources.tables.table import Table
from referee.sources.tables.text import decode, load_bytes

__all__ = ["TARGET", "read_svmlight"]

TARGET = "target"
"""What the first field of every line is called."""

_INDEX = re.compile(r"(\d+|qid):")
_DIGITS = re.compile(r"(?<!\S)(\d+):")
_LONG = 8  # digits of an index that deserves a look
_COPIES = 3  # values a model keeps for each feature: scale, coefficient, a copy


def read_svmlight(path: str) -> Table:
    r"""Read an svmlight (libsvm) file; its features stay a sparse matrix.

    Feature numbers are kept as written, so that two files can be stacked; `Table.features`
    leaves out feature 0 where the file counts from 1.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".svmlight") as file:
    ...     _ = file.write("1 1:0.5 3:2\n-1 2:1 # a comment\n")
    ...     file.flush()
    ...     table = read_svmlight(file.name)
    >>> table.labels("target").tolist(), table.features().shape
    ([1, -1], (2, 3))
    """
    from sklearn.datasets import load_svmlight_file

    data = load_bytes(path)
    text = decode(data, path)
    lines = [n for n, line in enumerate(text.split("\n"), 1) if _content(line)]
    if not lines:
        raise TableError(
            f"{path} is empty: it has comments only; a table needs at least one row",
            at=str(path),
        )
    _refuse_far_indices(text, path)
    try:
        X, y = load_svmlight_file(io.BytesIO(text.encode()), zero_based=True)
    except (ValueError, OverflowError) as error:
        raise TableError(_first_bad_line(text, path, str(error))) from None
    source = Source(path, lines)
    _refuse_not_finite(X, y, source)
    return Table({TARGET: y.astype(np.float64)}, (source,), sparse=X)


def _refuse_far_indices(text: str, path: str) -> None:
    """Refuse features of so high a number that models could not keep one value for each."""
    widest = max((len(match[1]) for match in _DIGITS.finditer(text)), default=0)
    if widest < _LONG:
        return
    for number, line in enumerate(text.split("\n"), 1):
        for match in _DIGITS.finditer(_content(line)):
            refuse_memory(
                _COPIES * 8.0 * int(match[1][:30]),
                f"{path}, line {number}: a model of {match[1][:30]} features",
                "number the features that occur from 1 on",
                error=TableError,
            )


def _content(line: str) -> str:
    return line.split("#", 1)[0].strip()


def _refuse_not_finite(X: Any, y: Floats, source: Source) -> None:
    bad = np.flatnonzero(~np.isfinite(y))
    if bad.size:
        raise TableError(
            f"{source.place(int(bad[0]))}, column {TARGET!r}: {y[bad[0]]} is not a class",
            at=source.place(int(bad[0])),
            remedy="write the class as an integer",
        )
    entries = np.flatnonzero(~np.isfinite(X.data))
    if entries.size:
        row = int(np.searchsorted(X.indptr, entries[0], side="right")) - 1
        raise TableError(
            f"{source.place(row)}, feature {X.indices[entries[0]]}: {X.data[entries[0]]} is "
            "not a finite number",
            at=source.place(row),
            remedy="correct it, or leave the feature out if it is zero",
        )


def _first_bad_line(text: str, path: str, reason: str) -> str:
    for number, line in enumerate(text.split("\n"), 1):
        problem = _problem(_content(line).split())
        if problem:
            return f"{path}, line {number}: {problem}; a line reads 'class index:value ...'"
    return f"{path} is not an svmlight file ({reason}); a line reads 'class index:value ...'"


def _problem(fields: list[str]) -> str:
    """Say what is wrong with the fields of a line; empty when nothing is."""
    if fields and not _is_float(fields[0]):
        return f"the class {fields[0]!r} is not a number"
    last = -1
    for field in fields[1:]:
        match = _INDEX.match(field)
        if not match or not _is_float(field[match.end() :]):
            return f"{field!r} is not of the form index:value"
        if match[1] != "qid":
            if int(match[1]) <= last:
                return f"feature {match[1]} comes after feature {last}, but indices must ascend"
            last = int(match[1])
    return ""


def _is_float(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
