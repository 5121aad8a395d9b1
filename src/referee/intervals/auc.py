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
    low, high = 1 - _upper(1 - auc, n_pos, n_neg, z), _upper(auc, n_pos, n_neg, z)
    return Interval(low=low, high=high, level=level, method="newcombe-auc")


def _upper(auc: float, m: float, n: float, z: float) -> float:
    """Return the root of theta - auc = z sqrt(variance(theta)) above auc.

    Both sides are divided by sqrt(theta): at auc = 0 they would otherwise meet at 0 too, and the
    interval of a perfect ranking would have no width.
    """
    if auc == 1:
        return 1.0

    def excess(theta: float) -> float:
        lead = math.sqrt(theta) - (auc / math.sqrt(theta) if auc > 0 else 0.0)
        return lead - z * math.sqrt((1 - theta) * _bracket(theta, m, n) / (m * n))

    return float(optimize.brentq(excess, auc, 1.0))


def _bracket(theta: float, m: float, n: float) -> float:
    """Return Hanley and McNeil's variance over theta (1 - theta) / (m n).

    Both sizes in it are N* = (m + n)/2 - 1.
    """
    half = (m + n) / 2 - 1
    return 1 + half * (1 - theta) / (2 - theta) + half * theta / (1 + theta)
