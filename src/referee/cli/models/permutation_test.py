"""referee permutation-test TABLE --target COL --model NAME: would chance do as well?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from referee.cli.models.tabular import one_model_a_label, predicts_quantities, read_given
from referee.cli.models.tuning import grid_of, tuned_models
from referee.cli.terminal import options
from referee.cli.terminal.output import check_places, deliver

__all__ = ["permutation_test"]


def permutation_test(
    table: Annotated[Path, typer.Argument(help="CSV, TSV, Parquet, JSON lines, ARFF or svmlight.")],
    target: options.Target = "",
    model: Annotated[
        Optional[list[str]],  # noqa: UP045 (typer reads it at run time)
        typer.Option("--model", metavar="NAME", help=options.MODELS),
    ] = None,
    permutations: Annotated[
        int, typer.Option("--permutations", metavar="M", help="How many relabellings.")
    ] = 1000,
    by: Annotated[
        str,
        typer.Option("--by", metavar="HOW", help="A number of folds, 10x10, loo or holdout."),
    ] = "5",
    test: options.TestTable = None,
    test_share: options.TestShare = None,
    tune: options.Tune = None,
    inner_folds: options.InnerFolds = 5,
    measure: options.MeasureName = "auto",
    null: Annotated[
        str,
        typer.Option(
            "--null",
            help="labels: they have nothing to do with features. features: within the classes, "
            "they have nothing to do with each other.",
        ),
    ] = "labels",
    labels: Annotated[
        str, typer.Option("--labels", help="shuffled, or sampled from the classes' shares.")
    ] = "shuffled",
    groups: options.Groups = None,
    drop: options.Drop = None,
    pos_label: options.PosLabel = None,
    cost: options.CostPair = None,
    stop_after: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option("--stop-after", metavar="H", help="Stop when H did at least as well."),
    ] = None,
    level: options.Level = 0.95,
    task: options.TaskName = "auto",
    separator: options.Separator = None,
    header: options.Header = None,
    seed: options.Seed = 0,
    jobs: options.Jobs = None,
    cluster: options.Cluster = None,
    checkpoint: options.Checkpoint = None,
    json: options.Json = False,
    out: options.Out = None,
    bundle: options.Bundle = None,
    force: options.Force = False,
) -> None:
    """Say whether a learner found structure in a table, or chance would do as well.

    Exits with 0 if structure was shown, with 1 if not.
    """
    from referee.learners import model_from_name
    from referee.permuting.permutation_test import permutation_test as judge

    check_places(out, bundle, force=force, results=len(model or [""]))
    grid = grid_of(tune)
    default = "linear" if task == "regression" else "logistic"
    estimators = {name: model_from_name(name) for name in model or [default]}
    fixed = test is not None or test_share is not None
    given = read_given(
        table,
        target=target,
        by="auto" if fixed and by == "5" else by,
        test=test,
        test_share=test_share,
        groups=groups,
        drop=drop,
        header=header,
        numeric=predicts_quantities(task, estimators),
        separator=separator,
        task=task,
    )
    ready = tuned_models(estimators, given.features, grid, inner_folds)
    results = [
        judge(
            estimator,
            given.features,
            given.labels,
            permutations=permutations,
            by=given.how,
            measure=measure,
            null=null,
            labels=labels,
            groups=given.groups,
            pos_label=pos_label,
            costs=cost,
            stop_after=stop_after,
            level=level,
            name=name,
            random_state=seed,
            n_jobs=jobs,
            backend=cluster,
            checkpoint=checkpoint,
            task=task,
        )
        for name, estimator in one_model_a_label(ready, given.labels, tuned=bool(tune)).items()
    ]
    deliver(results, as_json=json, out=out, bundle=bundle, force=force)
