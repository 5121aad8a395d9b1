"""referee study bracket: between which errors the best possible one may lie."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli import options
from referee.cli.study.delivery import Folder, show
from referee.cli.tabular import read_given

__all__ = ["bracket"]


def bracket(
    table: Annotated[Path, typer.Argument(help="CSV, TSV, Parquet, JSON lines, ARFF, svmlight.")],
    target: options.Target = "",
    groups: options.Groups = None,
    drop: options.Drop = None,
    level: options.Level = 0.95,
    header: options.Header = None,
    seed: options.Seed = 0,
    jobs: options.Jobs = None,
    out: Folder = Path("study-bracket"),
) -> None:
    """Bracket the Bayes error of a table: a rich rule, and Cover and Hart from the nearest case."""
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    from referee.learners import for_table
    from referee.learners.gaussian.bayes import GaussianBayes
    from referee.study import bracket as make

    given = read_given(table, target=target, groups=groups, drop=drop, header=header)
    made = make(
        given.features,
        given.labels,
        rule=for_table(
            make_pipeline(StandardScaler(), GaussianBayes(shrinkage=0.01)), given.features
        ),
        nearest=for_table(KNeighborsClassifier(1), given.features),
        groups=given.groups,
        level=level,
        random_state=seed,
        n_jobs=jobs,
    )
    show(made, out, "bracket")
