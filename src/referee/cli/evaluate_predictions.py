"""referee evaluate-predictions FILE --truth COL --pred COL: how good are these predictions?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from referee.cli import options
from referee.cli.output import check_places, deliver
from referee.cli.predicted import answers_of, classes_of, unseen_rows
from referee.cli.screen import whole_characters

__all__ = ["evaluate_predictions"]


def evaluate_predictions(
    file: Annotated[Path, typer.Argument(help="Table with one row per case.")],
    truth: Annotated[
        str, typer.Option("--truth", metavar="COL", help="Column with the right answers.")
    ],
    pred: Annotated[
        str, typer.Option("--pred", metavar="COL", help="Column with the predicted classes.")
    ],
    score: Annotated[
        Optional[str],  # noqa: UP045 (typer reads it at run time)
        typer.Option("--score", metavar="COL", help="Column with scores of the positive class."),
    ] = None,
    groups: options.Groups = None,
    weight: options.Weight = None,
    cost: options.CostPair = None,
    prior: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option(
            "--prior",
            metavar="CLASS=SHARE",
            help="Share of a class where the model will be used; give one for each class.",
        ),
    ] = None,
    label: options.Label = None,
    pos_label: options.PosLabel = None,
    measure: options.Measures = None,
    interval: options.IntervalName = "auto",
    max_error: options.MaxError = None,
    level: options.Level = 0.95,
    sequential: options.Sequential = False,
    header: options.Header = None,
    seed: options.Seed = 0,
    name: Annotated[str, typer.Option("--name", help="How to call the model.")] = "",
    json: options.Json = False,
    out: options.Out = None,
    bundle: options.Bundle = None,
    force: options.Force = False,
) -> None:
    """Measure how good given predictions are; no model and no features are needed.

    Exits with 0 if they were shown to beat guessing (or to keep --max-error), else with 1.
    """
    from referee.errors import InputError
    from referee.judging.evaluate import evaluate_predictions as judge
    from referee.sources.tables import read_table

    check_places(out, bundle, force=force)
    table = read_table(file, header="auto" if header is None else header)
    if table.resolve(truth) == table.resolve(pred):
        raise InputError(f"--truth and --pred name the same column, {truth!r}")
    table = unseen_rows(table)
    answers = table.labels(truth)
    classes = classes_of(answers, label or [])
    if len(classes) == 1:  # the answers name the others
        classes |= set(table.labels(pred).tolist())
    predicted = answers_of(table, pred, classes, table.resolve(truth))
    result = judge(
        answers,
        predicted,
        labels=sorted(classes),
        y_score=None if score is None else table.complete(score, numeric=True),
        groups=None if groups is None else table.complete(groups),
        sample_weight=None if weight is None else table.complete(weight, numeric=True),
        priors=None if not prior else _priors(prior, classes),
        pos_label=pos_label,
        measures=measure,
        interval=interval,
        max_error=max_error,
        costs=cost,
        level=level,
        sequential=sequential,
        random_state=seed,
        name=whole_characters(name or table.resolve(pred)),
    )
    deliver([result], as_json=json, out=out, bundle=bundle, force=force)


def _priors(entries: list[str], classes: set[Any]) -> dict[Any, float]:
    from referee.errors import InputError

    named = {str(c): c for c in classes}
    priors: dict[Any, float] = {}
    for entry in entries:
        label, sign, share = entry.rpartition("=")
        if not sign:
            raise InputError(f"--prior must look like CLASS=SHARE, got {entry!r}")
        try:
            priors[named.get(label, label)] = float(share)
        except ValueError:
            raise InputError(f"--prior must look like CLASS=SHARE, got {entry!r}") from None
    return priors
