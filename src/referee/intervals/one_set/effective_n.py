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
from scipy import stats

from referee.core.arrays import Codes, Floats

__all__ = ["effective_n"]


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
    Without groups this is Kish's (sum w)² / sum w². With groups it is p (1 - p) / Var(p), the
    variance from leaving out each group in turn, times (z / t_{c-1})². There c counts the groups
    that hold any of the rarer outcome, as only they tell how alike cases of a group are, and is at
    most (sum m)² / sum m², what groups of sizes m are worth. The result is never less than that
    number, and just that where fewer than two groups can tell (no error, one error).

    Examples
    --------
    >>> effective_n(np.array([0.0, 1, 1, 0]))
    4.0
    >>> ten_alike = np.repeat([0.0, 1.0, 0.0, 1.0, 0.0], 10)
    >>> effective_n(ten_alike, groups=np.repeat(np.arange(5), 10))
    5.0
    """
    w = np.ones(len(values)) if weights is None else weights
    if groups is None:
        return float(w.sum() ** 2 / np.sum(w**2))
    p = float(np.average(values, weights=w))
    _, unit = np.unique(groups, return_inverse=True)
    sizes = np.bincount(unit, weights=w)
    few = float(np.sum(sizes) ** 2 / np.sum(sizes**2))
    spread = np.bincount(unit, weights=w * (values - p))
    g = len(sizes)
    rarer = values if p <= 0.5 else 1 - values
    telling = min(float(np.sum(np.bincount(unit, weights=w * rarer) > 0)), few)
    if telling < 2:
        return few
    # A large group pulls p towards itself, which hides its distance; leaving it out shows it.
    pulled = spread / np.maximum(1 - sizes / w.sum(), 1e-9)
    variance = (g - 1) / g * float(np.sum(pulled**2)) / float(w.sum()) ** 2
    if variance < 1e-24:  # none but for rounding
        return few
    kish = float(w.sum() ** 2 / np.sum(w**2))
    z, t = stats.norm.ppf((1 + level) / 2), stats.t.ppf((1 + level) / 2, telling - 1)
    return float(np.clip(p * (1 - p) / variance * (z / t) ** 2, min(few, kish), kish))
