"""From what a person has (a file, a frame, arrays) to predictions that can be checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from typing import Any

import numpy as np

from referee.core.arrays import Floats
from referee.core.labels.labels import rows_text
from referee.errors import InputError, arg
from referee.sources.tables import Table, read_table
from referee.vault.sealed.cases.case_ids import ids_as_read, ids_in_table
from referee.vault.sealed.cases.known_cases import KnownCases
from referee.vault.sealed.submissions.submission import Offered

__all__ = ["offered_file", "offered_values"]

_ANSWERS = ("prediction", "predicted", "pred", "answer", "label")
_SCORES = ("score", "probability", "proba", "p")


def offered_file(
    path: str | PathLike[str],
    header: KnownCases,
    *,
    pred: str | None = None,
    score: str | None = None,
    ids: str | None = None,
) -> Offered:
    """Read predictions from a file: a column of ids, and one of answers or of scores.

    Parameters
    ----------
    path : str or path
        CSV, Parquet or any other table.
    pred, score, ids : str or None
        The columns, where they have other names than the usual ones.
    """
    table = read_table(fspath(path))
    id_column = table.resolve(header.id_column if ids is None else ids)
    if header.measure.scored:
        names = _score_names(table, header, id_column, score)
        scores = {name: np.asarray(table.complete(name, numeric=True), float) for name in names}
        return Offered(
            ids_in_table(table, id_column), None, scores, table.places, table.path, id_column
        )
    column = _named(table, pred, (*_ANSWERS, header.target), id_column, "pred")
    answers = table.labels(column).tolist()
    return Offered(
        ids_in_table(table, id_column), answers, {}, table.places, table.path, id_column, column
    )


def _score_names(table: Table, header: KnownCases, id_column: str, score: str | None) -> list[str]:
    if header.measure.one_score:
        return [_named(table, score, _SCORES, id_column, "score")]
    return [
        name
        for name in table.columns
        if name != id_column and header.class_code(name.removeprefix("score ")) is not None
    ]


def _named(
    table: Table, name: str | None, usual: Sequence[str], id_column: str, option: str
) -> str:
    """Return the column that was named, the only one besides the ids, or the usual one."""
    if name is not None:
        return table.resolve(name)
    others = [column for column in table.columns if column != id_column]
    if len(others) == 1:
        return others[0]
    known = [column for column in others if column in usual]
    if len(known) == 1:
        return known[0]
    raise InputError(
        f"{table.path} has {len(others)} columns besides {id_column!r} "
        f"({', '.join(map(repr, others[:12]))})",
        remedy=f"say which to take with {arg(option)}",
    )


def offered_values(predictions: Any, header: KnownCases, *, scores: Any = None) -> Offered:
    """Take predictions from Python: an array, a Series or frame, a mapping of ids to labels.

    A Series or frame goes by its index of ids, unless that merely counts the rows; a frame may
    have a column of ids instead. Everything else stands in the order of test.csv.
    """
    if header.measure.scored and scores is None:
        predictions, scores = None, predictions
    if isinstance(predictions, Mapping) and not hasattr(predictions, "columns"):
        return _offered(_read(list(predictions)), list(predictions.values()), {}, "predictions")
    main = scores if header.measure.scored else predictions
    what = "scores" if header.measure.scored else "predictions"
    ids = _ids(main, header)
    if not header.measure.scored:
        return _offered(ids, _column(main, header, _ANSWERS, what), {}, what)
    return _offered(ids, None, _score_columns(main, header), what)


def _offered(
    ids: list[str] | None, answers: list[Any] | None, scores: dict[str, Floats], what: str
) -> Offered:
    return Offered(ids, answers, scores, rows_text, what, answer_column=what)


def _ids(values: Any, header: KnownCases) -> list[str] | None:
    if hasattr(values, "columns") and header.id_column in list(values.columns):
        return _read(values[header.id_column].to_list())
    index = getattr(values, "index", None)
    if index is None or callable(index) or _merely_counts(index):
        return None
    return _read(index.to_list())


def _read(values: Sequence[Any]) -> list[str]:
    ids = ids_as_read(values)
    missing = [row for row, name in enumerate(ids) if name is None]
    if missing:
        raise InputError(
            f"the id is missing in {rows_text(missing)}; every case needs one", concerning="ids"
        )
    return [str(name) for name in ids]


def _merely_counts(index: Any) -> bool:
    import pandas as pd

    return isinstance(index, pd.RangeIndex)


def _column(values: Any, header: KnownCases, usual: Sequence[str], what: str) -> list[Any]:
    """Return a column of labels as a list."""
    if not hasattr(values, "columns"):
        array = np.asarray(values)
        if array.ndim != 1:
            raise InputError(
                f"{what} must have one dimension, a label for each case",
                value=f"shape {array.shape}",
            )
        labels: list[Any] = values.to_list() if hasattr(values, "to_list") else array.tolist()
        return labels
    others = [str(c) for c in values.columns if c != header.id_column]
    known = others if len(others) == 1 else [c for c in others if c in (*usual, header.target)]
    if len(known) != 1:
        raise InputError(
            f"{what} has the columns {', '.join(map(repr, others))}",
            remedy=f"give one column of labels, besides {header.id_column!r}",
        )
    column: list[Any] = values[known[0]].to_list()
    return column


def _score_columns(values: Any, header: KnownCases) -> dict[str, Floats]:
    if hasattr(values, "columns"):
        others = [c for c in values.columns if c != header.id_column]
        return {str(c): _numbers(values[c], "scores") for c in others}
    array = _numbers(values, "scores")
    if array.ndim == 1:
        return {"scores": array}
    raise InputError(
        "scores must have one dimension",
        value=f"shape {array.shape}",
        remedy=(
            "give scores of the positive class, or a frame whose columns are named like the classes"
        ),
    )


def _numbers(values: Any, what: str) -> Floats:
    try:
        return np.asarray(values, dtype=float)
    except (TypeError, ValueError) as problem:
        raise InputError(f"{what} must hold numbers: {problem}", concerning="scores") from None
