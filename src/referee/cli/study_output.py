"""Where experiments write tables and pictures, and how options of several numbers are read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from referee.cli.output import note

__all__ = ["Folder", "Jobs", "draw", "file_in", "numbers"]

Folder = Annotated[
    Path, typer.Option("--out", metavar="DIR", help="Write the table (CSV) and the picture there.")
]
Jobs = Annotated[int, typer.Option("--jobs", help="Repetitions to run at once; -1 for all cores.")]


def numbers(text: str, kind: type, option: str) -> list[Any]:
    """Return the numbers of an option such as 2,5,10."""
    from referee.errors import InputError

    try:
        return [kind(part) for part in text.split(",") if part.strip()]
    except ValueError:
        raise InputError(f"{option} must be numbers with commas between, got {text!r}") from None


def file_in(folder: Path, name: str) -> Path:
    """Return a file in a folder, which is made if need be."""
    from referee.errors import InputError

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise InputError(f"{folder} cannot be written: {problem.strerror}") from None
    return folder / name


def draw(figure: Any, path: Path) -> None:
    """Write a picture and say where."""
    figure.savefig(path, dpi=150)
    note(f"wrote {path.parent}")
