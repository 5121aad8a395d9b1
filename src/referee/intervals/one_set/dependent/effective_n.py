"""How many independent cases dependent or weighted ones are worth.

Cases of one group (a patient, a document) resemble each other, so n of them carry less than n
independent cases. The variance of the error is taken from group sums; the effective n is the
number of independent cases with the same variance, never more than n.

References
----------
Korn and Graubard (1998), Survey Methodology 24. Kish (1965), Survey Sampling. Miao and Gastwirth
(2004), The American Statistician 58.
"""

from __future__ import annotations

import numpy as np
import scipy

from referee.core.arrays import Codes, Floats

__all__ = ["effective_n", "worth_of_groups"]


def effective_n(
    values: Floats,
    *,
    weights: Floats | None = None,
    groups: Codes | None = None,
    level: float = 0.95,
) -> float:
    """Return the number of independent, equally weighted cases these are worth.

    Parameters
    ----------
    values : array
        The (mean) loss of each case.
    weights, groups : arrays, optional
        The weight and the group of each case.
    level : float
        Few groups estimate their variance poorly; the t quantile at this level pays for it.

    Notes
    -----
    The number is p (1 - p) / Var(p) times (z / t)², at most Kish's (sum w)² / sum w². With groups
    the variance comes from leaving out each group in turn and t has c - 1 degrees of freedom, where
    c = (sum m)² / sum m² is what groups of sizes m are worth. The result is never less than c, and
    just c where there is no error, or nothing else: then nothing tells how alike cases of a group
    are. Where errors are few it may be too large; intervals made at it are therefore widened to
    what no error would have shown (`clustered`).

    With weights alone the variance is that of a ratio, so that errors on heavy cases count for what
    they are; t has Satterthwaite's degrees of freedom, and the result is never less than the sum of
    the weights over the largest.

    Examples
    --------
    >>> effective_n(np.array([0.0, 1, 1, 0]))
    4.0
    >>> ten_alike = np.repeat([0.0, 1.0, 0.0, 1.0, 0.0], 10)
    >>> effective_n(ten_alike, groups=np.repeat(np.arange(5), 10))
    5.0
    """
    w = np.ones(len(values)) if weights is None else weights / np.max(weights)
    if groups is not None:
        return _of_groups(values, w, groups, level)
    if np.ptp(w) <= 1e-12:
        return float(len(w))
    return _of_weights(values, w, level)


def worth_of_groups(groups: Codes, weights: Floats | None = None) -> float:
    """Return how many cases groups are worth whose cases are all alike: (sum m)² / sum m².

    Examples
    --------
    >>> worth_of_groups(np.repeat(np.arange(5), 10))
    5.0
    """
    w = np.ones(len(groups)) if weights is None else weights / np.max(weights)
    sizes = np.bincount(np.unique(groups, return_inverse=True)[1], weights=w)
    return float(np.sum(sizes) ** 2 / np.sum(sizes**2))


def _of_weights(values: Floats, w: Floats, level: float) -> float:
    p, kish = float(np.average(values, weights=w)), _kish(w)
    parts = np.square(w * (values - p)) / float(w.sum()) ** 2
    variance = float(parts.sum())
    if variance <= 1e-24 or p * (1 - p) <= 1e-24:  # none but for rounding
        return kish
    telling = variance**2 / float(np.sum(parts**2))
    alone = p * (1 - p) / variance * _shrink(telling, level)
    return float(np.clip(alone, min(float(w.sum()), kish), kish))


def _of_groups(values: Floats, w: Floats, groups: Codes, level: float) -> float:
    p, kish = float(np.average(values, weights=w)), _kish(w)
    _, unit = np.unique(groups, return_inverse=True)
    sizes = np.bincount(unit, weights=w)
    few = worth_of_groups(groups, w)
    g = len(sizes)
    if few < 1 + 1e-9 or p * (1 - p) <= 1e-24:
        return few
    spread = np.bincount(unit, weights=w * (values - p))
    # A large group pulls p towards itself, which hides its distance; leaving it out shows it.
    pulled = spread / np.maximum(1 - sizes / w.sum(), 1e-9)
    variance = (g - 1) / g * float(np.sum(pulled**2)) / float(w.sum()) ** 2
    alone = min(p * (1 - p) / max(variance, 1e-24), kish)
    return float(np.clip(alone * _shrink(few, level), min(few, kish), kish))


def _kish(w: Floats) -> float:
    return float(w.sum() ** 2 / np.sum(w**2))


def _shrink(telling: float, level: float) -> float:
    """Return (z / t)², what an estimated variance costs in cases."""
    upper = (1 + level) / 2
    return float(scipy.special.ndtri(upper) / scipy.stats.t.ppf(upper, max(telling - 1, 1e-3))) ** 2
