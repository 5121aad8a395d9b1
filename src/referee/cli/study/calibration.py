"""referee study calibration: coverage of every interval, size and power of every test."""

from __future__ import annotations

from pathlib import Path
from shutil import rmtree
from typing import Annotated, Optional

import typer

from referee.cli import options
from referee.cli.output import described, print_reports
from referee.cli.screen import note
from referee.cli.study.delivery import Jobs, place, save_figure

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
    from referee.report.figures.dots import dots_figure
    from referee.study import calibration as make

    folder = out / "draws" / f"seed-{seed}"
    place(out, "calibration.csv")
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
    write_text(place(out, "calibration.csv"), made.frame().to_csv(index=False))
    write_text(place(out, "calibration.md"), calibration_page(made))
    save_figure(dots_figure(made.pictures), place(out / "images", "calibration.png"))
    print_reports([described(made, seed=seed)])
