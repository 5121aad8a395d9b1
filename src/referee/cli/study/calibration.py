"""referee study calibration: coverage of every interval, size and power of every test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from shutil import rmtree
from typing import Annotated, Any, Optional

import typer

from referee.cli import options
from referee.cli.output import check_places, described, print_reports
from referee.cli.screen import note
from referee.cli.study.delivery import Jobs, drawn, tabled, write_study

__all__ = ["calibration"]


def calibration(
    quick: Annotated[
        bool, typer.Option("--quick", help="A few cells and repetitions: a rough look.")
    ] = False,
    cells: Annotated[
        Optional[list[str]],  # noqa: UP045 (typer reads it at run time)
        typer.Option("--cells", metavar="NAME", help="A cell, or 'begin*'; repeatable, else all."),
    ] = None,
    methods: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option(
            "--methods", metavar="NAME", help="A method, as reports name it; repeatable, else all."
        ),
    ] = None,
    repetitions: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option("--repetitions", help="Data sets in each cell, instead of its own number."),
    ] = None,
    seed: options.Seed = 0,
    jobs: Jobs = 1,
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            metavar="DIR",
            help="Write the table (CSV), the page (Markdown), the picture and all draws there.",
        ),
    ] = Path("calibration-study"),
    so_far: Annotated[
        bool, typer.Option("--so-far", help="Draw nothing more: tell what was drawn so far.")
    ] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Begin anew instead of going on where a run stopped.")
    ] = False,
) -> None:
    """Measure coverage, width, size and power where the truth is known, beside the promises.

    Draws that DIR/draws holds already are not made again; stop it whenever you like.
    """
    from referee.cli.study.draw_folder import DrawFolder
    from referee.report import write_text
    from referee.report.describe.calibration_page import calibration_page
    from referee.study import calibration as make

    folder = out / "draws" / f"seed-{seed}"
    check_places(out, force=True)
    if fresh and folder.exists():
        rmtree(folder)
    if folder.exists():
        note(f"draws in {folder} are not made again; --fresh begins anew")
    made = make(
        cells,
        methods,
        repetitions=repetitions,
        quick=quick,
        random_state=seed,
        n_jobs=jobs,
        draws=DrawFolder(folder=folder),
        so_far=so_far,
    )
    write_study(
        out,
        {
            "calibration.csv": tabled(made.frame()),
            "calibration.md": lambda path: write_text(path, calibration_page(made)),
            "images": _pictures(made),
        },
    )
    print_reports([described(made, seed=seed)])


def _pictures(made: Any) -> Callable[[Path], None]:
    from referee.report.figures.dots import dots_figure

    def write(folder: Path) -> None:
        folder.mkdir()
        drawn(lambda: dots_figure(made.pictures))(folder / "calibration.png")

    return write
