"""referee evaluate-predictions FILE --truth COL --pred COL: how good are these predictions?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from referee.cli.terminal import options
from referee.cli.terminal.output import check_places, deliver
from referee.cli.terminal.screen import note, whole_characters

if TYPE_CHECKING:
    from referee.sources.tables import Table

__all__ = ["MANY", "evaluate_predictions"]

MANY = 200_000
"""Rows from which on labels are counted, and no array of them is made."""


def evaluate_predictions(
    file: Annotated[Path, typer.Argument(help="Table with one row per case.")],
    truth: Annotated[
        str,
        typer.Option(
            "--truth",
            metavar="COL",
            help="Column with the right answers; 'true_*' names one for each "
            "label, where a case may have several.",
        ),
    ],
    pred: Annotated[
        str, typer.Option("--pred", metavar="COL", help="Column with the predicted classes.")
    ],
    score: Annotated[
        Optional[str],  # noqa: UP045 (typer reads it at run time)
        typer.Option("--score", metavar="COL", help="Column with scores of the positive class."),
    ] = None,
    groups: options.Groups = None,
    time: options.Time = None,
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
    claim: options.Claims = None,
    level: options.Level = 0.95,
    task: options.TaskName = "auto",
    separator: options.Separator = None,
    sequential: options.Sequential = False,
    header: options.Header = None,
    seed: options.Seed = 0,
    name: Annotated[str, typer.Option("--name", help="How to call the model.")] = "",
    cluster: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            "--cluster",
            metavar="ENGINE:ADDRESS",
            help="Workers that count the files of a folder: dask:tcp://host:8786 or ray:auto.",
        ),
    ] = None,
    json: options.Json = False,
    out: options.Out = None,
    bundle: options.Bundle = None,
    force: options.Force = False,
) -> None:
    """Measure how good given predictions are; no model and no features are needed.

    Exits with 0 if they were shown to beat guessing (or to keep --max-error and every
    --claim; to cost less than one answer given always, with --costs), else with 1.
    """
    from referee.errors import InputError
    from referee.judging.evaluate_predictions import evaluate_predictions as judge
    from referee.sources.label_columns import asks_for_label_sets
    from referee.sources.stream import is_long, names_many

    check_places(out, bundle, force=force)
    sets = asks_for_label_sets(truth, separator, task)
    many = names_many(file)
    if many:
        _refuse_of_many(file, bundle=bundle, header=header, sets=sets)
    in_memory = (prior, bundle, header is not None, label, sets, sequential)
    if many or (not any(in_memory) and is_long(file)):
        classes = _classes_of_many(file, truth, pred, label or []) if prior or label else set()
        result = judge(
            file,
            pred,
            truth=truth,
            y_score=score,
            groups=groups,
            time=time,
            sample_weight=weight,
            labels=sorted(classes) or None,
            priors=None if not prior else _priors(prior, classes),
            sequential=sequential,
            backend=cluster,
            pos_label=pos_label,
            measures=measure,
            interval=interval,
            max_error=max_error,
            claim=claim,
            costs=cost,
            level=level,
            random_state=seed,
            name=whole_characters(name or pred),
        )
        deliver([result], as_json=json, out=out, bundle=bundle, force=force)
    from referee.sources.predictions import unseen_rows
    from referee.sources.tables import read_table

    table = read_table(file, header="auto" if header is None else header)
    if truth == pred or (not sets and table.resolve(truth) == table.resolve(pred)):
        raise InputError(
            f"--truth and --pred name the same column, {truth!r}",
            concerning="truth",
        )
    table = unseen_rows(table, note=note)
    if sets:
        given = _label_sets(table, truth, pred, separator)
    else:
        alone = not any((score, groups, time, weight, prior, bundle, sequential))
        counted = alone and table.n_rows >= MANY
        given = _answers(table, truth, pred, label or [], task, counted=counted)
    classes = set(given.get("labels") or ())
    result = judge(
        **given | ({"name": whole_characters(name)} if name else {}),
        y_score=None if score is None else table.complete(score, numeric=True),
        groups=None if groups is None else table.complete(groups),
        time=None if time is None else table.complete(time),
        sample_weight=None if weight is None else table.complete(weight, numeric=True),
        priors=None if not prior else _priors(prior, classes),
        pos_label=pos_label,
        measures=measure,
        interval=interval,
        max_error=max_error,
        claim=claim,
        costs=cost,
        level=level,
        sequential=sequential,
        random_state=seed,
    )
    deliver([result], as_json=json, out=out, bundle=bundle, force=force)


def _refuse_of_many(file: Path, *, bundle: Path | None, header: bool | None, sets: bool) -> None:
    """Refuse what a folder or a pattern cannot have, whose rows are counted and not kept."""
    from referee.errors import InputError

    wrong = (
        ("bundle", "--bundle holds every case", bundle is not None),
        ("header", "--no-header is for one file", header is False),
        ("separator", "several labels a case are read from one file", sets),
    )
    for concerning, why, given in wrong:
        if given:
            raise InputError(
                f"{why}, and {file} names a folder or a pattern, which is counted where it is",
                concerning=concerning,
                remedy="join the files into one and name that",
            )


def _classes_of_many(file: Path, truth: str, pred: str, more: list[str]) -> set[Any]:
    """Return the classes of the truth in all files, and those named besides."""
    import numpy as np

    from referee.core.labels.labels import as_labels
    from referee.sources.predictions import classes_of
    from referee.sources.stream import Stream

    kinds = Stream.of(file).kinds(list(dict.fromkeys((truth, pred))))
    answers, predicted = (
        as_labels(np.asarray([kind[at] for kind in kinds], dtype=object), f"column {name!r}")
        for at, name in ((0, truth), (-2, pred))
    )
    classes = classes_of(answers, more)
    return classes if len(classes) > 1 else classes | set(predicted.tolist())


def _answers(
    table: Table, truth: str, pred: str, more: list[str], task: str, *, counted: bool
) -> dict[str, Any]:
    """Return right answers and predictions as classes or quantities, and the model's name.

    Where they are to be counted, they are columns of one frame that takes a few bytes a row.
    """
    from referee.sources.predictions import answers_of, classes_of, counted_answers

    name = whole_characters(table.resolve(pred))
    fractions = any(table.holds_fractions(column) for column in (truth, pred))
    if task == "regression" or (task == "auto" and fractions and not more):
        table = replace(table, quantities=True)
        answers, predicted = table.labels(truth), table.labels(pred)
        return {"y_true": answers, "y_pred": predicted, "labels": None, "task": task, "name": name}
    classes = classes_of(table.coded_labels(truth).kinds, more)
    if len(classes) == 1:  # the answers name the others
        classes |= set(table.coded_labels(pred).kinds.tolist())
    given: dict[str, Any] = {"labels": sorted(classes), "task": task, "name": name}
    if counted:
        frame = counted_answers(table, truth, pred, classes)
        return given | {"y_true": frame, "truth": truth, "y_pred": pred}
    predicted = answers_of(table, pred, classes, table.resolve(truth))
    return given | {"y_true": table.labels(truth), "y_pred": predicted}


def _label_sets(table: Table, truth: str, pred: str, separator: str | None) -> dict[str, Any]:
    """Return right answers and predictions as sets of labels, and the model's name."""
    from referee.sources.label_columns import LabelColumns, model_title

    read = LabelColumns.of([table], [truth, pred], separator)
    return {
        "y_true": read.flags(truth),
        "y_pred": read.flags(pred),
        "task": "multilabel",
        "name": whole_characters(model_title(pred)),
    }


def _priors(entries: list[str], classes: set[Any]) -> dict[Any, float]:
    from referee.errors import InputError

    named = {str(c): c for c in classes}
    priors: dict[Any, float] = {}
    for entry in entries:
        label, sign, share = entry.rpartition("=")
        if not sign:
            raise InputError(
                f"--prior must look like CLASS=SHARE, got {entry!r}",
                concerning="prior",
            )
        try:
            priors[named.get(label, label)] = float(share)
        except ValueError:
            raise InputError(
                f"--prior must look like CLASS=SHARE, got {entry!r}",
                concerning="prior",
            ) from None
    return priors
