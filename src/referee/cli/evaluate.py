"""referee evaluate TABLE --target COL: how good is a model on this table?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from referee.cli import options
from referee.cli.output import deliver, note

if TYPE_CHECKING:
    from referee.tables import Header, Table

__all__ = ["evaluate"]

_MODELS = (
    "majority, logistic, lda, qda, nb, knn, 1nn, svm, linear-svm, tree, forest, boosting, mlp, "
    "or package.module:Class(name=value, ...). May be repeated."
)
_BY = "auto, cv, holdout, loo, bootstrap, resubstitution, a number of folds, or 10x10."


def evaluate(
    table: Annotated[Path, typer.Argument(help="CSV, TSV, Parquet, JSON lines, ARFF or svmlight.")],
    target: Annotated[
        str,
        typer.Option(
            "--target", metavar="COL", help="Column to predict; a number if there is no header."
        ),
    ] = "",
    model: Annotated[
        Optional[list[str]],  # noqa: UP045 (typer reads it at run time)
        typer.Option("--model", metavar="NAME", help=_MODELS),
    ] = None,
    by: Annotated[str, typer.Option("--by", metavar="HOW", help=_BY)] = "auto",
    test: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option("--test", metavar="FILE", help="Separate test set with the same columns."),
    ] = None,
    test_share: Annotated[
        Optional[float],  # noqa: UP045
        typer.Option("--test-share", metavar="SHARE", help="Share to hold out (--by holdout)."),
    ] = None,
    rounds: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option("--rounds", help="Resamples of the bootstrap (--by bootstrap)."),
    ] = None,
    groups: options.Groups = None,
    time: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--time", metavar="COL", help="Column that orders the rows in time."),
    ] = None,
    weight: options.Weight = None,
    drop: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option("--drop", metavar="COL", help="Leave this column out; may be repeated."),
    ] = None,
    pos_label: options.PosLabel = None,
    measure: options.Measures = None,
    interval: options.IntervalName = "auto",
    about: Annotated[
        str,
        typer.Option(
            "--about",
            metavar="TARGET",
            help="What intervals from several fits speak about: conditional (the model trained "
            "on all rows) or expected (the learning procedure).",
        ),
    ] = "conditional",
    cost: options.CostPair = None,
    max_error: options.MaxError = None,
    level: options.Level = 0.95,
    header: options.Header = None,
    dismiss: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option(
            "--dismiss",
            metavar="CODE",
            help="A finding that was looked into and does not matter here, as R002; repeatable.",
        ),
    ] = None,
    seed: options.Seed = 0,
    jobs: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option("--jobs", help="Fits to run at once; -1 for all cores."),
    ] = None,
    json: options.Json = False,
    out: options.Out = None,
    force: options.Force = False,
) -> None:
    """Measure how good a model is on a table, with an interval, warnings and one sentence.

    Columns of any kind become features inside each training set, never before the split.
    Exits with 0 if the model was shown to beat guessing (or to keep --max-error), else with 1.
    """
    from referee.errors import InputError
    from referee.evaluation import evaluate as judge
    from referee.learners import for_table, model_from_name
    from referee.report import check_directory

    if about not in ("conditional", "expected"):
        raise InputError(f"--about must be conditional or expected, got {about}")
    if out is not None:
        check_directory(out, force=force)
    estimators = {name: model_from_name(name) for name in model or ["logistic"]}
    data, how = _read(table, test, header, by, test_share=test_share, rounds=rounds)
    if not target:
        if data.sparse is None:
            raise InputError(f"--target is missing; columns of {table} are {_listed(data.columns)}")
        target = "target"
    columns = [data.resolve(c) for c in (target, groups, time, weight) if c is not None]
    dropped = [data.resolve(c) for c in drop or []]
    _refuse_two_roles(columns, dropped)
    features = data.features([*columns, *dropped])
    _refuse_empty(features, data.path)
    labels = data.labels(columns[0])
    if len(set(labels.tolist())) < 2:
        raise InputError(
            f"{data.path}, column {columns[0]!r} holds one class only ({labels[0]}); "
            "name another column, or add rows of other classes"
        )
    results = [
        judge(
            for_table(estimator, features),
            features,
            labels,
            by=how,
            measures=measure,
            groups=None if groups is None else data.complete(groups),
            time=None if time is None else data.complete(time),
            sample_weight=None if weight is None else _weights(data, weight),
            pos_label=pos_label,
            interval=interval,
            target=about,
            max_error=max_error,
            costs=cost,
            dismiss=dismiss or (),
            level=level,
            random_state=seed,
            n_jobs=jobs,
            name=name,
        )
        for name, estimator in estimators.items()
    ]
    deliver(results, as_json=json, out=out, force=force)


def _listed(columns: tuple[str, ...]) -> str:
    more = f" and {len(columns) - 12} more" if len(columns) > 12 else ""
    return ", ".join(columns[:12]) + more


def _refuse_two_roles(columns: list[str], dropped: list[str]) -> None:
    from referee.errors import InputError

    for name in columns:
        if columns.count(name) > 1 or name in dropped:
            raise InputError(
                f"column {name!r} is named twice, among --target, --groups, --time, --weight and "
                "--drop; a column can have one role only"
            )


def _refuse_empty(features: Any, path: str) -> None:
    """Refuse a table in which no feature tells one row from another."""
    from referee.errors import InputError

    if hasattr(features, "columns") and (features.nunique(dropna=True) < 2).all():
        raise InputError(
            f"{path}: every feature column is constant or missing throughout "
            f"({_listed(tuple(features.columns))}); nothing can be learned from them"
        )


def _weights(table: Table, name: str) -> Any:
    from referee.errors import InputError

    weights = table.complete(name, numeric=True)
    bad = [row for row, value in enumerate(weights) if value < 0]
    if bad:
        raise InputError(
            f"{table.places(bad)}, column {table.resolve(name)!r}: the weight "
            f"{weights[bad[0]]:g} is negative; correct it or drop the row"
        )
    return weights


def _read(
    path: Path,
    test: Path | None,
    header: bool | None,
    by: str,
    *,
    test_share: float | None,
    rounds: int | None,
) -> tuple[Table, Any]:
    """Return the table, training rows first where there is a test file, and how to split it."""
    from referee.errors import InputError
    from referee.resampling import Bootstrap, Holdout, TestRows
    from referee.tables import read_table, stack

    how: Any = by
    if test_share is not None:
        if by not in ("auto", "holdout"):
            raise InputError(f"--test-share goes with --by holdout, not with --by {by}")
        how = Holdout(test_share)
    if rounds is not None:
        if by != "bootstrap":
            raise InputError(f"--rounds goes with --by bootstrap, not with --by {by}")
        how = Bootstrap(rounds)
    kind: Header = "auto" if header is None else header
    table = read_table(path, header=kind)
    if table.header_guessed and not table.header:
        note(f"{path}: no header found, columns are numbered from 1 to {len(table.columns)}")
    if test is None:
        return table, how
    if by != "auto":
        raise InputError(f"--test fixes who tests, so --by {by} cannot be used with it")
    other = read_table(test, header=kind)
    both = stack(table, other)
    for name in set(table.columns) & set(other.columns):
        if table.column(name).dtype != other.column(name).dtype:
            note(f"column {name!r} is numeric in one file and text in the other; read as text")
    return both.table, TestRows(both.n_train)
