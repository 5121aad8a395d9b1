"""The columns of a table of scores: which has which role, long or wide, words or numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from referee.core.arrays import Anything, Flags, Floats
from referee.errors import InputError, arg, nearest

__all__ = ["NAMES", "Place", "Roles", "columns_of", "melted", "numbers_of", "role_of"]

_TRUTHS = {"true": 1.0, "false": 0.0}
NAMES = ("item", "model", "score", "run", "cluster", "weight", "human")

Place = Callable[[int], str]
"""From a row, counted from 0, to where it stands, in words."""


@dataclass(frozen=True, kw_only=True)
class Roles:
    """Which columns hold what; a role is a column's name, its values row by row, or None."""

    item: Any = None
    model: Any = None
    score: Any = None
    run: Any = None
    cluster: Any = None
    weight: Any = None
    human: Any = None
    models: tuple[str, ...] | None = None
    values: Mapping[Any, float] = field(default_factory=dict)


def columns_of(table: Any) -> tuple[dict[str, Anything], Anything | None]:
    """Return columns by name, and what names the rows of a frame."""
    if hasattr(table, "get_columns"):  # polars
        return {str(c.name): c.to_numpy() for c in table.get_columns()}, None
    if hasattr(table, "iloc") and hasattr(table, "columns"):  # pandas
        names = [str(c) for c in table.columns]
        twice = next((c for c in names if names.count(c) > 1), None)
        if twice is not None:
            raise InputError(
                f"two columns are called {twice!r}", remedy="give them names of their own"
            )
        columns = {c: table.iloc[:, i].to_numpy() for i, c in enumerate(names)}
        return columns, None if _is_counter(table.index) else table.index.to_numpy()
    if isinstance(table, Mapping):
        return _equally_long({str(k): _vector(v, str(k)) for k, v in table.items()}), None
    return {"score": _vector(table, "scores")}, None


def _is_counter(index: Any) -> bool:
    return type(index).__name__ == "RangeIndex"


def _vector(values: Any, name: str) -> Anything:
    if isinstance(values, (str, bytes)) or not (
        hasattr(values, "__array__") or isinstance(values, Sequence)
    ):
        raise InputError(
            f"{name} must be a table or a list of values",
            concerning=name,
            value=str(type(values).__name__),
            remedy="pass a DataFrame or a mapping of columns",
        )
    try:
        array = np.asarray(values)
        if array.dtype.kind in "SU" and not isinstance(values, np.ndarray):
            array = np.asarray(values, dtype=object)  # so that None stays None
    except ValueError:
        array = np.asarray(values, dtype=object)
    if array.ndim != 1:
        raise InputError(
            f"{name} must be one-dimensional",
            concerning=name,
            value=f"shape {array.shape}",
            remedy="for several models pass a DataFrame or a mapping of model to scores",
        )
    return array


def _equally_long(columns: dict[str, Anything]) -> dict[str, Anything]:
    sizes = {name: len(column) for name, column in columns.items()}
    if len(set(sizes.values())) > 1:
        (a, m), (b, k) = min(sizes.items(), key=_size), max(sizes.items(), key=_size)
        raise InputError(
            f"must be equally long: {a!r} has {m} rows and {b!r} {k}",
            argument="columns",
            remedy=(
                "for models scored on different items pass a long table with columns item, "
                "model and score"
            ),
        )
    return columns


def _size(entry: tuple[str, int]) -> int:
    return entry[1]


def role_of(columns: Mapping[str, Anything], roles: Roles, name: str) -> Any:
    """Return the values of a role, or None where it has none."""
    asked = getattr(roles, name)
    if asked is None:
        return columns.get(name)
    if isinstance(asked, str):
        if asked not in columns:
            raise InputError(f"{arg(name, asked)} is no column", remedy=nearest(asked, columns))
        return columns[asked]
    column = _vector(asked, name)
    rows = len(next(iter(columns.values()))) if columns else 0
    if len(column) != rows:
        raise InputError(
            f"{name} must have a value for each of the {rows} rows",
            concerning=name,
            value=str(len(column)),
        )
    return column


def melted(
    columns: Mapping[str, Anything],
    index: Anything | None,
    roles: Roles,
    given: dict[str, Any],
    place: Place,
) -> tuple[dict[str, Any], Place]:
    """Return a wide table as a long one, model after model."""
    if given["human"] is not None:
        raise InputError(
            "human marks belong to single answers",
            remedy="pass a long table with columns item, model, score and human",
        )
    taken = {getattr(roles, n) for n in NAMES if isinstance(getattr(roles, n), str)}
    taken |= {n for n in NAMES if getattr(roles, n) is None}
    models = list(roles.models) if roles.models is not None else []
    for name in models:
        if name not in columns:
            raise InputError(
                f"{arg('models', name)} is no column",
                concerning="models",
                remedy=nearest(name, columns),
            )
    models = models or [c for c in columns if c not in taken]
    if not models:
        raise InputError(
            "the table has neither a column of scores nor columns of models; name the scores "
            "with score=",
            remedy=nearest("score", columns),
        )
    for name in models:
        _refuse_words(name, columns[name], roles, place)
    n, k = len(columns[models[0]]), len(models)
    if given["item"] is None:
        given["item"] = np.arange(1, n + 1) if index is None else index
    long = {name: None if v is None else np.tile(v, k) for name, v in given.items()}
    long["model"] = np.repeat(np.array(models, dtype=object), n)
    parts = [np.asarray(columns[m]) for m in models]
    if len({p.dtype for p in parts}) > 1:
        parts = [p.astype(object) for p in parts]
    long["score"] = np.concatenate(parts)
    return long, lambda row: place(row % n)


def _refuse_words(name: str, column: Anything, roles: Roles, place: Place) -> None:
    """Refuse a column of a wide table that cannot be a model's scores at all."""
    if column.dtype.kind not in "OSU" or len(column) == 0:
        return
    numbers, known = numbers_of(column, roles.values)
    if not np.any(known & ~np.isnan(numbers)):
        raise InputError(
            f"column {name!r} holds no scores ({place(0)}: {column[0]!r}), so it is no model",
            concerning="column",
            remedy=(
                f"give it a role ({arg('item')}, {arg('cluster')}); in a table with a row "
                f"for each score name its column with {arg('score')}; or list the models "
                f"with {arg('models')}"
            ),
        )


def numbers_of(column: Anything, values: Mapping[Any, float]) -> tuple[Floats, Flags]:
    """Return a column as numbers (nan where missing), and whether each value was understood."""
    if column.dtype.kind in "biuf" and not values:
        return column.astype(float), np.ones(len(column), dtype=bool)
    import pandas as pd

    distinct, first = pd.factorize(column.astype(object))[1::-1]
    worth = [_worth(v, values) for v in distinct]
    numbers = np.array([math.nan if w is None else w for w in worth] + [math.nan])[first]
    known = np.array([w is not None for w in worth] + [True])[first]
    return numbers, known


def _worth(value: Any, values: Mapping[Any, float]) -> float | None:
    """Return what a value counts; None where nobody said."""
    if value in values:
        return float(values[value])
    if isinstance(value, str):
        text = value.strip()
        if text in values:
            return float(values[text])
        if text.lower() in _TRUTHS:
            return _TRUTHS[text.lower()]
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number
