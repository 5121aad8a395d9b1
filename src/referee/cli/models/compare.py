"""referee compare TABLE --target COL --model A --model B: which learner is better here?"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from referee.cli.models.tabular import one_model_a_label, predicts_quantities, read_given
from referee.cli.models.tuning import Grid, grid_of, tuned_models
from referee.cli.terminal import options
from referee.cli.terminal.output import check_places, deliver
from referee.cli.terminal.screen import note

__all__ = ["compare"]

_BY = (
    "How to split: {schemes}. auto is repeated cross-validation with halvings (about 500 fits a "
    "model), one holdout for large tables."
)


def compare(
    tables: Annotated[
        list[Path],
        typer.Argument(
            metavar="TABLE...",
            help="CSV, TSV, Parquet, JSON lines, ARFF or svmlight. Several tables are several "
            "data sets, compared by ranks.",
        ),
    ],
    target: Annotated[
        Optional[list[str]],  # noqa: UP045 (typer reads it at run time)
        typer.Option(
            "--target",
            metavar="COL",
            help="Column to predict; for several tables one for all, or one for each in order.",
        ),
    ] = None,
    model: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option("--model", metavar="NAME", help="Two or more of " + options.MODELS),
    ] = None,
    tune: options.Tune = None,
    inner_folds: options.InnerFolds = 5,
    by: Annotated[str, typer.Option("--by", metavar="HOW", help=_BY)] = "auto",
    test: options.TestTable = None,
    test_share: options.TestShare = None,
    groups: options.Groups = None,
    time: options.Time = None,
    weight: options.Weight = None,
    weights_in_fit: options.WeightsInFit = False,
    drop: options.Drop = None,
    drop_copies: options.DropCopies = False,
    pos_label: options.PosLabel = None,
    measure: options.MeasureNames = None,
    cost: options.CostPair = None,
    significance: options.TestName = "auto",
    adjust: options.Adjust = options.ADJUST,
    interval: options.PairedInterval = "auto",
    rope: options.Rope = 0.0,
    claim: options.Claim = None,
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
    """Say which of two or more learners is better on a table, by how much and how sure.

    All go through the same splits. Of two the first is the candidate: exits with 0 if it was shown
    to be better (or what --claim says), with 1 if not.
    """
    from referee.comparing.compare import compare as judge
    from referee.comparing.datasets.compare_datasets import compare_datasets as over_datasets
    from referee.errors import InputError
    from referee.learners import model_from_name

    check_places(out, bundle, force=force)
    named = list(model or [])
    if len(set(named)) < 2:
        raise InputError(
            f"--model must name at least two models, got {', '.join(named) or 'none'}; for "
            "example --model logistic --model knn",
            concerning="model",
        )
    grid = grid_of(tune)
    estimators = {name: model_from_name(name) for name in named}
    targets = _targets(target or [], tables)
    if len(tables) > 1:
        _refuse_for_several(
            {
                "--test": test is not None,
                "--test-share": test_share is not None,
                "--groups": groups is not None,
                "--time": time is not None,
                "--weight": weight is not None,
                "--separator": separator is not None,
                "--costs": cost is not None,
                "--significance": significance != "auto",
                "--adjust": adjust != options.ADJUST,
                "--interval": interval != "auto",
                "--claim": claim is not None,
                "--dismiss": bool(dismiss),
                "--cluster": cluster is not None,
                "--checkpoint": checkpoint is not None,
            }
        )
        ranked = over_datasets(
            {name: partial(_tuned, name, estimators, grid, inner_folds) for name in estimators},
            _datasets(tables, targets, drop, header),
            by=by,
            measure=_only(measure),
            pos_label=pos_label,
            rope=rope,
            level=level,
            random_state=seed,
            n_jobs=jobs,
        )
        deliver([ranked], as_json=json, out=out, bundle=bundle, force=force)
    given = read_given(
        tables[0],
        target=targets[0],
        by=by,
        test=test,
        test_share=test_share,
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
    if given.how == "auto" and time is None and len(given.labels) < 20_000:
        note("many fits are needed to compare learners (about 500 each); --by 10x10 takes 100")
    ready = tuned_models(estimators, given.features, grid, inner_folds)
    result = judge(
        one_model_a_label(ready, given.labels, tuned=bool(tune)),
        given.features,
        given.labels,
        by=given.how,
        measure=measure or None,
        groups=given.groups,
        time=given.time,
        sample_weight=given.weight,
        weights_in_fit=weights_in_fit,
        pos_label=pos_label,
        costs=cost,
        significance=significance,
        adjust=adjust,
        interval=interval,
        rope=rope,
        claim=claim,
        dismiss=dismiss or (),
        level=level,
        random_state=seed,
        n_jobs=jobs,
        backend=cluster,
        checkpoint=checkpoint,
        task=task,
    )
    deliver([result], as_json=json, out=out, bundle=bundle, force=force)


def _only(measures: list[str] | None) -> str:
    """Return the measure by which data sets are compared."""
    from referee.errors import InputError

    names = measures or ["error"]
    if len(names) > 1:
        raise InputError(
            f"several tables are compared by one --measure, got {', '.join(names)}",
            concerning="measure",
            remedy="name one of them, or give one table",
        )
    return names[0]


def _tuned(
    name: str, estimators: dict[str, Any], grid: Grid, inner_folds: int, features: Any
) -> Any:
    """Return one of the models, made ready for a table."""
    return tuned_models(estimators, features, grid, inner_folds)[name]


def _refuse_for_several(asked: dict[str, bool]) -> None:
    from referee.errors import InputError

    odd = next((option for option, given in asked.items() if given), None)
    if odd is not None:
        raise InputError(
            f"{odd} belongs to one table; several tables are several data sets, compared by ranks",
            concerning=odd.lstrip("-"),
        )


def _targets(named: list[str], tables: list[Path]) -> list[str]:
    """Return the target of each table: one for all, or one for each."""
    from referee.errors import InputError

    if len(named) not in (0, 1, len(tables)):
        raise InputError(
            f"--target must be given once, or once for each of the {len(tables)} tables, "
            f"got {len(named)}",
            concerning="target",
        )
    return (named or [""]) * len(tables) if len(named) < 2 else named


def _datasets(
    tables: list[Path], targets: list[str], drop: list[str] | None, header: bool | None
) -> dict[str, Any]:
    """Read every table as a data set, called by its file's name."""
    from referee.errors import InputError

    twice = next((path for path in tables if tables.count(path) > 1), None)
    if twice is not None:
        raise InputError(
            f"{twice} is named twice; a data set can count once only", concerning="tables"
        )
    datasets: dict[str, Any] = {}
    for path, target in zip(tables, targets, strict=True):
        name = path.stem if path.stem not in datasets else str(path)
        given = read_given(path, target=target, drop=drop, header=header)
        datasets[name] = (given.features, given.labels)
    return datasets
