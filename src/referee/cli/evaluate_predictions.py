"""referee evaluate-predictions FILE --truth COL --pred COL: how good are these predictions?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from referee.cli import options
from referee.cli.output import deliver, note

if TYPE_CHECKING:
    from referee.tables import Table

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
    label: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option("--label", metavar="CLASS", help="A class the truth may lack; repeatable."),
    ] = None,
    pos_label: options.PosLabel = None,
    measure: options.Measures = None,
    interval: options.IntervalName = "auto",
    max_error: options.MaxError = None,
    level: options.Level = 0.95,
    header: options.Header = None,
    seed: options.Seed = 0,
    name: Annotated[str, typer.Option("--name", help="How to call the model.")] = "",
    json: options.Json = False,
    out: options.Out = None,
    force: options.Force = False,
) -> None:
    """Measure how good given predictions are; no model and no features are needed.

    Exits with 0 if they were shown to beat guessing (or to keep --max-error), else with 1.
    """
    from referee.errors import InputError
    from referee.evaluation import evaluate_predictions as judge
    from referee.report import check_directory
    from referee.tables import read_table

    if out is not None:
        check_directory(out, force=force)
    table = read_table(file, header="auto" if header is None else header)
    if table.resolve(truth) == table.resolve(pred):
        raise InputError(f"--truth and --pred name the same column, {truth!r}")
    table = _unseen_rows(table)
    answers, predicted = table.labels(truth), table.labels(pred)
    classes = _classes(answers, label or [])
    if len(classes) == 1:
        classes |= set(predicted.tolist())  # one class in the truth: the answers name the others
    unknown = [row for row, value in enumerate(predicted.tolist()) if value not in classes]
    if unknown:
        raise InputError(
            f"{table.places(unknown)}, column {table.resolve(pred)!r}: "
            f"{predicted[unknown[0]]} does not occur in {table.resolve(truth)!r}; correct it, or "
            "name the classes the truth lacks with --label"
        )
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
        random_state=seed,
        name=name or table.resolve(pred),
    )
    deliver([result], as_json=json, out=out, force=force)


def _unseen_rows(table: Table) -> Table:
    """Return the honest rows of a predictions.parquet that referee itself wrote.

    It also holds predictions of training rows and of further repetitions; they must not count.
    """
    if not {"case", "split", "repetition", "part", "seen"} <= set(table.columns):
        return table
    keep = (table.column("part") == "main") & (table.column("seen") == 0)
    keep &= table.column("repetition") == 0
    note(f"{table.path} is referee's own: {int(keep.sum())} of {table.n_rows} rows are unseen")
    return table.keep(keep)


def _classes(answers: Any, more: list[str]) -> set[Any]:
    """Return the classes of the truth and those named besides, in the truth's own type."""
    kind = int if answers.dtype.kind == "i" else str
    try:
        return set(answers.tolist()) | {kind(m) for m in more}
    except ValueError:
        from referee.errors import InputError

        raise InputError(f"--label must be a whole number like the truth, got {more}") from None


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
