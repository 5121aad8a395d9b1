"""referee study bracket: between which errors the best possible one may lie."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from referee.cli.models.tabular import read_given
from referee.cli.study.delivery import Folder, show
from referee.cli.terminal import options
from referee.cli.terminal.output import check_places

__all__ = ["bracket"]


def bracket(
    table: Annotated[Path, typer.Argument(help="CSV, TSV, Parquet, JSON lines, ARFF, svmlight.")],
    target: options.Target = "",
    by: Annotated[
        Optional[str],  # noqa: UP045 (typer reads it at run time)
        typer.Option(
            "--by", metavar="HOW", help="Folds, loo or holdout; 10 folds up to 5000 cases."
        ),
    ] = None,
    groups: options.Groups = None,
    drop: options.Drop = None,
    level: options.Level = 0.95,
    header: options.Header = None,
    seed: options.Seed = 0,
    jobs: options.Jobs = None,
    out: Folder = Path("study-bracket"),
    force: options.Force = False,
) -> None:
    """Bracket the Bayes error of a table: a rich rule, and Cover and Hart from the nearest case."""
    check_places(out, force=force)
    from referee.study import bracket as make

    given = read_given(table, target=target, groups=groups, drop=drop, header=header)
    study = make(
        given.features,
        given.labels,
        by=by,
        groups=given.groups,
        level=level,
        random_state=seed,
        n_jobs=jobs,
    )
    show(study, out, "bracket", seed=seed)
