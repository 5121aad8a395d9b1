"""From a table to Scores: which column has which role, and whether its values make sense.

A table is *long* (a row for each score) or *wide* (a row for each item, a column for each model).
Whatever is wrong is told with item, model, row, value and remedy.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from referee.core.arrays import Anything, Codes, Floats, Label
from referee.core.labels.labels import is_missing
from referee.core.scores.score_columns import (
    NAMES,
    Place,
    Roles,
    columns_of,
    melted,
    numbers_of,
    role_of,
)
from referee.core.scores.scores import Scores
from referee.errors import InputError, arg, nearest, worth_of

__all__ = ["ONE_MODEL", "scores_of"]

ONE_MODEL = "model"
"""What a model is called in a table that does not name it."""


def scores_of(
    table: Any,
    roles: Roles,
    *,
    greater_is_better: bool = True,
    limits: Any = "auto",
    name: str | None = None,
    place: Place | None = None,
    one_model: str = ONE_MODEL,
) -> Scores:
    """Return the scores of a table; `place` names a row and `one_model` a model without a name."""
    columns, index = columns_of(table)
    rows = _Rows.of(columns, index, roles, place or _counted, one_model)
    scores = Scores(
        items=rows.items,
        models=rows.models,
        runs=rows.runs,
        item=rows.item,
        model=rows.model,
        run=rows.run,
        score=rows.score,
        cluster=rows.cluster,
        clusters=rows.clusters,
        weight=rows.weight,
        human=rows.human,
        name=name or (roles.score if isinstance(roles.score, str) else "score"),
        greater_is_better=bool(greater_is_better),
    )
    return _limited(_chosen(scores, rows, roles), limits, rows)


def _chosen(scores: Scores, rows: _Rows, roles: Roles) -> Scores:
    """Return the scores of the models that were asked for in a long table."""
    if roles.models is None or rows.wide:
        return scores
    return scores.select(roles.models)


def _counted(row: int) -> str:
    return f"row {row}"


@dataclass(frozen=True, eq=False, kw_only=True)
class _Rows:
    """The scores one below the other, with codes for everything that has a name."""

    items: tuple[Label, ...]
    models: tuple[str, ...]
    runs: tuple[Label, ...]
    clusters: tuple[Label, ...]
    item: Codes
    model: Codes
    run: Codes
    score: Floats
    cluster: Codes | None
    weight: Floats | None
    human: Floats | None
    place: Place
    wide: bool

    @classmethod
    def of(
        cls,
        columns: dict[str, Anything],
        index: Anything | None,
        roles: Roles,
        place: Place,
        one_model: str,
    ) -> _Rows:
        given = {name: role_of(columns, roles, name) for name in NAMES}
        if given["score"] is None:
            if given["model"] is not None:
                raise InputError(
                    "the table has a column of models but none of scores; name it with "
                    f"{arg('score')}",
                    remedy=nearest("score", columns),
                )
            given, place = melted(columns, index, roles, given, place)
            wide = True
        else:
            wide = False
            if given["model"] is None:
                _need_items(given, roles)
                names = np.full(len(given["score"]), one_model, dtype=object)
                given["model"] = names
            if given["item"] is None:
                _refuse_unpaired(given)
                given["item"] = np.arange(1, len(given["score"]) + 1)
        return _coded(given, roles.values, place, wide)


def _need_items(given: Mapping[str, Any], roles: Roles) -> None:
    if roles.models is not None:
        raise InputError(
            "models= names models, but the table has no column of models",
            remedy="name it with model=",
        )


def _refuse_unpaired(given: Mapping[str, Any]) -> None:
    if given["run"] is not None or len({str(m) for m in given["model"][:1000]}) > 1:
        raise InputError(
            "item is missing: without it nothing says which scores belong to the same question",
            remedy=f"name the column that identifies the items with {arg('item')}",
        )


def _coded(
    given: Mapping[str, Any], values: Mapping[Any, float], place: Place, wide: bool
) -> _Rows:
    if len(given["score"]) == 0:
        raise InputError("the table has no rows; at least one score is needed", concerning="table")
    items, item = _codes(given["item"], "item", place)
    names, model = _codes(given["model"], "model", place)
    models = tuple(str(m) for m in names)
    if len(set(models)) < len(models):
        twice = next(m for m in models if models.count(m) > 1)
        raise InputError(
            f"two models are called {twice!r}",
            concerning="models",
            remedy="give them names of their own",
        )
    where = _Where(items, models, item, model, place)
    score = _scores(given["score"], values, where)
    runs, run = _runs(given["run"], where)
    clusters, cluster = _clusters(given["cluster"], where)
    weight = _weights(given["weight"], where)
    rows = _Rows(
        items=items,
        models=models,
        runs=runs,
        clusters=clusters,
        item=item,
        model=model,
        run=run,
        score=score,
        cluster=cluster,
        weight=weight,
        human=_human(given["human"], values, where),
        place=place,
        wide=wide,
    )
    return _without_weightless(rows)


def _codes(column: Anything, name: str, place: Place) -> tuple[tuple[Label, ...], Codes]:
    """Return the distinct values in the order of their first appearance, and codes."""
    import pandas as pd

    codes, names = pd.factorize(column)
    gone = np.flatnonzero(codes < 0)
    if gone.size:
        more = f" and {gone.size - 1} more" if gone.size > 1 else ""
        raise InputError(
            f"{name} is missing in {place(int(gone[0]))}{more}",
            concerning=name,
            remedy="fill it in or leave the row out",
        )
    return tuple(_label(v) for v in names), np.asarray(codes, dtype=np.intp)


def _label(value: Any) -> Label:
    value = value.item() if isinstance(value, np.generic) else value
    return int(value) if isinstance(value, float) and value.is_integer() else value


@dataclass(frozen=True)
class _Where:
    """What a row is about, for messages."""

    items: tuple[Label, ...]
    models: tuple[str, ...]
    item: Codes
    model: Codes
    place: Place

    def __call__(self, row: int) -> str:
        model = f"model {self.models[self.model[row]]!r}, " if len(self.models) > 1 else ""
        return f"item {self.items[self.item[row]]!r} ({model}{self.place(row)})"

    def place_of(self, row: int) -> str:
        return self.place(row)


def _scores(column: Anything, values: Mapping[Any, float], where: _Where) -> Floats:
    numbers, known = numbers_of(column, values)
    odd = np.flatnonzero(~known)
    if odd.size:
        row = int(odd[0])
        word = column[row]
        raise InputError(
            f"score of {where(row)} is {word!r}, which is not a number{_more(odd)}",
            remedy=f"correct it, or say what such words are worth with {worth_of(word)}",
        )
    bad = np.flatnonzero(~np.isfinite(numbers))
    if bad.size:
        row = int(bad[0])
        got = "missing" if is_missing(column[row]) else f"{column[row]}"
        raise InputError(
            f"score of {where(row)} is {got}{_more(bad)}",
            remedy=(
                "mark the answer (a failed one is usually worth the lowest score), or "
                "leave the item out of a long table"
            ),
        )
    return numbers


def _human(column: Any, values: Mapping[Any, float], where: _Where) -> Floats | None:
    if column is None:
        return None
    numbers, known = numbers_of(column, values)
    odd = np.flatnonzero(~known | np.isinf(numbers))
    if odd.size:
        row = int(odd[0])
        raise InputError(
            f"human mark of {where(row)} is {column[row]!r}, which is not a number",
            remedy=(
                "correct it, leave it empty if nobody marked the answer, or say what it is "
                "worth with values="
            ),
        )
    if np.all(np.isnan(numbers)):
        raise InputError("human holds no mark at all", remedy="leave it out, or fill some in")
    return numbers


def _runs(column: Any, where: _Where) -> tuple[tuple[Label, ...], Codes]:
    cell = where.item * len(where.models) + where.model
    if column is None:
        again = _repeated(cell)
        if again is not None:
            a, b = again
            raise InputError(
                f"{where(a)} is scored again in {where.place_of(b)}",
                remedy=(
                    "if these are repeated runs, name the column that numbers them with "
                    f"{arg('run')}, otherwise remove the copies"
                ),
            )
        return (1,), np.zeros(len(cell), dtype=np.intp)
    runs, run = _codes(column, "run", where.place_of)
    again = _repeated(cell * len(runs) + run)
    if again is not None:
        a, b = again
        raise InputError(
            f"{where(a)} has run {runs[run[a]]!r} again in {where.place_of(b)}",
            remedy="number the runs of an item differently, or remove the copies",
        )
    return runs, run


def _repeated(codes: Codes) -> tuple[int, int] | None:
    """Return the first two rows with one code."""
    order = np.argsort(codes, kind="stable")
    same = np.flatnonzero(codes[order][1:] == codes[order][:-1])
    if not same.size:
        return None
    at = same[np.argmin(order[same + 1])]
    return int(order[at]), int(order[at + 1])


def _of_items(column: Codes | Floats, where: _Where, name: str, shown: Anything) -> Any:
    """Return one value for each item, refusing items that have two."""
    first = np.full(len(where.items), -1, dtype=np.intp)
    first[where.item[::-1]] = np.arange(len(column))[::-1]
    of_item = column[first]
    other = np.flatnonzero(of_item[where.item] != column)
    if other.size:
        row = int(other[0])
        begun = int(first[where.item[row]])
        raise InputError(
            f"{name} of {where(row)} is {shown[row]!r} but {shown[begun]!r} in "
            f"{where.place_of(begun)}; an item has one {name}, the same for all models and runs",
            concerning=name,
        )
    return of_item


def _clusters(column: Any, where: _Where) -> tuple[tuple[Label, ...], Codes | None]:
    if column is None:
        return (), None
    gone = [row for row, value in enumerate(column) if is_missing(value)]
    if gone:
        raise InputError(
            f"cluster is missing for {where(gone[0])}{_more(gone)}",
            remedy="give every item a cluster, its own if need be",
        )
    names, codes = _codes(column, "cluster", where.place_of)
    of_item = _of_items(codes, where, "cluster", column)
    if len(names) < 2:
        raise InputError(
            f"all items belong to one cluster, {names[0]!r}; what they have in common cannot be "
            "told from chance, so at least two clusters are needed",
            remedy="leave cluster= out only if items are independent",
        )
    if len(names) == len(where.items):
        return (), None
    return names, of_item


def _weights(column: Any, where: _Where) -> Floats | None:
    if column is None:
        return None
    numbers, known = numbers_of(column, {})
    bad = np.flatnonzero(~known | ~np.isfinite(numbers) | (numbers < 0))
    if bad.size:
        row = int(bad[0])
        raise InputError(
            f"weight of {where(row)} must be a number of at least 0",
            value=f"{_label(column[row])!r}{_more(bad)}",
        )
    of_item: Floats = _of_items(numbers, where, "weight", numbers)
    if not np.any(of_item > 0):
        raise InputError("weight is 0 for every item; nothing would count", concerning="weight")
    return None if np.all(of_item == of_item[0]) else of_item


def _without_weightless(rows: _Rows) -> _Rows:
    """Leave out items of weight 0, which count for nothing."""
    if rows.weight is None or np.all(rows.weight > 0):
        return rows
    kept = np.flatnonzero(rows.weight > 0)
    number = np.full(len(rows.items), -1, dtype=np.intp)
    number[kept] = np.arange(len(kept))
    keep = number[rows.item] >= 0
    return replace(
        rows,
        items=tuple(rows.items[i] for i in kept),
        item=number[rows.item][keep],
        model=rows.model[keep],
        run=rows.run[keep],
        score=rows.score[keep],
        cluster=None if rows.cluster is None else rows.cluster[kept],
        weight=rows.weight[kept],
        human=None if rows.human is None else rows.human[keep],
    )


def _limited(scores: Scores, limits: Any, rows: _Rows) -> Scores:
    """Return the scores with their limits, which every one of them must keep."""
    marks = scores.score if scores.human is None else _with_marks(scores)
    if isinstance(limits, str) and limits == "auto":
        inside = bool(np.all((marks >= 0) & (marks <= 1)))
        return replace(scores, low=0.0, high=1.0, limits_assumed=True) if inside else scores
    if limits is None:
        return scores
    low, high = _pair(limits)
    outside = np.flatnonzero((scores.score < low) | (scores.score > high))
    if outside.size:
        row = int(outside[0])
        item = scores.items[scores.item[row]]
        raise InputError(
            f"score of item {item!r} of model {scores.models[scores.model[row]]!r} is "
            f"{scores.score[row]:g}, outside the limits {low:g} to {high:g}",
            remedy="correct it, or state other limits",
        )
    if np.any((marks < low) | (marks > high)):
        raise InputError(
            f"a human mark lies outside the limits {low:g} to {high:g}", remedy="correct it"
        )
    return replace(scores, low=low, high=high)


def _with_marks(scores: Scores) -> Floats:
    assert scores.human is not None
    return np.concatenate([scores.score, scores.human[~np.isnan(scores.human)]])


def _pair(limits: Any) -> tuple[float, float]:
    try:
        low, high = limits
        low = -math.inf if low is None else float(low)
        high = math.inf if high is None else float(high)
    except (TypeError, ValueError):
        raise InputError(
            "limits must be the lowest and the highest score there can be, as (0, 1); got "
            f"{limits!r}",
            concerning="limits",
        ) from None
    if not low < high:
        raise InputError(
            "limits must be (lowest, highest)", concerning="limits", value=f"{low:g} and {high:g}"
        )
    return low, high


def _more(rows: Any) -> str:
    return f" (and {len(rows) - 1} more)" if len(rows) > 1 else ""
