"""An uploaded file: read, checked against ids and classes, and put in the order of test.csv.

Nothing here knows a label, so neither a message nor the work done can depend on one. Cells are
compared as they are written: an id must stand as in test.csv and a class as in train.csv. A file in
the plainest form is compared byte by byte (`plain_upload`), others column by column; where that
fails, the file is read again line by line, to say where.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
import polars as pl

from referee.arena.benchmark.definition import Definition
from referee.arena.benchmark.lines import Line, csv_lines
from referee.arena.problem import Problem
from referee.core.arrays import Codes, Floats, Rows
from referee.vault.sealed.submissions.submission import Submission

__all__ = ["CSV", "PARQUET", "read_upload"]

CSV, PARQUET = "text/csv", "application/vnd.apache.parquet"
"""The kinds of files that are read."""

_NUMBER = r"^[-+]?(\d{1,400}(\.\d{0,400})?|\.\d{1,400})([eE][-+]?\d{1,5})?$"
_WRITTEN = re.compile(_NUMBER, re.ASCII)
_Cells = tuple[Line, list[str]]
_USUAL = {"prediction", "predicted", "pred", "answer", "label", "score", "probability", "proba"}


def read_upload(content: bytes, kind: str, definition: Definition) -> Submission:
    """Return the predictions of a file, or say what is wrong and where."""
    if kind == PARQUET:
        from referee.arena.benchmark.parquet import parquet_lines

        return _by_lines(parquet_lines(content, definition.n), definition)
    upload = _plain(content, definition) or _at_once(content, definition)
    return upload or _by_lines(csv_lines(content), definition)


def _plain(content: bytes, definition: Definition) -> Submission | None:
    """Return the predictions of a file in the plainest form; None for any other."""
    form = definition.plain_form
    codes = None if form is None else form.codes(content)
    return None if codes is None else Submission(codes, None)


def _at_once(content: bytes, definition: Definition) -> Submission | None:
    """Return the predictions of a plain file in one go; None where it needs a closer look."""
    if b'"' in content or b"\0" in content or not 0 <= content.count(b"\n") - definition.n <= 1:
        return None
    try:
        frame = pl.read_csv(content, infer_schema=False, truncate_ragged_lines=False)
    except pl.exceptions.PolarsError:
        return None
    if frame.shape != (definition.n, 1 + len(definition.score_columns)):
        return None
    if frame.columns[0] != definition.id_column or any(column.null_count() for column in frame):
        return None
    if _first_line(content) != ",".join(frame.columns).encode():
        return None  # names that stand twice were made different
    rows = _rows(frame.to_series(0), definition)
    if rows is None:
        return None
    if definition.measure.scored:
        return _scores_at_once(frame, definition, rows)
    codes = frame.to_series(1).cast(definition.class_numbers, strict=False)
    if codes.null_count():
        return None
    return Submission(codes.to_physical().to_numpy().astype(np.intp)[rows], None)


def _first_line(content: bytes) -> bytes:
    return content.partition(b"\n")[0].rstrip(b"\r").removeprefix(b"\xef\xbb\xbf")


def _rows(column: pl.Series, definition: Definition) -> Rows | None:
    """Return the row of each case; None where a case is unknown, missing or there twice."""
    if column.equals(definition.id_series):
        return np.arange(definition.n)
    positions = column.cast(definition.id_numbers, strict=False)
    if positions.null_count():
        return None
    rows = np.full(definition.n, -1, dtype=np.intp)
    rows[positions.to_physical().to_numpy()] = np.arange(definition.n)
    return None if np.any(rows < 0) else rows


def _scores_at_once(frame: pl.DataFrame, definition: Definition, rows: Rows) -> Submission | None:
    names = definition.score_columns
    if len(names) > 1 and set(frame.columns[1:]) != set(names):
        return None
    columns = [frame.to_series(1)] if len(names) == 1 else [frame[name] for name in names]
    if not all(column.str.contains(_NUMBER).all() for column in columns):
        return None
    numbers = [column.cast(pl.Float64, strict=False).to_numpy() for column in columns]
    matrix = np.column_stack(numbers) if len(names) > 1 else numbers[0]
    if not np.all(np.isfinite(matrix)) or _improbable(matrix, definition) is not None:
        return None
    return Submission(None, _by_class(matrix, definition)[rows])


def _by_lines(lines: Iterable[Line], definition: Definition) -> Submission:
    """Return the predictions of a file read line by line; the first fault is told."""
    iterator = iter(lines)
    header = next(iterator, None)
    if header is None:
        raise Problem(422, "the file is empty; it needs a header and a line for each case", line=1)
    columns = _columns(header, definition)
    seen: dict[int, int] = {}
    values: list[_Cells] = []
    for line in iterator:
        position = _case(line, header, columns[0], definition, seen)
        seen[position] = line.number
        values.append((line, [line.cells[at] for at in columns[1:]]))
    if len(seen) < definition.n:
        missing = [name for p, name in enumerate(definition.ids) if p not in seen]
        raise Problem(
            422,
            f"{len(missing)} of the {definition.n} cases of test.csv have no prediction (the first "
            f"is {missing[0]!r}); predict them all",
            column=definition.id_column,
        )
    names = [header.cells[at] for at in columns[1:]]
    order = np.empty(definition.n, dtype=np.intp)
    order[list(seen)] = np.arange(definition.n)
    if definition.measure.scored:
        matrix = _by_class(_numbers(values, names, definition), definition)
        return Submission(None, matrix[order])
    return Submission(_codes(values, names[0], definition)[order], None)


def _columns(header: Line, definition: Definition) -> list[int]:
    """Return the positions of the ids and of what is predicted."""
    names = header.cells
    twice = next((name for at, name in enumerate(names) if name in names[:at]), None)
    if twice is not None:
        raise Problem(422, f"two columns are called {twice!r}; rename one", line=header.number)
    if definition.id_column not in names:
        raise Problem(
            422,
            f"there is no column {definition.id_column!r} (columns are separated by commas; found "
            f"{_few(names)}); take the ids from test.csv",
            line=header.number,
            column=definition.id_column,
        )
    wanted = definition.score_columns
    others = [name for name in names if name != definition.id_column]
    if len(wanted) == 1:
        usual = others if len(others) == 1 else [n for n in others if n in _USUAL]
        if len(usual) == 1:
            return [names.index(definition.id_column), names.index(usual[0])]
    elif set(wanted) <= set(others):
        return [names.index(definition.id_column), *(names.index(name) for name in wanted)]
    raise Problem(
        422,
        f"besides {definition.id_column!r} the file must have "
        f"{'the columns' if len(wanted) > 1 else 'the column'} {_few(wanted)}, got "
        f"{_few(others) or 'none'}; example.csv shows how",
        line=header.number,
    )


def _case(
    line: Line, header: Line, column: int, definition: Definition, seen: dict[int, int]
) -> int:
    """Return the case that a line is about, or say what is wrong with it."""
    if len(line.cells) != len(header.cells):
        raise Problem(
            422,
            f"{line.place} has {len(line.cells)} cells, and the header has "
            f"{len(header.cells)}; write as many",
            line=line.number,
        )
    name = line.cells[column]
    position = definition.positions.get(name)
    if position is None:
        raise Problem(
            422,
            f"{line.place}, column {definition.id_column!r}: {_shown(name)} is no id of test.csv; "
            "predict its cases, and write their ids as they stand there",
            line=line.number,
            column=definition.id_column,
        )
    if position in seen:
        raise Problem(
            422,
            f"{line.place}, column {definition.id_column!r}: the id {_shown(name)} stood in "
            f"{line.unit} {seen[position]} already; keep one prediction for each case",
            line=line.number,
            column=definition.id_column,
        )
    return position


def _codes(values: Sequence[_Cells], column: str, definition: Definition) -> Codes:
    for line, cells in values:
        if cells[0] not in definition.codes:
            raise Problem(
                422,
                f"{line.place}, column {column!r}: {_shown(cells[0])} is none of the classes "
                f"{_few(definition.classes)}; write them as they stand in train.csv",
                line=line.number,
                column=column,
            )
    return np.array([definition.codes[cells[0]] for _, cells in values], dtype=np.intp)


def _numbers(values: Sequence[_Cells], names: Sequence[str], definition: Definition) -> Floats:
    for line, cells in values:
        for name, cell in zip(names, cells, strict=True):
            if not _WRITTEN.match(cell) or not np.isfinite(float(cell)):
                raise Problem(
                    422,
                    f"{line.place}, column {name!r}: {_shown(cell)} is no finite number; every "
                    "case needs one, as 0.25 or 1e-3",
                    line=line.number,
                    column=name,
                )
    matrix = np.array([[float(cell) for cell in cells] for _, cells in values])
    matrix = matrix if len(names) > 1 else matrix[:, 0]
    wrong = _improbable(matrix, definition)
    if wrong is not None:
        line, cells = values[wrong]
        what = "a probability between 0 and 1" if len(names) == 1 else "probabilities that sum to 1"
        raise Problem(
            422,
            f"{line.place}: {_few(cells)} must be {what} for measure {definition.measure.name!r}",
            line=line.number,
            column=names[0],
        )
    return matrix


def _improbable(matrix: Floats, definition: Definition) -> int | None:
    """Return the first row that holds no probabilities where the measure needs them."""
    if not definition.measure.of_probabilities:
        return None
    wrong = (matrix < 0) | (matrix > 1)
    if matrix.ndim == 2:
        wrong = wrong.any(axis=1) | (np.abs(matrix.sum(axis=1) - 1) > 1e-6)
    rows = np.flatnonzero(wrong)
    return int(rows[0]) if rows.size else None


def _by_class(matrix: Floats, definition: Definition) -> Floats:
    """Return a probability for each class where the file has that of the positive one."""
    positive = definition.measure.positive
    if not definition.measure.of_probabilities or matrix.ndim == 2 or positive is None:
        return matrix
    return np.column_stack([matrix, 1 - matrix] if positive == 0 else [1 - matrix, matrix])


def _few(names: Sequence[str], most: int = 6) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(_shown(name) for name in names[:most]) + more


def _shown(text: str, most: int = 60) -> str:
    """Quote a cell of the file; a long one is cut."""
    return repr(text) if len(text) <= most else f"{text[:most]!r}... ({len(text)} characters)"
