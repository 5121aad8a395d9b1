"""Parquet files: columns that already have names and types."""

from __future__ import annotations

import io

import numpy as np
import polars as pl

from referee.core.arrays import Anything
from referee.core.machine.limits import refuse_memory
from referee.errors import EmptyTable, TableError
from referee.sources.tables.cells import refuse_infinite, texts, too_long, words
from referee.sources.tables.source import Source
from referee.sources.tables.table import Table
from referee.sources.tables.text import load_bytes

__all__ = ["read_parquet"]

_NUMBER, _TEXT = 16, 80
"""Bytes a cell takes while a column is read: the values and one copy of them."""


def read_parquet(path: str) -> Table:
    """Read a Parquet file.

    Numbers, decimals among them, become float64, and durations seconds. Booleans, categories,
    dates and text become strings, cleaned as the cells of a CSV file are. Lists, structs and bytes
    are refused. Rows are counted from 1 in messages.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile(suffix=".parquet") as file:
    ...     pl.DataFrame({"age": [39, None], "rich": [False, True]}).write_parquet(file.name)
    ...     table = read_parquet(file.name)
    >>> table.column("age").tolist(), table.labels("rich").tolist()
    ([39.0, nan], ['False', 'True'])
    """
    data = load_bytes(path)
    try:
        # Rows of equal values take next to nothing in the file: look before they are unpacked.
        _refuse_too_many(pl.scan_parquet(io.BytesIO(data)), path)
        frame = pl.read_parquet(io.BytesIO(data))
    except TableError:
        raise
    except (pl.exceptions.PolarsError, OSError, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise TableError(
            f"{path} is not a readable Parquet file ({reason})",
            at=str(path),
            remedy="write it again, or rename it if it is in another format",
        ) from None
    if not frame.height or not frame.width:
        raise EmptyTable(
            f"{path} is empty: {frame.height} rows and {frame.width} columns; a table needs "
            "at least one of each",
            at=str(path),
        )
    source = Source(path, range(1, frame.height + 1), unit="row")
    values = {s.name: _column(s, source) for s in frame.get_columns()}
    exact = {
        name: texts(frame[name].cast(pl.String).to_list())
        for name, column in values.items()
        if too_long(column)
    }
    return Table(values, (source,), exact=exact)


def _refuse_too_many(scanned: pl.LazyFrame, path: str) -> None:
    """Refuse a file whose cells would not fit into memory, before any of them is read."""
    rows = int(scanned.select(pl.len()).collect().item())
    schema = scanned.collect_schema()
    each = sum(_NUMBER if t.is_numeric() or t == pl.Boolean else _TEXT for t in schema.dtypes())
    refuse_memory(
        float(rows) * each,
        f"{path}: a table of {rows} rows and {len(schema)} columns",
        "take fewer rows or columns of it",
        error=TableError,
    )


def _column(series: pl.Series, source: Source) -> Anything:
    dtype = series.dtype
    if dtype.is_numeric() or dtype == pl.Null:
        values = series.cast(pl.Float64).to_numpy().astype(np.float64)
        refuse_infinite(values, values, series.name, source)
        return values
    if dtype == pl.Boolean:
        return texts([None if value is None else str(value) for value in series.to_list()])
    if dtype == pl.Duration:
        return (series.dt.total_microseconds().cast(pl.Float64) / 1e6).to_numpy()
    if dtype.is_temporal() or dtype in (pl.String, pl.Categorical, pl.Enum):
        return texts(words(series.cast(pl.String).fill_null("").to_list()))
    raise TableError(
        f"{source.path}, column {series.name!r}: cells of type {dtype} are neither "
        "numbers, dates, truth values nor text",
        at=str(source.path),
        remedy="flatten the column into columns of numbers or text, or remove it",
    )
