"""A plain refit: one clone, fitted and asked, for the cases where shared work leaves a doubt."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from sklearn.base import clone

from referee.core.arrays import Codes, Features, Floats, Label
from referee.core.labels.labels import encode
from referee.core.plan import Plan, Split
from referee.core.shared_work import SplitOutput
from referee.learners.shortcuts.pairwise import rows_for

__all__ = ["plain_plan", "plain_refit", "score_columns", "side_by_side"]


def plain_refit(
    model: Any,
    X: Features,
    codes: Codes,
    split: Split,
    *,
    classes: Sequence[Label],
    scores: bool = False,
    method: str = "predict_proba",
) -> SplitOutput:
    """Fit a copy of the model on one split, for one column of labels, and predict its test rows.

    Scores, if wanted, are what `method` gives.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, codes = np.array([[0.0], [1.0], [4.0], [5.0]]), np.array([0, 0, 1, 1])
    >>> split = Split(train=np.arange(4), test=np.array([1, 2]))
    >>> plain_refit(GaussianNB(), X, codes, split, classes=("a", "b")).predicted.ravel().tolist()
    [0, 1]
    """
    names = np.asarray(classes)
    known = rows_for(model, X, split.train, split.train)
    fitted = clone(model).fit(known, names[codes[split.train]])
    rows = rows_for(model, X, split.test, split.train)
    predicted = encode(np.asarray(fitted.predict(rows)), classes, "predictions")[:, None]
    if not scores:
        return SplitOutput(predicted, refits=1)
    present = encode(fitted.classes_, classes, "classes")
    columns = score_columns(getattr(fitted, method)(rows), present, len(names), method)
    return SplitOutput(predicted, columns[:, None, :], refits=1)


def score_columns(values: Any, present: Codes, k: int, method: str = "predict_proba") -> Floats:
    """Return a column of scores for each of k classes, of which only some may be present.

    A class that training rows lack has probability 0, or a decision value of -inf. One decision
    value of two classes speaks for the second, and its negative for the first.

    Examples
    --------
    >>> score_columns(np.array([2.0]), np.array([0, 2]), 3, "decision_function").tolist()
    [[-2.0, -inf, 2.0]]
    """
    raw = np.asarray(values, dtype=float)
    if raw.ndim == 1:
        raw = np.column_stack([-raw, raw])
    if len(present) == k and np.array_equal(present, np.arange(k)):
        return raw
    columns = np.full((len(raw), k), 0.0 if method == "predict_proba" else -np.inf)
    columns[:, present] = raw
    return columns


def side_by_side(outputs: Sequence[SplitOutput]) -> SplitOutput:
    """Return one output of several label columns from outputs of one each."""
    scores = [o.scores for o in outputs if o.scores is not None]
    return SplitOutput(
        np.concatenate([o.predicted for o in outputs], axis=1),
        np.concatenate(scores, axis=1) if scores else None,
        refits=sum(o.refits for o in outputs),
    )


def plain_plan(
    model: Any,
    X: Features,
    Y: Codes,
    plan: Plan,
    *,
    classes: Sequence[Label],
    scores: bool = False,
    method: str = "predict_proba",
) -> tuple[SplitOutput, ...]:
    """Fit split by split and column by column: what shared work must equal."""
    fit = partial(plain_refit, model, X, classes=classes, scores=scores, method=method)
    return tuple(side_by_side([fit(codes, split) for codes in Y.T]) for split in plan.splits)
