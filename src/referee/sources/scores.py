"""Scores from wherever they are: a frame, a mapping, a file, several files."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

import numpy as np

from referee.core.arrays import Anything
from referee.core.scores.score_columns import Roles
from referee.core.scores.score_table import scores_of
from referee.core.scores.scores import Scores
from referee.errors import InputError
from referee.sources.file_names import names_of_files
from referee.sources.tables import read_table

__all__ = ["joined", "scores_from", "tabled_scores"]


def scores_from(
    table: Any,
    *,
    models: Sequence[str] | None = None,
    values: Mapping[Any, float] | None = None,
    greater_is_better: bool = True,
    limits: Any = "auto",
    name: str | None = None,
    header: Any = "auto",
    **roles: Any,
) -> Scores:
    """Return the scores of a table, a file or several files, as `Scores.of` reads them.

    Parameters
    ----------
    table : Scores, DataFrame, mapping, array, path or list of paths
        Each of several files holds the scores of one model or more; a model without a name is
        called after its file. Evaluation logs are read as `read_scores_source` does.
    header : bool or "auto"
        Whether the first line of a text file names the columns.

    Examples
    --------
    >>> scores_from({"a": [1, 0, 1], "b": [1, 1, 1]})
    <Scores of 2 models (a, b) on 3 items, 6 scores>
    """
    if isinstance(table, Scores):
        return _as_they_are(table, models, {k: v for k, v in roles.items() if v is not None})
    paths = _paths(table)
    if paths is None:
        return scores_of(
            table,
            _roles(models, values, roles),
            greater_is_better=greater_is_better,
            limits=limits,
            name=name,
        )
    from referee.sources.logs.score_source import read_scores_source

    return read_scores_source(
        paths,
        models=models,
        values=values,
        # Logs know their direction; only the other one is worth saying.
        greater_is_better=None if greater_is_better else False,
        limits=limits,
        name=name,
        header=header,
        **roles,
    )


def tabled_scores(
    paths: Sequence[str],
    *,
    models: Sequence[str] | None = None,
    values: Mapping[Any, float] | None = None,
    greater_is_better: bool = True,
    limits: Any = "auto",
    name: str | None = None,
    header: Any = "auto",
    **roles: Any,
) -> Scores:
    """Return the scores of tables in files; arguments as in `scores_from`."""
    asked = _roles(models, values, roles)
    options: dict[str, Any] = {
        "greater_is_better": greater_is_better,
        "limits": limits,
        "name": name,
    }
    parts = [
        scores_of(
            dict((read := read_table(path, header=header)).values),
            asked,
            place=read.place,
            one_model=called,
            **(options | {"limits": None if len(paths) > 1 else limits}),
        )
        for path, called in zip(paths, names_of_files(paths), strict=True)
    ]
    return parts[0] if len(parts) == 1 else joined(parts, paths, **options)


def _roles(
    models: Sequence[str] | None, values: Mapping[Any, float] | None, roles: Mapping[str, Any]
) -> Roles:
    return Roles(
        models=None if models is None else tuple(models), values=dict(values or {}), **roles
    )


def joined(parts: Sequence[Scores], places: Sequence[str], **options: Any) -> Scores:
    """Return the scores of several tables as one; items are matched by name.

    Parameters
    ----------
    parts : sequence of Scores
        No two may hold the same run of the same model on the same item.
    places : sequence of str
        Where each comes from, for messages.
    """
    frames = [part.frame() for part in parts]
    columns: dict[str, Anything] = {}
    for column in ("item", "model", "run", "score", "cluster", "weight", "human"):
        having = [column in frame for frame in frames]
        if not any(having) or (column == "run" and not any(_several_runs(p) for p in parts)):
            continue
        if not all(having) and column in ("cluster", "weight"):
            there, lacks = having.index(True), having.index(False)
            raise InputError(
                f"{places[there]} has a column of the {column} and {places[lacks]} has none",
                remedy="give it to both, or to neither",
            )
        blank = [np.full(len(frame), np.nan) for frame in frames]
        columns[column] = np.concatenate(
            [
                np.asarray(f[column] if has else empty, dtype=object)
                for f, has, empty in zip(frames, having, blank, strict=True)
            ]
        )
    ends = np.cumsum([len(frame) for frame in frames])

    def place(row: int) -> str:
        return places[int(np.searchsorted(ends, row, side="right"))]

    return scores_of(columns, Roles(), place=place, **options)


def _several_runs(part: Scores) -> bool:
    return part.repeated or len(part.runs) > 1


def _as_they_are(scores: Scores, models: Sequence[str] | None, roles: Mapping[str, Any]) -> Scores:
    if roles:
        raise InputError(
            f"{next(iter(roles))}= goes with a table; these are Scores, whose columns are known",
            concerning=next(iter(roles)),
        )
    return scores if models is None else scores.select(list(models))


def _paths(table: Any) -> list[str] | None:
    """Return the files that are meant, or None where a table was passed."""
    if isinstance(table, (str, os.PathLike)):
        return [os.fspath(table)]
    listed = isinstance(table, (list, tuple)) and len(table) > 0
    if listed and all(isinstance(t, os.PathLike) or _is_file_name(t) for t in table):
        return [os.fspath(t) for t in table]
    return None


def _is_file_name(value: Any) -> bool:
    return isinstance(value, str) and bool(PurePath(value).suffix)
