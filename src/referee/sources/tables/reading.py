"""Reading: from the name of a file to a table, by the file's extension."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import PurePath

from referee.errors import TableError
from referee.sources.tables.arff import read_arff
from referee.sources.tables.delimited import Header, read_csv, read_tsv
from referee.sources.tables.table import Table

__all__ = ["CATALOGUE", "read_table"]


def _read_svmlight(path: str) -> Table:
    from referee.sources.tables.svmlight import read_svmlight

    return read_svmlight(path)


def _read_parquet(path: str) -> Table:
    from referee.sources.tables.columnar import read_parquet

    return read_parquet(path)


def _read_json_lines(path: str) -> Table:
    from referee.sources.tables.json_lines import read_json_lines

    return read_json_lines(path)


CATALOGUE: dict[str, Callable[..., Table]] = {
    "csv": read_csv,
    "tsv": read_tsv,
    "arff": read_arff,
    "svmlight": _read_svmlight,
    "libsvm": _read_svmlight,
    "svm": _read_svmlight,
    "parquet": _read_parquet,
    "jsonl": _read_json_lines,
    "ndjson": _read_json_lines,
}
"""Extension to reader; any other text file is read as CSV."""

_WITH_HEADER_OPTION = (read_csv, read_tsv)

_REFUSED = {
    **dict.fromkeys(("xlsx", "xls", "xlsm", "ods"), "save the sheet as CSV (UTF-8)"),
    **dict.fromkeys(("zip", "tar", "tgz", "bz2", "xz", "zst", "7z", "rar"), "unpack it first"),
    **dict.fromkeys(("pkl", "pickle", "joblib"), "write the table as CSV or Parquet"),
    **dict.fromkeys(("npy", "npz", "mat", "rds", "rdata"), "write the table as CSV or Parquet"),
    **dict.fromkeys(("feather", "arrow", "orc", "h5", "hdf5"), "write the table as Parquet"),
    **dict.fromkeys(("sav", "dta", "sas7bdat"), "export the table as CSV"),
    **dict.fromkeys(("sqlite", "db"), "export the table as CSV"),
    "json": "write one object a line (JSON lines) and name the file .jsonl",
}


def read_table(path: str | os.PathLike[str], *, header: Header = "auto") -> Table:
    r"""Read a table from a file.

    Parameters
    ----------
    path : str or path
        CSV, TSV, ARFF, svmlight (libsvm), Parquet or JSON lines, told apart by the extension;
        the text formats may be packed with gzip (``.csv.gz``). Any other text file is read as
        CSV.
    header : bool or "auto"
        Whether the first line of a CSV or TSV file holds the names of the columns; ``"auto"``
        takes it for data when any of its cells is a number or a missing value, and
        `Table.header` says what was decided. Other formats carry their names.

    Returns
    -------
    Table
        The columns, and the file and line of every row.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    ...     _ = file.write("age;class\n39;no\n50;yes\n")
    ...     file.flush()
    ...     table = read_table(file.name)
    >>> table.header, table.n_rows, table.first_line
    (True, 2, 2)
    >>> table.labels("class").tolist()
    ['no', 'yes']
    >>> read_table("results.xlsx")
    Traceback (most recent call last):
    ...
    referee.errors.TableError: results.xlsx: .xlsx files cannot be read; save the sheet as CSV
    (UTF-8)
    """
    if not isinstance(header, bool) and header != "auto":
        raise TableError("must be True, False or 'auto'", argument="header", value=repr(header))
    name = os.fspath(path)
    if not isinstance(name, str):
        raise TableError("must be the name of a file", argument="path", value=repr(path))
    extension = _extension(name)
    if extension in _REFUSED:
        raise TableError(
            f"{name}: .{extension} files cannot be read; {_REFUSED[extension]}", at=str(name)
        )
    reader = CATALOGUE.get(extension, read_csv)
    return reader(name, header=header) if reader in _WITH_HEADER_OPTION else reader(name)


def _extension(path: str) -> str:
    name = PurePath(path.lower())
    return (PurePath(name.stem) if name.suffix == ".gz" else name).suffix.removeprefix(".")
