"""A table named on the command line, made ready to be judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.cli.terminal.screen import note

if TYPE_CHECKING:
    from referee.sources.tables import Header, Table

__all__ = ["Given", "one_model_a_label", "predicts_quantities", "read_given"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Given:
    """What a table holds, column by column in its role, and how to split it."""

    features: Any
    labels: Any
    how: Any
    groups: Any = None
    time: Any = None
    weight: Any = None


def read_given(
    path: Path,
    *,
    target: str,
    by: str = "auto",
    test: Path | None = None,
    test_share: float | None = None,
    rounds: int | None = None,
    groups: str | None = None,
    time: str | None = None,
    weight: str | None = None,
    drop: list[str] | None = None,
    drop_copies: bool = False,
    header: bool | None = None,
    numeric: bool = False,
    separator: str | None = None,
    task: str = "auto",
) -> Given:
    """Read a table (and a test table) and give every column its role, or say what is wrong."""
    from referee.errors import InputError
    from referee.resampling import TestRows
    from referee.sources.label_columns import LabelColumns, asks_for_label_sets

    data, how = _read(path, test, header, by, test_share=test_share, rounds=rounds)
    if not target:
        if data.sparse is None:
            raise InputError(
                f"--target is missing; columns of {path} are {_listed(data.columns)}",
                concerning="target",
            )
        target = "target"
    sets = asks_for_label_sets(target, separator, task)
    if sets:
        folded = LabelColumns.of([data], [target], separator)
        (data,) = folded.tables
    columns = [data.resolve(c) for c in (target, groups, time, weight) if c is not None]
    dropped = [data.resolve(c) for c in drop or []]
    _refuse_two_roles(columns, dropped)
    features = data.features([*columns, *dropped])
    _refuse_empty(features, data.path)
    if numeric:
        data = replace(data, quantities=True)
    labels = data.labels(columns[0])
    if len(set(labels.tolist())) < 2:
        raise InputError(
            f"{data.path}, column {columns[0]!r} holds one "
            f"{'value' if numeric else 'class'} only ({labels[0]})",
            at=str(data.path),
            remedy="name another column, or add rows of other "
            f"{'values' if numeric else 'classes'}",
        )
    if isinstance(how, TestRows) and not numeric and not sets:
        _note_unknown(labels, how.n_train)
    given = Given(
        features=features,
        labels=folded.flags(target) if sets else labels,
        how=how,
        groups=None if groups is None else data.complete(groups),
        time=None if time is None else data.complete(time),
        weight=None if weight is None else _weights(data, weight),
    )
    return _without_copies(given) if drop_copies else given


def _note_unknown(labels: Any, n_train: int) -> None:
    """Say which classes of the test table the training table does not know."""
    known, tested = set(labels[:n_train].tolist()), set(labels[n_train:].tolist())
    unknown = sorted(tested - known, key=str)
    if unknown:
        note(
            f"--test has {len(unknown)} {'class' if len(unknown) == 1 else 'classes'} that the "
            f"training table has not: {_listed(tuple(repr(c) for c in unknown))}; it has "
            f"{_listed(tuple(repr(c) for c in sorted(known, key=str)))}. No model can answer them"
        )


def _without_copies(given: Given) -> Given:
    """Leave out rows whose features are those of a row before them, to the last digit."""
    import numpy as np

    from referee.checks.data.overlap import row_identity
    from referee.core.dataset import take_rows
    from referee.resampling import TestRows

    kept = np.unique(row_identity(given.features), return_index=True)[1]
    kept.sort()
    note(f"--drop-copies left out {len(given.labels) - len(kept)} of {len(given.labels)} rows")
    how = given.how
    if isinstance(how, TestRows):
        how = TestRows(int(np.sum(kept < how.n_train)))
    others = {name: getattr(given, name) for name in ("groups", "time", "weight")}
    return replace(
        given,
        features=take_rows(given.features, kept),
        labels=take_rows(given.labels, kept),
        how=how,
        **{name: None if v is None else np.asarray(v)[kept] for name, v in others.items()},
    )


def one_model_a_label(models: Mapping[str, Any], labels: Any, *, tuned: bool) -> dict[str, Any]:
    """Return models that answer with a label set, one copy fitted for each label.

    Where the target holds single classes or quantities, models are returned as they are.
    """
    from sklearn.multioutput import MultiOutputClassifier

    from referee.errors import InputError

    if not hasattr(labels, "columns"):
        return dict(models)
    if tuned:
        raise InputError(
            "--tune knows single classes only",
            concerning="tune",
            remedy="leave it out, or use one label a case",
        )
    return {name: MultiOutputClassifier(model) for name, model in models.items()}


def predicts_quantities(task: str, models: Mapping[str, Any]) -> bool:
    """Tell whether the target is to be read as numbers: asked for, or all models are regressors."""
    from referee.learners.kind import kind_of

    if task != "auto":
        return task == "regression"
    return all(kind_of(model) == "regressor" for model in models.values())


def _listed(columns: tuple[str, ...]) -> str:
    more = f" and {len(columns) - 12} more" if len(columns) > 12 else ""
    return ", ".join(columns[:12]) + more


def _refuse_two_roles(columns: list[str], dropped: list[str]) -> None:
    from referee.errors import InputError

    for name in columns:
        if columns.count(name) > 1 or name in dropped:
            raise InputError(
                f"column {name!r} is named twice, among --target, --groups, --time, --weight "
                "and --drop; a column can have one role only",
                concerning="target",
            )


def _refuse_empty(features: Any, path: str) -> None:
    """Refuse a table in which no feature tells one row from another."""
    from referee.errors import InputError

    if hasattr(features, "columns") and (features.nunique(dropna=True) < 2).all():
        raise InputError(
            f"{path}: every feature column is constant or missing throughout "
            f"({_listed(tuple(features.columns))}); nothing can be learned from them",
            at=str(path),
        )


def _weights(table: Table, name: str) -> Any:
    from referee.errors import InputError

    weights = table.complete(name, numeric=True)
    bad = [row for row, value in enumerate(weights) if value < 0]
    if bad:
        raise InputError(
            f"{table.places(bad)}, column {table.resolve(name)!r}: the weight "
            f"{weights[bad[0]]:g} is negative",
            at=table.places(bad),
            remedy="correct it or drop the row",
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
    from referee.resampling.bootstrap import BOOTSTRAP
    from referee.resampling.holdout import HOLDOUT
    from referee.sources.tables import read_table, stack

    how: Any = by
    if test_share is not None:
        if by not in ("auto", HOLDOUT.name):
            raise InputError(
                f"--test-share goes with --by holdout, not with --by {by}",
                concerning="test_share",
            )
        how = Holdout(test_share)
    if rounds is not None:
        if by != BOOTSTRAP.name:
            raise InputError(
                f"--rounds goes with --by bootstrap, not with --by {by}",
                concerning="rounds",
            )
        how = Bootstrap(rounds)
    kind: Header = "auto" if header is None else header
    table = read_table(path, header=kind)
    if table.header_guessed and not table.header:
        note(f"{path}: no header found, columns are numbered from 1 to {len(table.columns)}")
    if test is None:
        return table, how
    if by != "auto":
        raise InputError(
            f"--test fixes who tests, so --by {by} cannot be used with it",
            concerning="test",
        )
    other = read_table(test, header=kind)
    both = stack(table, other)
    for name in set(table.columns) & set(other.columns):
        if table.column(name).dtype != other.column(name).dtype:
            note(f"column {name!r} is numeric in one file and text in the other; read as text")
    return both.table, TestRows(both.n_train)
