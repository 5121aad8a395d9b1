"""A table named on the command line, made ready to be judged."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.cli.screen import note

if TYPE_CHECKING:
    from referee.sources.tables import Header, Table

__all__ = ["Given", "read_given"]


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
    header: bool | None = None,
) -> Given:
    """Read a table (and a test table) and give every column its role, or say what is wrong."""
    from referee.errors import InputError

    data, how = _read(path, test, header, by, test_share=test_share, rounds=rounds)
    if not target:
        if data.sparse is None:
            raise InputError(f"--target is missing; columns of {path} are {_listed(data.columns)}")
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
    return Given(
        features=features,
        labels=labels,
        how=how,
        groups=None if groups is None else data.complete(groups),
        time=None if time is None else data.complete(time),
        weight=None if weight is None else _weights(data, weight),
    )


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
    from referee.sources.tables import read_table, stack

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
