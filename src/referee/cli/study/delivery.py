"""What every study shares: its options, and how its table and picture are written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.cli.terminal.output import described, print_reports
from referee.cli.terminal.screen import note

if TYPE_CHECKING:
    from referee.core.showing.experiment import Experiment

__all__ = [
    "Folder",
    "Jobs",
    "PictureFolder",
    "Repetitions",
    "drawn",
    "numbers",
    "place",
    "show",
    "tabled",
    "write_study",
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


def show(result: Experiment, out: Path, name: str, *, seed: int, table: bool = True) -> None:
    """Write NAME.csv, NAME.png and the report to the folder, and print what was seen.

    Without a `table` where the study has written it by itself.
    """
    from referee.report import write_result
    from referee.report.figures.picture import pictures_figure

    document = described(result, seed=seed)
    more: dict[str, Any] = {f"{name}.png": drawn(lambda: pictures_figure(result.pictures))}
    if table:
        more[f"{name}.csv"] = tabled(result.frame())
    write_result(result, out, force=True, document=document, more=more)
    note(f"wrote {out}")
    print_reports([document])


def write_study(out: Path, files: dict[str, Any]) -> None:
    """Write the files of a study that has no report, all of them or none, and say where."""
    from referee.report import write_together

    write_together(out, files, force=True)
    note(f"wrote {out}")


def tabled(frame: Any) -> Callable[[Path], None]:
    """Return what writes a table as CSV."""
    from referee.report import write_text

    return lambda path: write_text(path, frame.to_csv(index=False))


def drawn(draw: Callable[[], Any]) -> Callable[[Path], None]:
    """Return what draws a picture and writes it as PNG."""

    def write(path: Path) -> None:
        import matplotlib.pyplot as plt

        figure = draw()
        try:
            figure.savefig(path, dpi=150)
        finally:
            plt.close(figure)

    return write


def place(folder: Path, name: str) -> Path:
    """Return the path of a file in a folder, which is made if it is not there."""
    from referee.errors import InputError

    if folder.is_file():
        raise InputError(
            f"{folder} cannot be written: it is a file",
            at=str(folder),
            remedy="name a folder",
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise InputError(
            f"{folder} cannot be written: {problem.strerror}",
            at=str(folder),
        ) from None
    return folder / name


def numbers(text: str, kind: type, option: str) -> list[Any]:
    """Return numbers that were given with commas between."""
    from referee.errors import InputError

    try:
        return [kind(part) for part in text.split(",") if part.strip()]
    except ValueError:
        raise InputError(
            f"{option} must be numbers with commas between, got {text!r}",
            concerning=option.lstrip("-"),
        ) from None
