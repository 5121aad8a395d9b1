"""A plain refit: one clone, fitted and asked, for the cases where shared work leaves a doubt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import clone

from referee.core.arrays import Codes, Features, Label
from referee.core.dataset import take_rows
from referee.core.labels import encode
from referee.core.plan import Plan, Split
from referee.core.shared_work import SplitOutput

__all__ = ["plain_plan", "plain_refit"]


def plain_refit(
    model: Any,
    X: Features,
    codes: Codes,
    split: Split,
    *,
    classes: Sequence[Label],
    scores: bool = False,
) -> SplitOutput:
    """Fit a copy of the model on one split, for one column of labels, and predict its test rows.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, codes = np.array([[0.0], [1.0], [4.0], [5.0]]), np.array([0, 0, 1, 1])
    >>> split = Split(train=np.arange(4), test=np.array([1, 2]))
    >>> plain_refit(GaussianNB(), X, codes, split, classes=("a", "b")).predicted.ravel().tolist()
    [0, 1]
    """
    names = np.asarray(classes)
    fitted = clone(model).fit(take_rows(X, split.train), names[codes[split.train]])
    rows = take_rows(X, split.test)
    predicted = encode(np.asarray(fitted.predict(rows)), classes, "predictions")[:, None]
    if not scores:
        return SplitOutput(predicted, refits=1)
    columns = np.zeros((len(predicted), 1, len(names)))
    columns[:, 0, encode(fitted.classes_, classes, "classes")] = fitted.predict_proba(rows)
    return SplitOutput(predicted, columns, refits=1)


def plain_plan(
    model: Any,
    X: Features,
    Y: Codes,
    plan: Plan,
    *,
    classes: Sequence[Label],
    scores: bool = False,
) -> tuple[SplitOutput, ...]:
    """Fit split by split and column by column: what shared work must equal."""
    outputs = []
    for split in plan.splits:
        parts = [
            plain_refit(model, X, codes, split, classes=classes, scores=scores) for codes in Y.T
        ]
        outputs.append(
            SplitOutput(
                np.concatenate([p.predicted for p in parts], axis=1),
                np.concatenate([p.scores for p in parts if p.scores is not None], axis=1)
                if scores
                else None,
                refits=len(parts),
            )
        )
    return tuple(outputs)
