"""Writing results to disk: all of it or nothing."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from referee.core.predictions import Predictions
from referee.errors import InputError
from referee.report.describe import describe
from referee.report.document import Document
from referee.report.figure_files import FIGURES, write_figures
from referee.report.html import to_html_text
from referee.report.json import to_json_text
from referee.report.predictions_table import predictions_table

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
    above = next(p for p in (target, *target.absolute().parents) if p.exists())
    if not above.is_dir():
        raise InputError(f"{directory} cannot be written: {above} is a file; name another place")
    if not os.access(above, os.W_OK | os.X_OK):
        raise InputError(f"{directory} cannot be written: permission denied in {above}")
    return target


def write_result(
    result: Any,
    directory: str | PathLike[str],
    *,
    force: bool = False,
    document: Document | None = None,
) -> Path:
    """Write report.html, results.json, figures/ and, where there are any, predictions.parquet.

    Everything is made in a hidden folder first and moved at the end, so that an error leaves
    nothing half-written. A directory that is not empty is refused unless `force` is set; then only
    files of these names, and figures of an earlier report, are replaced. `document` stands in for
    the result's own description.
    """
    target = check_directory(directory, force=force)
    document = document or describe(result)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".referee-") as work:
            made = Path(work) / target.name
            made.mkdir()
            write_text(made / "report.html", to_html_text(document))
            write_text(made / "results.json", to_json_text(document))
            write_figures(document, made / FIGURES)
            predictions = getattr(result, "predictions", None)
            if predictions is not None:
                _write_predictions(predictions, made / "predictions.parquet")
            _move(made, target)
    except OSError as problem:
        raise InputError(f"{directory} cannot be written: {problem.strerror}") from problem
    return target


def _move(made: Path, target: Path) -> None:
    """Put the folder in its place, at one stroke where nothing is there yet."""
    if target.exists() and any(target.iterdir()):
        for old in target.glob(f"{FIGURES}/[0-9][0-9]-*.svg"):
            old.unlink()
        for file in sorted(p for p in made.rglob("*") if p.is_file()):
            place = target / file.relative_to(made)
            place.parent.mkdir(exist_ok=True)
            os.replace(file, place)
        return
    if target.exists():
        target.rmdir()
    os.replace(made, target)


def _write_predictions(predictions: Predictions | Mapping[str, Predictions], path: Path) -> None:
    predictions_table(predictions).write_parquet(path)
