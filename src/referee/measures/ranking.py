"""Measures of a ranking by score (R20, R21)."""

from __future__ import annotations

import numpy as np
from scipy import stats

from referee.core.arrays import Flags, Floats

__all__ = ["auc"]


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
    p = int(np.sum(positive))
    n = len(positive) - p
    if p == 0 or n == 0:
        return float("nan")
    ranks = stats.rankdata(scores)
    return float((ranks[positive].sum() - p * (p + 1) / 2) / (p * n))
