"""Intervals for the area under the ROC curve that hold near 1.

The default inverts the score test with the Hanley-McNeil variance (Newcombe's method 5).

References
----------
Newcombe (2006), Statistics in Medicine 25 (method 5). Hanley and McNeil (1982), Radiology 143.
"""

from __future__ import annotations

import math

from scipy import optimize, stats

from referee.core.results import Interval, check_level
from referee.errors import InputError

__all__ = ["newcombe"]


def newcombe(auc: float, n_pos: float, n_neg: float, level: float = 0.95) -> Interval:
    """Return Newcombe's score interval (method 5) of an area under the ROC curve.

    Examples
    --------
    >>> i = newcombe(0.95, 20, 20)
    >>> round(i.low, 4), round(i.high, 4)
    (0.8157, 0.9867)
    """
    if not 0 <= auc <= 1:
        raise InputError(f"auc must lie between 0 and 1, got {auc}")
    if min(n_pos, n_neg) < 1:
        raise InputError(f"both classes need a case, got {n_pos} and {n_neg}")
    z = float(stats.norm.ppf((1 + check_level(level)) / 2))

    def excess(theta: float) -> float:
        return abs(auc - theta) - z * math.sqrt(_variance(theta, n_pos, n_neg))

    low = 0.0 if auc == 0 else float(optimize.brentq(excess, 0.0, auc))
    high = 1.0 if auc == 1 else float(optimize.brentq(excess, auc, 1.0))
    return Interval(low=low, high=high, level=level, method="newcombe-auc")


def _variance(theta: float, m: float, n: float) -> float:
    """Return Hanley and McNeil's variance, N* = (m + n)/2 - 1 for both sizes in its bracket."""
    half = (m + n) / 2 - 1
    bracket = 1 + half * (1 - theta) / (2 - theta) + half * theta / (1 + theta)
    return theta * (1 - theta) * bracket / (m * n)
