"""referee evaluate TABLE --target COL: how good is a model on this table?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from referee.cli.models.tabular import one_model_a_label, predicts_quantities, read_given
from referee.cli.models.tuning import grid_of, tuned_models
from referee.cli.terminal import options
from referee.cli.terminal.output import check_places, deliver

__all__ = ["evaluate"]

_BY = "How to split: {schemes}."


def evaluate(
    table: Annotated[Path, typer.Argument(help="CSV, TSV, Parquet, JSON lines, ARFF or svmlight.")],
    target: options.Target = "",
    model: Annotated[
        Optional[list[str]],  # noqa: UP045 (typer reads it at run time)
        typer.Option("--model", metavar="NAME", help=options.MODELS),
    ] = None,
    tune: options.Tune = None,
    inner_folds: options.InnerFolds = 5,
    by: Annotated[str, typer.Option("--by", metavar="HOW", help=_BY)] = "auto",
    test: options.TestTable = None,
    test_share: options.TestShare = None,
    rounds: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option("--rounds", help="Resamples of the bootstrap (--by bootstrap)."),
    ] = None,
    groups: options.Groups = None,
    time: options.Time = None,
    weight: options.Weight = None,
    weights_in_fit: options.WeightsInFit = False,
    drop: options.Drop = None,
    drop_copies: options.DropCopies = False,
    pos_label: options.PosLabel = None,
    measure: options.Measures = None,
    interval: options.IntervalName = "auto",
    about: Annotated[
        str,
        typer.Option(
            "--about",
            metavar="TARGET",
            help="What intervals from several fits speak about: conditional (the model trained "
            "on all rows) or expected (the learning procedure); auto is the first where it can be.",
        ),
    ] = "auto",
    max_fits: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(
            "--max-fits",
            metavar="N",
            help="Models that may be trained, besides the one on all rows; 10 for one pass.",
        ),
    ] = None,
    repeats: Annotated[
        int,
        typer.Option(
            "--repeats",
            metavar="R",
            help="Go through the plan R times, with other seeds of a learner that has chance in "
            "it.",
        ),
    ] = 1,
    cost: options.CostPair = None,
    max_error: options.MaxError = None,
    claim: options.Claims = None,
    level: options.Level = 0.95,
    task: options.TaskName = "auto",
    separator: options.Separator = None,
    header: options.Header = None,
    dismiss: options.Dismiss = None,
    seed: options.Seed = 0,
    jobs: options.Jobs = None,
    cluster: options.Cluster = None,
    checkpoint: options.Checkpoint = None,
    json: options.Json = False,
    out: options.Out = None,
    bundle: options.Bundle = None,
    force: options.Force = False,
) -> None:
    """Measure how good a model is on a table, with an interval, warnings and one sentence.

    Columns of any kind become features inside each training set, never before the split.
    Exits with 0 if the model was shown to beat guessing (or to keep --max-error and every
    --claim; to cost less than one answer given always, with --costs), else with 1.
    """
    from referee.errors import InputError
    from referee.judging.evaluate import evaluate as judge
    from referee.learners import model_from_name

    if about not in ("auto", "conditional", "expected"):
        raise InputError(
            f"--about must be conditional or expected (or auto), got {about}",
            concerning="about",
        )
    check_places(out, bundle, force=force, results=len(model or [""]))
    grid = grid_of(tune)
    default = "linear" if task == "regression" else "logistic"
    estimators = {name: model_from_name(name) for name in model or [default]}
    given = read_given(
        table,
        target=target,
        by=by,
        test=test,
        test_share=test_share,
        rounds=rounds,
        groups=groups,
        time=time,
        weight=weight,
        drop=drop,
        drop_copies=drop_copies,
        header=header,
        numeric=predicts_quantities(task, estimators),
        separator=separator,
        task=task,
    )
    tuned = tuned_models(estimators, given.features, grid, inner_folds)
    tuned = one_model_a_label(tuned, given.labels, tuned=bool(tune))
    results = [
        judge(
            estimator,
            given.features,
            given.labels,
            by=given.how,
            measures=measure,
            groups=given.groups,
            time=given.time,
            sample_weight=given.weight,
            weights_in_fit=weights_in_fit,
            pos_label=pos_label,
            interval=interval,
            about=about,
            max_fits=max_fits,
            repeats=repeats,
            max_error=max_error,
            claim=claim,
            costs=cost,
            dismiss=dismiss or (),
            level=level,
            random_state=seed,
            n_jobs=jobs,
            backend=cluster,
            checkpoint=checkpoint,
            name=name,
            task=task,
        )
        for name, estimator in tuned.items()
    ]
    deliver(results, as_json=json, out=out, bundle=bundle, force=force)
