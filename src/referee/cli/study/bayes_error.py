"""referee study bayes-error: error estimates against the Bayes error and the true risk."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from referee.cli.study.delivery import Folder, Jobs, Repetitions, numbers, place, show
from referee.cli.terminal import options
from referee.cli.terminal.screen import note

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["bayes_error"]


def bayes_error(
    dims: Annotated[
        str, typer.Option("--dims", metavar="D,D,...", help="Dimensions.")
    ] = "2,5,10,20",
    per_class: Annotated[
        str, typer.Option("--per-class", metavar="N,N,...", help="Cases in each class.")
    ] = "50",
    bayes: Annotated[
        str, typer.Option("--bayes", metavar="E,E,...", help="Bayes errors, below .5.")
    ] = "0.10",
    repetitions: Repetitions = 150,
    method: Annotated[
        Optional[list[str]],  # noqa: UP045 (typer reads it at run time)
        typer.Option(
            "--method",
            help="resubstitution, holdout, cv, loo, optimism, .632+; repeatable, else all.",
        ),
    ] = None,
    seed: options.Seed = 0,
    jobs: Jobs = -1,
    out: Folder = Path("bayes-error-study"),
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Begin anew instead of going on where a run stopped.")
    ] = False,
) -> None:
    """Hold error estimates of a quadratic classifier against the Bayes error and the true risk.

    Settings that DIR/bayes-error.csv holds already are not run again.
    """
    from referee.report import write_text
    from referee.study import METHODS, bayes_error_study

    table = out / "bayes-error.csv"
    study = bayes_error_study(
        numbers(dims, int, "--dims"),
        numbers(bayes, float, "--bayes"),
        numbers(per_class, int, "--per-class"),
        methods=method or METHODS,
        repetitions=repetitions,
        random_state=seed,
        n_jobs=jobs,
        resume=None if fresh else _earlier(table),
        after=lambda frame: write_text(place(out, table.name), frame.to_csv(index=False)),
    )
    # The table holds settings of earlier runs, too.
    show(study, out, "bayes-error", seed=seed, table=False)


def _earlier(path: Path) -> pd.DataFrame | None:
    import pandas as pd

    from referee.errors import InputError

    if not path.exists():
        return None
    try:
        frame = pd.read_csv(path)
    except (ValueError, OSError) as problem:
        why = " ".join(str(problem).split())
        raise InputError(
            f"{path} is no table of a study: {why}",
            concerning="fresh",
            at=str(path),
            remedy="use --fresh",
        ) from None
    if not {"dimension", "bayes_error", "per_class", "method", "mean", "learner"} <= set(frame):
        raise InputError(
            f"{path} is no table of this study",
            concerning="fresh",
            at=str(path),
            remedy="use --fresh or another --out",
        )
    note(f"settings that {path} holds are not run again; --fresh begins anew")
    return frame
