"""The band around a ROC curve: what the true curve may be, point by point or as a whole.

Replicates come from resampling positives and negatives apart. At each false positive rate the
*pointwise* band holds the middle of the replicates; the *simultaneous* band is the value plus and
minus c standard errors, c the quantile of the largest studentised distance over the whole curve,
so that it covers the curve everywhere at once.

Resamples know nothing beyond the cases that were seen, so neither band is ever narrower than two
plain facts allow. Where the curve lies flat at 0 or 1 no resample differs: the share of positives
found is still a share of so many cases (Wilson). And the threshold whose false positive rate is x
may show any count of false positives that is binomial with x: at rates below about 3 / (number of
negatives) it may show none, so there the lower limit is 0. Without the second, 95 % bands miss the
true curve at the left edge most of the time (tests/intervals/test_bands.py).

References
----------
Efron and Tibshirani (1993), chapter 13. Bertail, Clémençon and Vayatis (2008), NIPS 21.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import scipy

from referee.core.arrays import Codes, Flags, Floats
from referee.core.randomness import Seed
from referee.core.results import check_level
from referee.errors import InputError
from referee.intervals.area.ranking_sample import RankingSample
from referee.intervals.one_set.bootstrap.ranking import bootstrap_roc
from referee.intervals.one_set.proportion import wilson
from referee.measures.formulas.roc import RocCurve

__all__ = ["BandKind", "RocBand", "band_of", "roc_band", "tpr_at"]

BandKind: TypeAlias = Literal["pointwise", "simultaneous"]

_HAIR = 1e-9
"""Rates are read a hair to the right, so that at a vertical step the top counts, always."""


@dataclass(frozen=True, eq=False)
class RocBand:
    """Limits of the true positive rate over a grid of false positive rates.

    Attributes
    ----------
    fpr, low, high : arrays of float
    level : float
    kind : {"pointwise", "simultaneous"}
    """

    fpr: Floats
    low: Floats
    high: Floats
    level: float
    kind: BandKind

    def contains(self, fpr: Floats, tpr: Floats) -> bool:
        """Tell whether a curve lies inside the band at every point of its grid."""
        at = np.interp(self.fpr, fpr, tpr)
        return bool(np.all((self.low <= at) & (at <= self.high)))


def tpr_at(curve: RocCurve, fpr: Floats) -> Floats:
    """Return the true positive rate at false positive rates; the top where the curve is steep.

    Examples
    --------
    >>> from referee.measures.formulas.roc import roc_curve
    >>> curve = roc_curve(np.array([True, False, True, False]), np.array([4.0, 3.0, 2.0, 1.0]))
    >>> tpr_at(curve, np.array([0.0, 0.25, 0.5, 1.0])).tolist()
    [0.5, 0.5, 1.0, 1.0]
    """
    x, y = curve.fpr, curve.tpr
    at = np.searchsorted(x, fpr + _HAIR, side="right")
    after = np.minimum(at, len(x) - 1)
    before = np.maximum(at - 1, 0)
    run = x[after] - x[before]
    share = np.divide(fpr - x[before], run, out=np.zeros(len(fpr)), where=run > 0)
    return np.asarray(y[before] + np.clip(share, 0, 1) * (y[after] - y[before]))


def roc_band(
    positive: Flags,
    scores: Floats,
    *,
    kind: BandKind = "simultaneous",
    level: float = 0.95,
    rounds: int = 2000,
    points: int = 201,
    seed: Seed = 0,
    groups: Codes | None = None,
) -> RocBand:
    """Return the band of a ROC curve by the stratified bootstrap.

    Parameters
    ----------
    positive : array of bool
    scores : array of float
    kind : {"simultaneous", "pointwise"}
        Whether the whole curve is covered with probability `level`, or each point of it.
    level : float
    rounds : int
        Resamples.
    points : int
        Size of the grid of false positive rates.
    seed : int
    groups : array of int, optional
        Rows that belong together and are drawn together.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> positive = np.arange(200) < 100
    >>> band = roc_band(positive, rng.normal(size=200) + positive, points=11)
    >>> bool(np.all(band.low < band.high)), band.kind
    (True, 'simultaneous')
    """
    sample = RankingSample(positive, scores, units=groups)
    return band_of(sample, kind=kind, level=level, rounds=rounds, points=points, seed=seed)


def band_of(
    sample: RankingSample,
    *,
    kind: BandKind = "simultaneous",
    level: float = 0.95,
    rounds: int = 2000,
    points: int = 201,
    seed: Seed = 0,
    up_to: float = 1.0,
) -> RocBand:
    """Return the band of a ranking; wider where several fits made it.

    With `up_to` it reaches only to that false positive rate, and holds the curve up to there.
    """
    if kind not in ("pointwise", "simultaneous"):
        raise InputError("band must be 'pointwise', 'simultaneous' or None", value=repr(kind))
    check_level(level)
    grid = np.linspace(0, up_to, points)
    value = tpr_at(sample.curve, grid)
    positives = sample.sizes[0]
    # Several fits vary more than resamples of their predictions do.
    off = (_replicates(sample, grid, rounds, seed) - value) * math.sqrt(sample.inflation)
    z = float(scipy.special.ndtri((1 + level) / 2))
    low, high = _widened(sample, grid, z, *_percentiles(value, off, level, positives))
    if kind == "simultaneous":
        spread = _spread(value, off, positives)
        z = max(z, float(np.quantile(np.max(np.abs(off) / spread, axis=1), level)))
        lower, upper = _widened(sample, grid, z, value - z * spread, value + z * spread)
        # A ROC curve never falls, so a band that holds all of it need not fall or rise in vain.
        low = np.minimum(low, np.maximum.accumulate(lower))
        high = np.maximum(high, np.minimum.accumulate(upper[::-1])[::-1])
    return RocBand(grid, np.clip(low, 0, 1), np.clip(high, 0, 1), level, kind)


def _replicates(sample: RankingSample, grid: Floats, rounds: int, seed: Seed) -> Floats:
    if sample.units is None:
        return bootstrap_roc(sample.positive, sample.scores, grid + _HAIR, rounds=rounds, seed=seed)
    return np.array([tpr_at(curve, grid) for curve in sample.resampled(rounds, seed)])


def _percentiles(value: Floats, off: Floats, level: float, n: float) -> tuple[Floats, Floats]:
    """Return percentiles of the replicates, or Wilson's limits where those are wider."""
    low, high = value + np.quantile(off, ((1 - level) / 2, (1 + level) / 2), axis=0)
    score = [wilson(min(v, 1.0) * n, n, level) for v in value]
    return np.minimum(low, [i.low for i in score]), np.maximum(high, [i.high for i in score])


def _spread(value: Floats, off: Floats, n: float) -> Floats:
    """Return standard errors, at least that of a share of n cases drawn a little to the middle."""
    shrunk = (value * n + 1) / (n + 2)
    return np.asarray(np.maximum(off.std(axis=0), np.sqrt(shrunk * (1 - shrunk) / n)))


def _widened(
    sample: RankingSample, grid: Floats, z: float, low: Floats, high: Floats
) -> tuple[Floats, Floats]:
    """Return limits that hold the curve wherever thresholds of these rates may lie in the sample.

    A threshold of false positive rate x shows a binomial number of false positives.
    """
    n = round(sample.sizes[1])
    fpr, tpr = sample.curve.fpr, sample.curve.tpr
    tail = float(scipy.special.ndtr(-z))
    fewest, most = (scipy.stats.binom.ppf(q, n, grid) / n for q in (tail, 1 - tail))
    first = np.searchsorted(fpr, fewest - _HAIR, side="left")
    final = np.searchsorted(fpr, most + _HAIR, side="right") - 1
    return np.minimum(low, tpr[first]), np.maximum(high, tpr[final])
