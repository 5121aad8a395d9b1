"""referee study luntz-brailovsky, optimism, bounds, consistency: claims of the notes, tried."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli import options
from referee.cli.output import check_places
from referee.cli.study.delivery import Folder, Jobs, Repetitions, numbers, show

__all__ = ["bounds", "consistency", "luntz_brailovsky", "optimism"]

TaskName = Annotated[
    str,
    typer.Option(
        "--task",
        metavar="NAME",
        help="two-normals, xor, rings, heavy-tails, imbalance, p-above-n; example-1 to example-3.",
    ),
]
Sizes = Annotated[str, typer.Option("--sizes", metavar="N,N,...", help="Numbers of cases.")]


def luntz_brailovsky(
    task: TaskName = "two-normals",
    model: Annotated[str, typer.Option("--model", help=options.MODELS)] = "lda",
    n: Annotated[int, typer.Option("--n", help="Cases in a sample.")] = 24,
    folds: Annotated[int, typer.Option("--folds", help="Folds; n must be a multiple.")] = 2,
    repetitions: Repetitions = 200,
    seed: options.Seed = 0,
    jobs: Jobs = -1,
    out: Folder = Path("study-luntz-brailovsky"),
    force: options.Force = False,
) -> None:
    """Hold cross-validation against the true risk of training on a fold less."""
    check_places(out, force=force)
    from referee.learners import model_from_name
    from referee.study import luntz_brailovsky as make

    made = make(
        task,
        model_from_name(model),
        n=n,
        folds=folds,
        repetitions=repetitions,
        random_state=seed,
        n_jobs=jobs,
    )
    show(made, out, "luntz-brailovsky", seed=seed)


def optimism(
    task: TaskName = "two-normals",
    family: Annotated[
        str, typer.Option("--family", help="What grows: neighbours, degree or depth.")
    ] = "neighbours",
    settings: Annotated[
        str, typer.Option("--settings", metavar="K,K,...", help="Its values.")
    ] = "1,3,5,9,15,25",
    n: Annotated[int, typer.Option("--n", help="Cases in a sample.")] = 100,
    repetitions: Repetitions = 50,
    seed: options.Seed = 0,
    jobs: Jobs = -1,
    out: Folder = Path("study-optimism"),
    force: options.Force = False,
) -> None:
    """Measure how far the training error lies below the truth as a rule grows richer."""
    check_places(out, force=force)
    from referee.study import optimism as make

    values = numbers(settings, int, "--settings")
    made = make(task, family, values, n=n, repetitions=repetitions, random_state=seed, n_jobs=jobs)
    show(made, out, "optimism", seed=seed)


def bounds(
    task: TaskName = "two-normals",
    sizes: Sizes = "50,200,1000",
    delta: Annotated[float, typer.Option("--delta", help="How often a bound may fail.")] = 0.05,
    repetitions: Repetitions = 200,
    seed: options.Seed = 0,
    jobs: Jobs = -1,
    out: Folder = Path("study-bounds"),
    force: options.Force = False,
) -> None:
    """Hold worst-case bounds for a fixed number of cases against what happens."""
    check_places(out, force=force)
    from referee.study import bounds as make

    made = make(
        task,
        sizes=numbers(sizes, int, "--sizes"),
        delta=delta,
        repetitions=repetitions,
        random_state=seed,
        n_jobs=jobs,
    )
    show(made, out, "bounds", seed=seed)


def consistency(
    task: TaskName = "two-normals",
    sizes: Sizes = "50,200,1000,5000",
    repetitions: Repetitions = 20,
    seed: options.Seed = 0,
    jobs: Jobs = -1,
    out: Folder = Path("study-consistency"),
    force: options.Force = False,
) -> None:
    """Watch 1 and ln N nearest neighbours as N grows; only the latter reach the Bayes error."""
    check_places(out, force=force)
    from referee.study import consistency as make

    made = make(
        task,
        sizes=numbers(sizes, int, "--sizes"),
        repetitions=repetitions,
        random_state=seed,
        n_jobs=jobs,
    )
    show(made, out, "consistency", seed=seed)
