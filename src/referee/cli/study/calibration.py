"""referee study calibration: coverage of every interval, size and power of every test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from shutil import rmtree
from typing import Annotated, Any, Optional

import typer

from referee.cli.study.delivery import Jobs, drawn, tabled, write_study
from referee.cli.terminal import options
from referee.cli.terminal.output import check_places, described, print_reports
from referee.cli.terminal.screen import note

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
    method: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--method", metavar="NAME", help="With --task: the method to try there."),
    ] = None,
    task: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(
            "--task",
            metavar="FILE",
            help="Try a method on a task of your own: TOML with learner, sizes and [task] means, "
            "covariances, priors.",
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
    undecided: Annotated[
        bool,
        typer.Option(
            "--undecided", help="Draw only where a promise is not decided, cheap ones first."
        ),
    ] = False,
    minutes: Annotated[
        Optional[float],  # noqa: UP045
        typer.Option("--minutes", min=0, help="With --undecided: begin nothing new after so many."),
    ] = None,
    with_kept: Annotated[
        bool,
        typer.Option(
            "--with-kept", help="Take rows of the published table that rest on more data sets."
        ),
    ] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Begin anew instead of going on where a run stopped.")
    ] = False,
) -> None:
    """Measure coverage, width, size and power where the truth is known, beside the promises.

    Draws that DIR/draws holds already are not made again; stop it whenever you like.
    """
    from referee.cli.study.draw_folder import DrawFolder
    from referee.errors import InputError
    from referee.report import write_text
    from referee.report.describe.calibration_page import calibration_page
    from referee.study import calibration as make
    from referee.study.calibration.own_task import own_cells

    if (method is None) != (task is None):
        raise InputError(
            "--method and --task go together: which method, on which task",
            concerning="method",
        )
    own: list[Any] | None = None
    if task is not None and method is not None:
        if cells or methods or undecided or quick:
            raise InputError(
                "--task is tried with --method alone",
                concerning="task",
                remedy="leave out --cells, --methods, --quick and --undecided",
            )
        own, methods = list(own_cells(task, method)), [method]
        out = Path(f"{out}-{task.stem}") if out == Path("calibration-study") else out
    folder = out / "draws" / f"seed-{seed}"
    check_places(out, force=True)
    if fresh and folder.exists():
        rmtree(folder)
    if folder.exists():
        note(f"draws in {folder} are not made again; --fresh begins anew")
    study = make(
        own or cells,
        methods,
        repetitions=repetitions,
        quick=quick,
        random_state=seed,
        n_jobs=jobs,
        draws=DrawFolder(folder=folder),
        so_far=so_far,
        undecided=undecided,
        with_kept=with_kept,
        seconds=None if minutes is None else 60 * minutes,
    )
    write_study(
        out,
        {
            "calibration.csv": tabled(study.frame()),
            "calibration.md": lambda path: write_text(path, calibration_page(study)),
            "images": _pictures(study),
        },
    )
    print_reports([described(study, seed=seed)])


def _pictures(study: Any) -> Callable[[Path], None]:
    from referee.report.figures.dots import dots_figure

    def write(folder: Path) -> None:
        folder.mkdir()
        drawn(lambda: dots_figure(study.pictures))(folder / "calibration.png")

    return write
