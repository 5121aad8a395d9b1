"""Uploaded Parquet files: what the footer promises is checked before anything is unpacked."""

from __future__ import annotations

import io
from collections.abc import Iterator

import polars as pl

from referee.arena.benchmark.lines import Line
from referee.arena.benchmark.parquet_footer import FooterError, read_footer
from referee.arena.problem import Problem
from referee.vault.sealed.labels.secret_labels import label_text

__all__ = ["parquet_lines"]

_UNPACKED = 256 * 2**20
"""Bytes that the columns may have when unpacked."""

_COLUMNS = 1000


def parquet_lines(content: bytes, n: int) -> Iterator[Line]:
    """Return the rows of a Parquet file, the names of its columns first."""
    _check_footer(content, n)
    try:
        frame = pl.read_parquet(io.BytesIO(content))
    except (pl.exceptions.PolarsError, OSError, ValueError):
        raise _not_parquet() from None
    yield Line(0, list(frame.columns), "row")
    columns = [_texts(frame.to_series(at)) for at in range(frame.width)]
    for number, cells in enumerate(zip(*columns, strict=True), start=1):
        yield Line(number, list(cells), "row")


def _check_footer(content: bytes, n: int) -> None:
    try:
        footer = read_footer(content)
    except FooterError:
        raise _not_parquet() from None
    if footer.rows != n:
        raise Problem(
            422, f"the file has {footer.rows} rows, and test.csv has {n}; predict each case once"
        )
    if footer.columns > _COLUMNS or footer.unpacked > _UNPACKED:
        raise Problem(
            413,
            f"unpacked the file would have {footer.columns} columns and {footer.unpacked} bytes; "
            f"{_COLUMNS} columns and {_UNPACKED} bytes are the most",
        )


def _not_parquet() -> Problem:
    return Problem(422, "the file is no Parquet file, or a damaged one; write it anew")


def _texts(column: pl.Series) -> list[str]:
    """Return a column as it would stand in a CSV file."""
    kind = column.dtype
    if kind.is_float():
        return ["" if v is None else (label_text(v) if v == v else "nan") for v in column.to_list()]
    if kind == pl.String or kind.is_integer() or kind in (pl.Boolean, pl.Categorical):
        return ["" if v is None else label_text(v) for v in column.to_list()]
    raise Problem(
        422,
        f"column {column.name!r} holds {kind}; write texts, whole numbers or decimals",
        column=column.name,
    )
