"""Confusion matrices: who was taken for whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from referee.core.arrays import Codes, Floats
from referee.core.predictions import Predictions
from referee.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["cells", "confusion", "confusion_frame"]


def confusion(predictions: Predictions) -> Floats:
    """Return the matrix of (weighted) counts: rows are the truth, columns the predictions.

    Examples
    --------
    >>> confusion(Predictions.of(["a", "b", "b"], ["a", "a", "b"])).tolist()
    [[1.0, 0.0], [1.0, 1.0]]
    """
    p = predictions
    if p.label_sets is not None:
        return _right_and_wrong(p)
    k = len(p.classes)
    if p.weight is None:
        return p.cell_counts.astype(float)
    counts = np.bincount(cells(p), weights=p.weight[p.case], minlength=k * k)
    return counts.reshape(k, k).astype(float)


def confusion_frame(predictions: Predictions, normalize: str | None = None) -> pd.DataFrame:
    """Return the matrix with the classes' names; truth in the rows.

    Parameters
    ----------
    normalize : {None, "true", "pred", "all"}
        Divide by the row, the column or the whole, as in scikit-learn; 0/0 is nan.

    Examples
    --------
    >>> confusion_frame(Predictions.of(["a", "b", "b"], ["a", "a", "b"]), "true").loc["b", "a"]
    np.float64(0.5)
    """
    import pandas as pd

    if predictions.label_sets is not None:
        raise InputError("label sets have no confusion matrix", remedy="see per_label()")
    counts = confusion(predictions)
    totals = {
        None: np.ones((1, 1)),
        "true": counts.sum(1, keepdims=True),
        "pred": counts.sum(0, keepdims=True),
        "all": counts.sum(keepdims=True),
    }
    if normalize not in totals:
        raise InputError(
            "must be None, 'true', 'pred' or 'all'", argument="normalize", value=repr(normalize)
        )
    whole = np.broadcast_to(totals[normalize], counts.shape)
    shares = np.divide(counts, whole, out=np.full(counts.shape, np.nan), where=whole > 0)
    names = list(predictions.classes)
    return pd.DataFrame(
        shares, index=pd.Index(names, name="truth"), columns=pd.Index(names, name="predicted")
    )


def _right_and_wrong(p: Predictions) -> Floats:
    """Return right answers on the diagonal and wrong ones beside it.

    There may be as many label sets as cases, and a matrix of them all would fill the memory.
    """
    weight = np.ones(len(p.case)) if p.weight is None else p.weight[p.case]
    wrong = float(weight @ p.wrong)
    return np.array([[float(weight.sum()) - wrong, wrong], [0.0, 0.0]])


def cells(predictions: Predictions) -> Codes:
    """Return the cell of the flattened matrix each prediction falls into."""
    p = predictions
    return p.row_truth * len(p.classes) + p.predicted
