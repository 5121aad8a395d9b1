"""From a file of predictions or scores to a baseline that is kept."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from referee.errors import InputError, named
from referee.gating.sides.baseline import Baseline
from referee.gating.sides.files import ScoreOptions, silent
from referee.sources.logs.score_source import read_scores_source
from referee.sources.predictions import (
    Note,
    PredictionColumns,
    answers_of,
    case_names,
    classes_of,
    one_column_of_predictions,
    prediction_table,
)
from referee.sources.tables import Header

__all__ = ["predictions_baseline", "scores_baseline"]


def predictions_baseline(
    file: str | os.PathLike[str],
    *,
    truth: str,
    pred: str | None = None,
    on: str | None = None,
    score: str | None = None,
    name: str | None = None,
    header: Header = "auto",
    note: Note = silent,
) -> Baseline:
    """Return the baseline of a file of predictions, its columns found as by `referee gate`."""
    table = prediction_table(file, header=header, note=note)
    columns = PredictionColumns(
        truth=truth, pred=[pred] if pred else (), score=[score] if score else (), on=on
    )
    ids, column = case_names(table, on, note), one_column_of_predictions(table, columns, note)
    right = table.labels(truth)
    said = answers_of(
        table, column, classes_of(right, ()) | set(table.labels(column).tolist()), truth
    )
    if ids is None:
        note(
            f"{file} has no ids, so candidates are held against it row by row; {named('on')} "
            "names a column of them"
        )
    elif len(set(ids.tolist())) < len(ids):
        values, counts = np.unique(ids.astype(str), return_counts=True)
        raise InputError(
            f"{file}: the id {values[counts > 1][0]!r} stands more than once",
            at=str(file),
            remedy="keep one row for each",
        )
    scores = None if score is None else table.complete(score, numeric=True)
    return Baseline.of_predictions(ids, right, said, name=name or Path(file).stem, score=scores)


def scores_baseline(
    file: str | os.PathLike[str],
    options: ScoreOptions,
    *,
    name: str | None = None,
    header: Any = "auto",
) -> Baseline:
    """Return the baseline of a table of scores, or of an evaluation log, of one model."""
    scores = read_scores_source([os.fspath(file)], header=header, **vars(options))
    if name is not None and name in scores.models:
        scores = scores.select([name])
    if len(scores.models) != 1:
        raise InputError(
            f"{file} has {len(scores.models)} models ({', '.join(scores.models[:6])})",
            concerning="name",
            at=str(file),
            remedy=f"name the one to keep with {named('name')}",
        )
    kept = Baseline.of_scores(scores)
    return kept if name is None else replace(kept, name=name)
