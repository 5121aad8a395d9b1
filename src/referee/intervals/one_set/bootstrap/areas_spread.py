"""How much a mean of several classes' areas varies, from the placements of every case.

The influence of a case on an area is its placement over the cases of its class; on a mean of areas,
the mean of those. Resampled within classes, the mean has the variance of the summed influences.

References
----------
DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44. Hand and Till (2001), Machine Learning 45.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from referee.core.arrays import Codes, Flags, Floats
from referee.intervals.area.placements import placements

__all__ = ["areas_sd"]


def areas_sd(truth: Codes, scores: Floats, apart: Iterable[tuple[int, Flags]]) -> float:
    """Return the standard deviation of a mean of areas under resampling within classes.

    Parameters
    ----------
    truth : array of int
        The class of every case.
    scores : array
        One column per class.
    apart : iterable of (int, array of bool)
        The class that is positive in each area, and the rows it is taken among.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> truth = np.repeat([0, 1, 2], 500)
    >>> scores = rng.normal(size=(1500, 3)) + np.eye(3)[truth]
    >>> everything = np.ones(1500, dtype=bool)
    >>> round(areas_sd(truth, scores, ((c, everything) for c in range(3))), 4)
    0.0074
    """
    influence, areas = np.zeros(len(truth)), 0
    for label, rows in apart:
        positive = truth[rows] == label
        placed = placements(positive, scores[rows, label])
        part = np.empty(len(positive))
        part[positive] = placed.of_positives / len(placed.of_positives)
        part[~positive] = placed.of_negatives / len(placed.of_negatives)
        influence[rows] += part
        areas += 1
    squares = 0.0
    for label in np.unique(truth):
        of_class = influence[truth == label] / areas
        squares += float(np.sum((of_class - of_class.mean()) ** 2))
    return math.sqrt(squares)
