"""The area under the ROC curve for more than two classes.

References
----------
Hand and Till (2001), Machine Learning 45 (one against one). Provost and Domingos (2000) (one
against the rest).
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from referee.core.arrays import Codes, Floats
from referee.measures.ranking import auc

__all__ = ["auc_one_against_one", "auc_one_against_rest"]


def auc_one_against_rest(truth: Codes, scores: Floats) -> float:
    """Return the mean over classes of the area of each against all others.

    Examples
    --------
    >>> auc_one_against_rest(np.array([0, 1, 2]), np.eye(3))
    1.0
    """
    return float(np.mean([auc(truth == c, scores[:, c]) for c in range(scores.shape[1])]))


def auc_one_against_one(truth: Codes, scores: Floats) -> float:
    """Return the mean over pairs of classes of Hand and Till's area, blind to class shares.

    Examples
    --------
    >>> auc_one_against_one(np.array([0, 1, 2]), np.eye(3))
    1.0
    """
    areas = []
    for a, b in combinations(range(scores.shape[1]), 2):
        pair = (truth == a) | (truth == b)
        first = auc(truth[pair] == a, scores[pair, a])
        second = auc(truth[pair] == b, scores[pair, b])
        areas.append((first + second) / 2)
    return float(np.mean(areas))
