"""Confusion matrices: who was taken for whom (R13, R16)."""

from __future__ import annotations

import numpy as np

from referee.core.arrays import Codes, Floats
from referee.core.predictions import Predictions

__all__ = ["cells", "confusion"]


def confusion(predictions: Predictions) -> Floats:
    """Return the matrix of (weighted) counts: rows are the truth, columns the predictions.

    Examples
    --------
    >>> confusion(Predictions.of(["a", "b", "b"], ["a", "a", "b"])).tolist()
    [[1.0, 0.0], [1.0, 1.0]]
    """
    p = predictions
    k = len(p.classes)
    weight = None if p.weight is None else p.weight[p.case]
    counts = np.bincount(cells(p), weights=weight, minlength=k * k)
    return counts.reshape(k, k).astype(float)


def cells(predictions: Predictions) -> Codes:
    """Return the cell of the flattened matrix each prediction falls into."""
    p = predictions
    return p.truth[p.case] * len(p.classes) + p.predicted
