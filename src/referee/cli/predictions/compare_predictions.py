"""referee compare-predictions FILE... --truth COL: whose predictions are better?"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from referee.cli.terminal import options
from referee.cli.terminal.output import check_places, deliver
from referee.cli.terminal.screen import note, whole_characters

if TYPE_CHECKING:
    from referee.sources.label_columns import LabelColumns
    from referee.sources.predictions import NamedPredictions
    from referee.sources.tables import Header, Table

__all__ = ["compare_predictions"]


def compare_predictions(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help="One table with a column of predictions for each model, or one table for each.",
        ),
    ],
    truth: Annotated[
        str,
        typer.Option(
            "--truth",
            metavar="COL",
            help="Column with the right answers; 'true_*' names one for each label, where a case "
            "may have several.",
        ),
    ],
    on: Annotated[
        Optional[str],  # noqa: UP045 (typer reads it at run time)
        typer.Option("--on", metavar="COL", help="Column with the ids by which files are joined."),
    ] = None,
    pred: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option(
            "--pred",
            metavar="COL",
            help="Column with predicted classes: one for each model of a single file, or the one "
            "that the files share. Found by looking if not said.",
        ),
    ] = None,
    score: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option("--score", metavar="COL", help="Columns with scores, in the order of --pred."),
    ] = None,
    name: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option("--name", help="How to call each model, in order; else by file or column."),
    ] = None,
    unpaired: Annotated[
        bool,
        typer.Option("--unpaired", help="The files are different test sets: nothing is joined."),
    ] = False,
    groups: options.Groups = None,
    weight: options.Weight = None,
    label: options.Label = None,
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
    sequential: options.Sequential = False,
    header: options.Header = None,
    seed: options.Seed = 0,
    json: options.Json = False,
    out: options.Out = None,
    bundle: options.Bundle = None,
    force: options.Force = False,
) -> None:
    """Say which of two or more models predicted better, by how much and how sure.

    Files are joined by the ids of --on, whatever their order. Of two the first is the candidate:
    exits with 0 if it was shown to be better (with --rope: equivalent; or what --claim says),
    with 1 if not. Of three and more, without --claim, exits with 0 if a difference was shown.
    """
    from referee.comparing.predictions.compare_predictions import compare_predictions as judge
    from referee.sources.label_columns import model_title
    from referee.sources.predictions import PredictionColumns, named_predictions, prediction_table

    check_places(out, bundle, force=force)
    kind: Header = "auto" if header is None else header
    tables = [prediction_table(f, header=kind, note=note) for f in files]
    called, known = [whole_characters(n) for n in name or ()], label or []
    sets = _label_sets(tables, truth, pred or [], separator, task)
    if sets is not None:
        tables, known = list(sets.tables), list(sets.sets)
        if len(files) == 1 and not called:
            called = [whole_characters(model_title(p)) for p in pred or ()]
    given = named_predictions(
        tables,
        PredictionColumns(
            truth=truth, pred=pred or (), score=score or (), on=on, groups=groups, weight=weight
        ),
        names=called,
        labels=known,
        unpaired=unpaired,
        task=task if not known else "classification",
        note=note,
    )
    result = judge(
        **_answers(given, sets),
        y_scores=given.scores,
        groups=given.groups,
        sample_weight=given.weight,
        pos_label=pos_label,
        measure=measure or None,
        costs=cost,
        significance=significance,
        adjust=adjust,
        interval=interval,
        rope=rope,
        claim=claim,
        level=level,
        sequential=sequential,
        random_state=seed,
        task=task if sets is None else "multilabel",
    )
    deliver([result], as_json=json, out=out, bundle=bundle, force=force)


def _label_sets(
    tables: list[Table], truth: str, pred: list[str], separator: str | None, task: str
) -> LabelColumns | None:
    """Return the tables with each model's labels in one column; None where cases have one."""
    from referee.errors import InputError
    from referee.sources.label_columns import LabelColumns, asks_for_label_sets

    if not asks_for_label_sets(truth, separator, task):
        return None
    if not pred:
        raise InputError(
            "name the predicted labels of each model with --pred, as 'new_*'",
            concerning="pred",
        )
    return LabelColumns.of(tables, [truth, *pred], separator)


def _answers(given: NamedPredictions, sets: LabelColumns | None) -> dict[str, Any]:
    """Return right answers, predictions and all classes, or all labels, as the judge takes them."""
    if sets is None:
        classes = list(given.classes) or None
        return {"y_true": given.truth, "y_preds": given.answers, "labels": classes}
    truth: Any = given.truth
    if isinstance(truth, Mapping):
        truth = {name: sets.of_texts(texts) for name, texts in truth.items()}
    else:
        truth = sets.of_texts(truth)
    answers = {name: sets.of_texts(texts) for name, texts in given.answers.items()}
    return {"y_true": truth, "y_preds": answers, "labels": sets.labels}
