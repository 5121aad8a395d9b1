"""Writing results to disk: all of it or nothing."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

from referee.core.predictions import Predictions
from referee.errors import InputError, arg
from referee.report.describe import describe
from referee.report.describe.predictions_table import predictions_table
from referee.report.document import Document
from referee.report.figure_files import FIGURES, FORMATS, checked_formats, write_figures
from referee.report.html import to_html_text
from referee.report.json import to_json_text
from referee.report.latex import to_latex_text

__all__ = ["check_directory", "write_result", "write_text", "write_together"]

Writer: TypeAlias = Callable[[Path], None]
"""Writes one file, or folder, at the path it is given."""

_PAGE = "report.html"
_RECORD = "results.json"
_TABLES = "table.tex"
_PREDICTIONS = "predictions.parquet"


def write_text(path: str | PathLike[str], text: str) -> None:
    """Write a file so that it is there whole or not at all."""
    target = Path(path)
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as problem:
        raise InputError(
            f"{path} cannot be written: {problem.strerror}", concerning="out"
        ) from problem
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
        os.chmod(name, 0o644)
        os.replace(name, target)
    except OSError as problem:
        raise InputError(
            f"{path} cannot be written: {problem.strerror}", concerning="out"
        ) from problem
    finally:
        Path(name).unlink(missing_ok=True)


def check_directory(directory: str | PathLike[str], *, force: bool = False) -> Path:
    """Refuse a directory that cannot take a report; worth asking before any work is done."""
    target = Path(directory)
    if target.exists() and not target.is_dir():
        raise InputError(
            f"{directory} is a file", remedy="name a directory to write the report into"
        )
    if target.exists() and any(target.iterdir()) and not force:
        raise InputError(
            f"{directory} is not empty",
            remedy=f"name another directory or pass {arg('force', True)}",
        )
    above = next(p for p in (target, *target.absolute().parents) if p.exists())
    if not above.is_dir():
        raise InputError(
            f"{directory} cannot be written: {above} is a file",
            concerning="out",
            remedy="name another place",
        )
    if not os.access(above, os.W_OK | os.X_OK):
        raise InputError(
            f"{directory} cannot be written: permission denied in {above}", concerning="out"
        )
    return target


def write_result(
    result: Any,
    directory: str | PathLike[str],
    *,
    force: bool = False,
    document: Document | None = None,
    figures: Sequence[str] = FORMATS,
    more: Mapping[str, Writer] | None = None,
) -> Path:
    """Write report.html, results.json, table.tex, figures/ and predictions.parquet.

    The last two only where there are any. `figures` names the kinds of their files: "svg", "pdf",
    "png".

    A directory that is not empty is refused unless `force` is set; then only files of these names
    are replaced, and those of an earlier report removed. `document` stands in for the result's own
    description; `more` are further files, by name.
    """
    kinds = checked_formats(figures)
    shown = document or describe(result)
    writers: dict[str, Writer] = {
        _PAGE: lambda path: write_text(path, to_html_text(shown)),
        _RECORD: lambda path: write_text(path, to_json_text(shown)),
        _TABLES: lambda path: write_text(path, to_latex_text(shown)),
        FIGURES: lambda path: write_figures(shown, path, kinds),
    }
    predictions = getattr(result, "predictions", None)
    if predictions is not None:
        writers[_PREDICTIONS] = lambda path: _write_predictions(predictions, path)
    return write_together(directory, {**writers, **(more or {})}, force=force)


def write_together(
    directory: str | PathLike[str], writers: Mapping[str, Writer], *, force: bool = False
) -> Path:
    """Write several files into a directory, all of them or none.

    They are made in a hidden folder first and moved at the end, so that an error, or a full disk,
    leaves nothing half-written.
    """
    target = check_directory(directory, force=force)
    # Where links lead to: a link itself, or ".", cannot be put in place.
    place = Path(os.path.realpath(target))
    # What is there already may be the root of a file system of its own.
    beside = place if place.is_dir() else place.parent
    lacking = [p for p in (beside, *beside.parents) if not p.exists()]
    try:
        beside.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=beside, prefix=".referee-") as work:
            new = Path(work) / "new"
            new.mkdir()
            for name, write in writers.items():
                write(new / name)
            if place.is_dir():
                _move_into(new, place, Path(work) / "old")
            else:
                os.replace(new, place)
    except BaseException as problem:
        for folder in lacking:
            _remove_if_empty(folder)
        if isinstance(problem, OSError):
            raise InputError(
                f"{directory} cannot be written: {problem.strerror}", concerning="out"
            ) from problem
        raise
    return target


def _move_into(folder: Path, place: Path, old: Path) -> None:
    """Put the files into a folder that is there; what was there comes back if one cannot be."""
    new = sorted(p.relative_to(folder) for p in folder.rglob("*") if p.is_file())
    done: list[tuple[Path, Path]] = []
    had_figures = (place / FIGURES).exists()

    def move(source: Path, goal: Path) -> None:
        goal.parent.mkdir(parents=True, exist_ok=True)
        os.rename(source, goal)
        done.append((source, goal))

    try:
        for name in dict.fromkeys((*_earlier(place), *new)):
            if (place / name).is_file() or (place / name).is_symlink():
                move(place / name, old / name)
        for name in new:
            move(folder / name, place / name)
    except BaseException:
        for source, goal in reversed(done):
            os.rename(goal, source)
        if not had_figures:
            _remove_if_empty(place / FIGURES)
        raise
    _remove_if_empty(place / FIGURES)


def _earlier(place: Path) -> list[Path]:
    """Return the files of an earlier report; a table of predictions alone may be the user's own."""
    earlier = [
        p.relative_to(place)
        for p in place.glob(f"{FIGURES}/[0-9][0-9]-*")
        if p.suffix in (".svg", ".pdf", ".png")
    ]
    try:
        record = json.loads((place / _RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return earlier
    ours = isinstance(record, dict) and {"schema", "kind"} <= record.keys()
    return [*earlier, Path(_PREDICTIONS)] if ours else earlier


def _remove_if_empty(folder: Path) -> None:
    with contextlib.suppress(OSError):
        folder.rmdir()


def _write_predictions(predictions: Predictions | Mapping[str, Predictions], path: Path) -> None:
    predictions_table(predictions).write_parquet(path)
