"""Measures of a ranking by score."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy

from referee.core.arrays import Flags, Floats
from referee.core.dataset import checked_weights
from referee.core.labels.labels import rows_text
from referee.errors import InputError

__all__ = ["auc", "checked_ranking"]


def checked_ranking(positive: Any, scores: Any, weights: Any = None) -> tuple[Flags, Floats, Any]:
    """Return flags, finite scores and weights of one length, or say what is wrong.

    Examples
    --------
    >>> checked_ranking([1, 0], [0.5, float("nan")])
    Traceback (most recent call last):
    ...
    referee.errors.InputError: scores must be finite, got nan in row 1
    """
    hit, values = np.asarray(positive), np.asarray(scores, dtype=float)
    if hit.dtype != bool:
        odd = np.flatnonzero((hit != 0) & (hit != 1)) if hit.dtype.kind in "iuf" else [0]
        if len(odd):
            raise InputError(
                "must hold booleans or 0 and 1",
                argument="positive",
                value=repr(hit[odd[0]]),
                place=f"row {odd[0]}",
            )
        hit = hit.astype(bool)
    if hit.ndim != 1 or hit.shape != values.shape:
        raise InputError(
            "positive and scores must have one value per case",
            concerning="positive",
            value=f"{hit.shape} and {values.shape}",
        )
    bad = np.flatnonzero(~np.isfinite(values))
    if bad.size:
        raise InputError(
            "scores must be finite",
            concerning="scores",
            value=str(values[bad[0]]),
            place=rows_text(bad[:1]),
        )
    return hit, values, checked_weights(weights, len(values))


def auc(positive: Flags, scores: Floats) -> float:
    """Return the area under the ROC curve by midranks; ties count one half.

    Parameters
    ----------
    positive : array of bool
        Which cases belong to the positive class.
    scores : array of float
        Larger means more positive.

    Examples
    --------
    >>> auc(np.array([False, False, True, False, True, True]), np.arange(6.0))
    0.8888888888888888
    >>> auc(np.array([True, False]), np.zeros(2))
    0.5
    """
    positive, scores, _ = checked_ranking(positive, scores)
    p = int(np.sum(positive))
    n = len(positive) - p
    if p == 0 or n == 0:
        return float("nan")
    ranks = scipy.stats.rankdata(scores)
    return float((ranks[positive].sum() - p * (p + 1) / 2) / (p * n))
