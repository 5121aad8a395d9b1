"""How many independent cases those of a stretch of time are worth.

Losses of neighbours in time resemble each other where labels persist or the world drifts, so n of
them carry less than n independent ones. The long-run variance of their mean is estimated from their
slow movements alone: K cosines that go through the time from K/2 times down to half a time. Each
gives an independent chi-squared estimate of it, so that Student's t with K degrees of freedom pays
for estimating. K grows like the root of the number of moments, more slowly than is usual, for
errors of classifiers persist as long as labels do.

References
----------
Mueller (2004), Journal of Econometrics 121. Lazarus, Lewis, Stock and Watson (2018), Journal of
Business and Economic Statistics 36.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import scipy

from referee.core.arrays import Codes, Floats

__all__ = ["SlowMovement", "serial_n", "slow_movement"]

_FEWEST = 4
"""Cosines at least; with fewer t would be far out."""


class SlowMovement(NamedTuple):
    """How much the losses move slowly, over what independent ones would.

    Attributes
    ----------
    ratio : float
        Long-run variance over that of independent cases; 1 where there is no dependence.
    cosines : int
        From how many cosines it comes; 0 where there are too few moments to tell.
    """

    ratio: float
    cosines: int

    @property
    def chance(self) -> float:
        """How often independent losses would move so much, or more."""
        if self.cosines == 0:
            return 1.0
        return float(scipy.stats.chi2.sf(self.cosines * self.ratio, self.cosines))


def serial_n(
    values: Floats, moment: Codes, *, weights: Floats | None = None, level: float = 0.95
) -> float:
    """Return the number of independent cases that these are worth, at most their own (Kish's).

    Parameters
    ----------
    values, moment : arrays
        The (mean) loss of each case and its place in time.
    weights : array, optional
        How much each case counts.
    level : float
        The t quantile at this level pays for estimating the variance.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> apart = (rng.random(300) < 0.2).astype(float)
    >>> persistent = np.repeat((rng.random(15) < 0.2).astype(float), 20)
    >>> when = np.arange(300)
    >>> serial_n(apart, when) > 150, serial_n(persistent, when) < 30
    (True, True)
    """
    w = np.ones(len(values)) if weights is None else weights / np.max(weights)
    most = float(w.sum() ** 2 / np.sum(w**2))
    slow = slow_movement(values, moment, w)
    if slow.cosines == 0:
        return most
    upper = (1 + level) / 2
    paid = float(scipy.special.ndtri(upper) / scipy.stats.t.ppf(upper, slow.cosines)) ** 2
    return float(np.clip(most * paid / max(slow.ratio, 1e-12), 1.0, most))


def slow_movement(values: Floats, moment: Codes, weights: Floats | None = None) -> SlowMovement:
    """Return the long-run variance of the mean over that of independent cases.

    Where losses do not vary at all nothing tells, and the ratio is 1.

    Examples
    --------
    >>> when = np.arange(100)
    >>> slow_movement((when > 50).astype(float), when).ratio > 5
    True
    """
    w = np.ones(len(values)) if weights is None else weights
    away = w * (values - float(np.average(values, weights=w)))
    of_moment = np.bincount(moment, weights=away)[np.bincount(moment) > 0]
    m = len(of_moment)
    cosines = min(max(_FEWEST, math.floor(0.5 * math.sqrt(m))), m - 1)
    alone = float(np.sum(away**2))
    if cosines < 1:
        return SlowMovement(1.0, 0)
    if alone <= 1e-24 * float(np.sum(w**2)):
        return SlowMovement(1.0, cosines)
    waves = np.cos(np.pi * np.arange(1, cosines + 1)[:, None] * (np.arange(m) + 0.5) / m)
    slow = 2 / m * np.square(waves @ of_moment)
    return SlowMovement(float(np.mean(slow)) * m / alone, cosines)
