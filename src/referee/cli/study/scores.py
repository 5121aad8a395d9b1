"""referee study scores: intervals of scores, ours and of other tools, where the mean is known."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from referee.cli.study.delivery import Folder, Jobs, Repetitions, place, show
from referee.cli.terminal import options
from referee.cli.terminal.output import check_places

__all__ = ["scores"]


def scores(
    method: Annotated[
        Optional[list[str]],  # noqa: UP045 (typer reads it at run time)
        typer.Option("--method", metavar="NAME", help="Try this interval besides; may repeat."),
    ] = None,
    repetitions: Repetitions = 1200,
    seed: options.Seed = 0,
    jobs: Jobs = -1,
    out: Folder = Path("study-scores"),
    force: options.Force = False,
) -> None:
    """Try intervals of scores, ours and those of other tools, where the mean is known.

    Writes calibration_scores.csv besides, the table that reports quote.
    """
    check_places(out, force=force)
    from referee.report import write_text
    from referee.study import scores as make

    study = make(
        methods=tuple(method or ()), repetitions=repetitions, random_state=seed, n_jobs=jobs
    )
    show(study, out, "scores", seed=seed)
    write_text(place(out, "calibration_scores.csv"), study.records().to_csv(index=False))
