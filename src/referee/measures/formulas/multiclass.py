"""The area under the ROC curve for more than two classes.

References
----------
Hand and Till (2001), Machine Learning 45 (one against one). Provost and Domingos (2000) (one
against the rest).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations

import numpy as np

from referee.core.arrays import Codes, Flags, Floats
from referee.measures.formulas.ranking import auc
from referee.measures.formulas.roc import roc_curve

__all__ = ["auc_one_against_one", "auc_one_against_rest", "pairs_apart", "rests_apart"]


def rests_apart(truth: Codes, classes: int) -> Iterator[tuple[int, Flags]]:
    """Yield each class, and the rows of it and of all others."""
    return ((c, np.ones(len(truth), dtype=bool)) for c in range(classes))


def pairs_apart(truth: Codes, classes: int) -> Iterator[tuple[int, Flags]]:
    """Yield the first class of each ordered pair, and the rows of both."""
    return ((a, (truth == a) | (truth == b)) for a, b in permutations(range(classes), 2))


def auc_one_against_rest(truth: Codes, scores: Floats, weights: Floats | None = None) -> float:
    """Return the mean over classes of the area of each against all others.

    Examples
    --------
    >>> auc_one_against_rest(np.array([0, 1, 2]), np.eye(3))
    1.0
    """
    every = np.ones(len(truth), dtype=bool)
    k = scores.shape[1]
    return float(np.mean([_area(every, truth == c, scores[:, c], weights) for c in range(k)]))


def auc_one_against_one(truth: Codes, scores: Floats, weights: Floats | None = None) -> float:
    """Return the mean over pairs of classes of Hand and Till's area, blind to class shares.

    Examples
    --------
    >>> auc_one_against_one(np.array([0, 1, 2]), np.eye(3))
    1.0
    """
    areas = []
    for a, b in combinations(range(scores.shape[1]), 2):
        pair = (truth == a) | (truth == b)
        first = _area(pair, truth == a, scores[:, a], weights)
        second = _area(pair, truth == b, scores[:, b], weights)
        areas.append((first + second) / 2)
    return float(np.mean(areas))


def _area(rows: Flags, positive: Flags, scores: Floats, weights: Floats | None) -> float:
    if not rows.any() or weights is None:
        return auc(positive[rows], scores[rows])
    return roc_curve(positive[rows], scores[rows], weights[rows]).auc
