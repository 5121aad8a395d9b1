"""A plain refit with decision values, for labellings that shared work leaves in doubt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import clone

from referee.core.arrays import Codes, Features, Floats, Label
from referee.core.dataset import take_rows
from referee.core.labels import encode
from referee.core.plan import Split
from referee.core.shared_work import SplitOutput

__all__ = ["decision_refit", "score_columns", "side_by_side"]


def decision_refit(
    model: Any,
    X: Features,
    codes: Codes,
    split: Split,
    *,
    classes: Sequence[Label],
    scores: bool = False,
) -> SplitOutput:
    """Fit a copy of the model on one split, for one column of labels, and ask it for its values.

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> X, codes = np.array([[0.0], [1.0], [4.0], [5.0]]), np.array([0, 0, 1, 1])
    >>> split = Split(train=np.arange(4), test=np.array([0, 2]))
    >>> out = decision_refit(SVC(), X, codes, split, classes=("a", "b"), scores=True)
    >>> out.predicted.ravel().tolist(), out.scores.shape
    ([0, 1], (2, 1, 2))
    """
    names = np.asarray(classes)
    fitted = clone(model).fit(take_rows(X, split.train), names[codes[split.train]])
    rows = take_rows(X, split.test)
    predicted = encode(np.asarray(fitted.predict(rows)), classes, "predictions")[:, None]
    if not scores:
        return SplitOutput(predicted, refits=1)
    present = encode(fitted.classes_, classes, "classes")
    columns = score_columns(fitted.decision_function(rows), present, len(names))
    return SplitOutput(predicted, columns[:, None, :], refits=1)


def score_columns(values: Floats, present: Codes, k: int) -> Floats:
    """Return a column for each of k classes; -inf for those that training rows lack.

    Examples
    --------
    >>> score_columns(np.array([2.0]), np.array([0, 2]), 3).tolist()
    [[-2.0, -inf, 2.0]]
    """
    if values.ndim == 1:
        values = np.column_stack([-values, values])
    columns = np.full((len(values), k), -np.inf)
    columns[:, present] = values
    return columns


def side_by_side(outputs: Sequence[SplitOutput]) -> SplitOutput:
    """Return one output of several label columns from outputs of one each."""
    scores = [o.scores for o in outputs if o.scores is not None]
    return SplitOutput(
        np.concatenate([o.predicted for o in outputs], axis=1),
        np.concatenate(scores, axis=1) if scores else None,
        refits=sum(o.refits for o in outputs),
    )
