"""Intervals for the difference in error of two models on different cases: first minus second.

References
----------
Newcombe (1998), Statistics in Medicine 17:873 (method 10). Mitchell (1997), Machine Learning,
section 5.5.
"""

from __future__ import annotations

import math

import scipy

from referee.core.results import Interval, Target
from referee.intervals import works
from referee.intervals.difference.difference_interval import DifferenceInterval
from referee.intervals.one_set.proportion import wilson

__all__ = ["NEWCOMBE_UNPAIRED", "WALD_UNPAIRED", "newcombe_unpaired", "wald_unpaired"]

_WALD_FLAG = "covers far less than it says where errors are few; use exact-unpaired"


def newcombe_unpaired(
    errors1: float, n1: float, errors2: float, n2: float, level: float = 0.95
) -> Interval:
    """Return the square-and-add interval from two Wilson ones (method 10).

    Examples
    --------
    >>> i = newcombe_unpaired(56, 70, 48, 80)
    >>> round(i.low, 4), round(i.high, 4)
    (0.0524, 0.3339)
    """
    first, second = wilson(errors1, n1, level), wilson(errors2, n2, level)
    e1, e2 = errors1 / n1, errors2 / n2
    low = e1 - e2 - math.hypot(e1 - first.low, second.high - e2)
    high = e1 - e2 + math.hypot(first.high - e1, e2 - second.low)
    return _clipped(low, high, level, "newcombe-unpaired")


def wald_unpaired(
    errors1: float, n1: float, errors2: float, n2: float, level: float = 0.95
) -> Interval:
    """Return e1 - e2 ± z sqrt(e1 (1 - e1) / n1 + e2 (1 - e2) / n2), the textbook form, flagged.

    It has no width at all where neither model, or each of them always, was wrong.

    Examples
    --------
    >>> i = wald_unpaired(30, 100, 20, 100, level=0.9)
    >>> round(i.low, 5), round(i.high, 4)
    (-5e-05, 0.2001)
    """
    wilson(errors1, n1, level), wilson(errors2, n2, level)  # refuses what is no count
    e1, e2 = errors1 / n1, errors2 / n2
    half = scipy.special.ndtri((1 + level) / 2) * math.sqrt(e1 * (1 - e1) / n1 + e2 * (1 - e2) / n2)
    return _clipped(e1 - e2 - half, e1 - e2 + half, level, "wald-unpaired", _WALD_FLAG)


def _clipped(low: float, high: float, level: float, method: str, flag: str = "") -> Interval:
    low, high = max(-1.0, float(low)), min(1.0, float(high))
    return Interval(low=low, high=high, level=level, method=method, flag=flag)


NEWCOMBE_UNPAIRED = DifferenceInterval(
    "newcombe-unpaired",
    title="the square-and-add interval of a difference",
    formula=r"""$e_1$ and $e_2$ are the errors of the models, $l_i$ and $u_i$ their Wilson limits.

$$
e_1 - e_2 - \sqrt{(e_1 - l_1)^2 + (u_2 - e_2)^2}, \quad
e_1 - e_2 + \sqrt{(u_1 - e_1)^2 + (e_2 - l_2)^2}
$$
""",
    citations=(works.NEWCOMBE,),
    target=Target.FIXED,
    compute=newcombe_unpaired,
    paired=False,
)
WALD_UNPAIRED = DifferenceInterval(
    "wald-unpaired",
    title="the Wald interval of a difference",
    formula=r"""The first model errs on a share $e_1$ of $n_1$ cases, the second on $e_2$ of $n_2$
others; $z$ is the normal quantile.

$$
e_1 - e_2 \pm z \sqrt{\frac{e_1 (1 - e_1)}{n_1} + \frac{e_2 (1 - e_2)}{n_2}}
$$
""",
    citations=(works.MITCHELL,),
    target=Target.FIXED,
    flag=_WALD_FLAG,
    compute=wald_unpaired,
    paired=False,
)
