"""Limits of a rate: those that hold at every number of data sets, and those at the planned one.

Every cell has a number of data sets that was decided before any was drawn. A run may stop before,
because of what it saw, so limits before that number must hold at all of them at once. At the number
itself an exact interval of a fixed number of draws is valid, and narrower. Half of the error is
spent on all earlier looks together and half on the last one, so that what a run shows, whenever it
stops, is wrong in at most one of twenty cells.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy import special

from referee.core.arrays import Flags, Floats
from referee.intervals.one_set.proportion import clopper_pearson
from referee.intervals.sequential.beta_binomial import beta_binomial_at

__all__ = ["LEVEL", "Share", "counted", "coverage", "reach_at_all_times", "reach_of_mean"]

LEVEL = 0.95
"""The nominal level of all intervals; tests are at 1 - LEVEL."""

_EARLY = _LAST = (1 - LEVEL) / 2
"""The error of all limits before the planned number together, and of those at it."""


class Share(NamedTuple):
    """A share of repetitions with its Monte Carlo error and 95 % limits."""

    value: float
    error: float
    low: float
    high: float


_EXPECTED = {"coverage": (38.0, 2.0), "size": (2.0, 38.0), "power": (1.0, 1.0)}
"""Beta priors of the limits: sharp about .95 and .05, and valid wherever the truth lies."""


def counted(hits: Flags, quantity: str = "coverage", *, planned: int) -> Share:
    """Return the share of hits with limits that hold whenever a run stops.

    Parameters
    ----------
    hits : array of bool
        One for each data set; those above the planned number do not count.
    quantity : {"coverage", "size", "power"}
        What rate is hoped for; before the planned number limits are sharpest near it.
    planned : int
        How many data sets were decided on before the first one.

    Examples
    --------
    >>> hits = np.arange(200) < 190
    >>> [round(x, 3) for x in counted(hits, planned=200)]
    [0.95, 0.016, 0.904, 0.978]
    >>> [round(x, 3) for x in counted(hits, planned=1000)]
    [0.95, 0.016, 0.889, 0.984]
    """
    hits = hits[:planned]
    n, x = len(hits), int(np.sum(hits))
    # One hit and one miss more: no error of 0 where every repetition was a hit.
    share = (x + 1) / (n + 2)
    if n == planned:
        limits = clopper_pearson(x, n, 1 - _LAST)
    else:
        a, b = _EXPECTED[quantity]
        limits = beta_binomial_at(x, n, 1 - _EARLY, a=a, b=b)
    return Share(x / n, math.sqrt(share * (1 - share) / n), limits.low, limits.high)


def coverage(
    low: Floats, high: Floats, truth: Floats, spread: float = 0.0, *, planned: int
) -> Share:
    """Return how often intervals hold the truth.

    Parameters
    ----------
    low, high, truth : arrays
        Ends and truth, data set by data set.
    spread : float
        Monte Carlo error of a truth that is itself a mean; what the coverage changes by when the
        truth is so much lower or higher is added to the error.
    planned : int
        As in `counted`.
    """
    share = counted((low <= truth) & (truth <= high), planned=planned)
    if spread == 0:
        return share
    sides = [np.mean((low <= t) & (t <= high)) for t in (truth - spread, truth + spread)]
    extra = max(abs(float(side) - share.value) for side in sides)
    below, above = share.value - share.low, share.high - share.value
    return Share(
        share.value,
        math.hypot(share.error, extra),
        max(0.0, share.value - math.hypot(below, 2 * extra)),
        min(1.0, share.value + math.hypot(above, 2 * extra)),
    )


def reach_at_all_times(n: float, error: float = 1 - LEVEL, settled: float = 200.0) -> float:
    """Return by how many standard errors the limits of a mean lie apart from it.

    Robbins' normal mixture, sharpest from about `settled` data sets on: such limits hold at every
    number of them at once, where 1.96 is for one that is fixed in advance.

    Examples
    --------
    >>> [round(reach_at_all_times(n), 2) for n in (50, 200, 1000, 5000)]
    [5.57, 3.66, 3.06, 3.1]
    """
    return math.sqrt((1 + settled / n) * (math.log1p(n / settled) - 2 * math.log(error)))


def reach_of_mean(n: float, planned: bool) -> float:
    """Return the same for a study that stops at its planned number or before.

    Examples
    --------
    >>> round(reach_of_mean(1000, planned=True), 2), round(reach_of_mean(1000, planned=False), 2)
    (2.24, 3.32)
    """
    if planned:
        return float(special.ndtri(1 - _LAST / 2))
    return reach_at_all_times(n, _EARLY)
