"""What every study shares: its options, and how its table and picture are written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.cli.output import described, print_reports
from referee.cli.screen import note

if TYPE_CHECKING:
    from referee.core.experiment import Experiment

__all__ = [
    "Folder",
    "Jobs",
    "PictureFolder",
    "Repetitions",
    "draw_and_print",
    "numbers",
    "place",
    "save_figure",
    "show",
]

Folder = Annotated[
    Path,
    typer.Option(
        "--out",
        metavar="DIR",
        help="Write the table (CSV), the picture, report.html, results.json and figures/ there.",
    ),
]
PictureFolder = Annotated[
    Path, typer.Option("--out", metavar="DIR", help="Write the table (CSV) and the picture there.")
]
Jobs = Annotated[int, typer.Option("--jobs", help="Repetitions to run at once; -1 for all cores.")]
Repetitions = Annotated[int, typer.Option("--repetitions", help="Samples for each setting.")]


def show(result: Experiment, out: Path, name: str, *, seed: int) -> None:
    """Write NAME.csv, NAME.png and the report to the folder, and print what was seen."""
    from referee.report import write_text

    write_text(place(out, f"{name}.csv"), result.frame().to_csv(index=False))
    draw_and_print(result, out, name, seed=seed)


def draw_and_print(result: Experiment, out: Path, name: str, *, seed: int) -> None:
    """Write NAME.png and the report to the folder, and print what was seen."""
    from referee.report import write_result
    from referee.report.figures.picture import pictures_figure

    document = described(result, seed=seed)
    write_result(result, out, force=True, document=document)
    save_figure(pictures_figure(result.pictures), out / f"{name}.png")
    print_reports([document])


def place(folder: Path, name: str) -> Path:
    """Return the path of a file in a folder, which is made if it is not there."""
    from referee.errors import InputError

    if folder.is_file():
        raise InputError(f"{folder} cannot be written: it is a file; name a folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise InputError(f"{folder} cannot be written: {problem.strerror}") from None
    return folder / name


def save_figure(figure: Any, path: Path) -> None:
    """Write a picture and say where it is."""
    import matplotlib.pyplot as plt

    from referee.errors import InputError

    try:
        figure.savefig(path, dpi=150)
    except OSError as problem:
        raise InputError(f"{path} cannot be written: {problem.strerror}") from None
    finally:
        plt.close(figure)
    note(f"wrote {path.parent}")


def numbers(text: str, kind: type, option: str) -> list[Any]:
    """Return numbers that were given with commas between."""
    from referee.errors import InputError

    try:
        return [kind(part) for part in text.split(",") if part.strip()]
    except ValueError:
        raise InputError(f"{option} must be numbers with commas between, got {text!r}") from None
