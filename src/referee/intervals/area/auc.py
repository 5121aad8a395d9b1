"""Intervals for the area under the ROC curve that hold near 1.

The default takes the outer end, on each side, of two intervals that fail in different places:
Newcombe's score interval (method 5: the score test with the Hanley-McNeil variance), which is too
short where the classes spread differently, and logit-DeLong, which is too short near 1.

References
----------
Newcombe (2006), Statistics in Medicine 25 (method 5). Hanley and McNeil (1982), Radiology 143.
"""

from __future__ import annotations

import math

import scipy

from referee.core.results import Interval, Target
from referee.errors import InputError
from referee.intervals import works
from referee.intervals.area.area_interval import AreaInterval
from referee.intervals.area.delong import logit_delong, quantile
from referee.intervals.area.placements import Placements

__all__ = ["NEWCOMBE_AUC", "NEWCOMBE_DELONG", "newcombe", "newcombe_delong"]


def newcombe(
    auc: float, n_pos: float, n_neg: float, level: float = 0.95, df: float = math.inf
) -> Interval:
    """Return Newcombe's score interval (method 5) of an area under the ROC curve.

    Cases in groups have degrees of freedom `df`, and t quantiles in place of the normal law's.

    Examples
    --------
    >>> i = newcombe(0.95, 20, 20)
    >>> round(i.low, 4), round(i.high, 4)
    (0.8157, 0.9867)
    """
    if not 0 <= auc <= 1:
        raise InputError("must lie between 0 and 1", argument="auc", value=str(auc))
    if min(n_pos, n_neg) < 1:
        raise InputError("both classes need a case", value=f"{n_pos} and {n_neg}")
    z = quantile(level, df)
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

    return float(scipy.optimize.brentq(excess, auc, 1.0))


def _bracket(theta: float, m: float, n: float) -> float:
    """Return Hanley and McNeil's variance over theta (1 - theta) / (m n).

    Both sizes in it are N* = (m + n)/2 - 1.
    """
    half = (m + n) / 2 - 1
    return 1 + half * (1 - theta) / (2 - theta) + half * theta / (1 + theta)


def newcombe_delong(p: Placements, level: float = 0.95) -> Interval:
    """Return the outer ends of Newcombe's and the logit-DeLong interval.

    Examples
    --------
    >>> import numpy as np
    >>> from referee.intervals.area.placements import placements
    >>> perfect = placements(np.array([True] * 10 + [False] * 10), -np.arange(20.0))
    >>> i = newcombe_delong(perfect)
    >>> round(i.low, 3), i.high
    (0.8, 1.0)
    """
    one = newcombe(p.auc, *p.sizes, level, p.df)
    two = logit_delong(p, level) if p.variance > 0 else one
    return Interval(
        low=min(one.low, two.low),
        high=max(one.high, two.high),
        level=level,
        method="newcombe-delong",
    )


def _newcombe_of(p: Placements, level: float) -> Interval:
    return newcombe(p.auc, *p.sizes, level, p.df)


NEWCOMBE_AUC = AreaInterval(
    "newcombe-auc",
    title="the score interval of an area",
    formula=r"""$A$ is the area of $m$ positives and $n$ negatives, and $N = (m + n) / 2 - 1$. The
ends are the two $\theta$ for which

$$
|A - \theta| = z \sqrt{\frac{\theta (1 - \theta)}{m n}
\left(1 + N \frac{1 - \theta}{2 - \theta} + N \frac{\theta}{1 + \theta}\right)}.
$$

$z$ is the normal quantile at $1 - \alpha / 2$; in groups it is one of Student's $t$.
""",
    citations=(works.NEWCOMBE_AREA,),
    target=Target.FIXED,
    compute=_newcombe_of,
)
NEWCOMBE_DELONG = AreaInterval(
    "newcombe-delong",
    title="the wider of the score interval of an area and DeLong's",
    formula=r"""The lower of the lower ends and the upper of the upper ends of
[newcombe-auc](newcombe-auc.md) and [logit-delong](logit-delong.md):

$$
[\, \min(l_1, l_2),\; \max(u_1, u_2) \,]
$$
""",
    citations=(works.NEWCOMBE_AREA, works.DELONG),
    target=Target.FIXED,
    compute=newcombe_delong,
)
