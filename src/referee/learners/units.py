"""Units: how a scaler that is fitted in every split measures the features, against common units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from referee.core.arrays import Features, Floats
from referee.core.dataset import take_rows
from referee.core.machine.compiling import compiled
from referee.core.plan import Plan
from referee.core.shared_work import SteppedAside

__all__ = ["Units", "training_sums"]

_EPS = 2.0**-52

_LOST = 1e-3
"""Share of the variance of all rows below which that of a split is left to the scaler itself."""


@dataclass(frozen=True, eq=False)
class Units:
    """All cases in the units of a scaler fitted on all of them, and those of every split.

    Attributes
    ----------
    values : array of shape (n, d)
        What the scaler makes of the features.
    factors : array of shape (splits, d)
        Differences in the units of each split are those of `values` times these.
    error : float
        By which share the factors may be off.
    coarseness : array of shape (n,)
        How far, in length, rounding may move a case in the units of any split.
    """

    values: Floats
    factors: Floats
    error: float
    coarseness: Floats

    @classmethod
    def of(cls, scaler: Any, X: Features, raw: Floats, plan: Plan, *, exact: bool = False) -> Units:
        """Fit the scaler on all rows, and find its scales in every split.

        Parameters
        ----------
        scaler : StandardScaler, MinMaxScaler, MaxAbsScaler or RobustScaler
            Whatever it does is affine in each feature.
        X, raw : features and array of float
            The features as given, and as numbers.
        exact : bool
            Whether to fit the scaler in every split, where sums over rows would do.
        """
        fitted = clone(scaler).fit(X)
        values = np.ascontiguousarray(fitted.transform(X), dtype=float)
        common = _scale(fitted, raw.shape[1])
        sums = type(scaler).__name__ == "StandardScaler" and scaler.with_std and not exact
        scales = np.full((plan.fits, raw.shape[1]), np.nan)
        if sums:
            scales = _deviations(raw, plan)
        for number in np.flatnonzero(np.isnan(scales).any(axis=1)):
            rows = take_rows(X, plan.splits[number].train)
            scales[number] = _scale(clone(scaler).fit(rows), raw.shape[1])
        if not (np.isfinite(scales).all() and (scales > 0).all()):
            raise SteppedAside("a scale is not a positive number")
        smallest = np.minimum(common, scales.min(axis=0))
        sizes = (np.abs(raw) + np.abs(raw).max(axis=0)) / smallest + np.abs(values) + 1
        coarseness = 16 * _EPS * np.sqrt((sizes**2).sum(axis=1))
        error = 1e-9 + 8 * plan.n * _EPS / _LOST if sums else 1e-14
        return cls(values, np.ascontiguousarray(common / scales), error, coarseness)


def _scale(fitted: Any, d: int) -> Floats:
    """Return what a fitted scaler divides by."""
    if fitted.scale_ is None:
        return np.ones(d)
    with np.errstate(divide="ignore"):
        multiplies = type(fitted).__name__ == "MinMaxScaler"
        return np.asarray(1 / fitted.scale_ if multiplies else fitted.scale_, dtype=float)


def _deviations(raw: Floats, plan: Plan) -> Floats:
    """Return standard deviations of the training rows; NaN where they may be off, or nearly 0."""
    n, d = raw.shape
    mean = raw.mean(axis=0)
    Z = raw - mean
    moments = np.hstack([Z, Z**2])
    totals = moments.sum(axis=0)
    sums = np.empty((plan.fits, 2 * d))
    times = np.empty(n, dtype=np.int32)
    for split, out in zip(plan.splits, sums, strict=True):
        training_sums(split.train, split.test, moments, totals, times, out)
    counts = np.array([[s.n_train] for s in plan.splits])
    centre = sums[:, :d] / counts
    variance = sums[:, d:] / counts - centre**2
    # Where scikit-learn might take a feature for a constant.
    constant = (counts * (np.abs(mean) + np.abs(centre)) * _EPS) ** 2
    known = (variance > _LOST * totals[d:] / n) & (variance > 1e4 * constant)
    return np.sqrt(np.where(known, variance, np.nan))


@compiled
def training_sums(
    train: Any, test: Any, values: Floats, totals: Floats, times: Any, out: Floats
) -> None:
    """Sum the training rows: all rows less the tested ones, where that is what they are."""
    n, complement = len(times), len(train) + len(test) == len(times)
    if complement:
        times[:] = 0
        for row in train:
            times[row] += 1
        for row in test:
            times[row] += 1
        complement = times.max() == 1 and n > 2 * len(test)
    if complement:
        out[:] = totals
        for row in test:
            out -= values[row]
        return
    out[:] = 0.0
    for row in train:
        out += values[row]
