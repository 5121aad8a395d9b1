"""Writing results to disk: all of it or nothing."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from referee.core.predictions import Predictions
from referee.errors import InputError
from referee.report.describe import describe
from referee.report.document import Document
from referee.report.html import to_html_text
from referee.report.json import to_json_text

__all__ = ["check_directory", "write_result", "write_text"]


def write_text(path: str | PathLike[str], text: str) -> None:
    """Write a file so that it is there whole or not at all."""
    target = Path(path)
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as problem:
        raise InputError(f"{path} cannot be written: {problem.strerror}") from problem
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
        os.chmod(name, 0o644)
        os.replace(name, target)
    except OSError as problem:
        raise InputError(f"{path} cannot be written: {problem.strerror}") from problem
    finally:
        Path(name).unlink(missing_ok=True)


def check_directory(directory: str | PathLike[str], *, force: bool = False) -> Path:
    """Refuse a directory that cannot take a report; worth asking before any work is done."""
    target = Path(directory)
    if target.exists() and not target.is_dir():
        raise InputError(f"{directory} is a file; name a directory to write the report into")
    if target.exists() and any(target.iterdir()) and not force:
        raise InputError(f"{directory} is not empty; name another directory or use --force")
    return target


def write_result(
    result: Any,
    directory: str | PathLike[str],
    *,
    force: bool = False,
    document: Document | None = None,
) -> Path:
    """Write report.html, results.json and, where there are any, predictions.parquet.

    Everything is made in a hidden folder first and moved at the end, so that an error leaves
    nothing half-written. A directory that is not empty is refused unless `force` is set; then only
    files of these names are replaced. `document` stands in for the result's own description.
    """
    target = check_directory(directory, force=force)
    document = document or describe(result)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".referee-") as work:
            made = Path(work)
            write_text(made / "report.html", to_html_text(document))
            write_text(made / "results.json", to_json_text(document))
            if hasattr(result, "predictions"):
                _write_predictions(result.predictions, made / "predictions.parquet")
            target.mkdir(exist_ok=True)
            for file in sorted(made.iterdir()):
                shutil.move(file, target / file.name)
    except OSError as problem:
        raise InputError(f"{directory} cannot be written: {problem.strerror}") from problem
    return target


def _write_predictions(predictions: Predictions | Mapping[str, Predictions], path: Path) -> None:
    """Write the table of predictions; those of several models one below the other, by name."""
    import polars as pl

    named = predictions if isinstance(predictions, Mapping) else {"": predictions}
    frames = [_columns(name, table) for name, table in named.items()]
    pl.concat(frames).write_parquet(path)


def _columns(name: str, table: Predictions) -> Any:
    import polars as pl

    frame = table.frame()
    columns = {str(c): frame[c].to_numpy() for c in frame.columns}
    return pl.DataFrame(({"model": [name] * len(frame)} if name else {}) | columns)
