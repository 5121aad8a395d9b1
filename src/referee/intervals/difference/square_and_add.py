"""The difference of two means of different items, from an interval of each.

Square and add: the interval reaches as far below the difference as the root of the squared
distances from the first mean to its lower end and from the second mean to its upper end, and
likewise above. So it leans as the two intervals lean, and does not vanish where they do not. The
test is its inversion: p is 1 minus the largest level whose interval leaves the difference out.

References
----------
Newcombe (1998), Statistics in Medicine 17:873. Zou and Donner (2008), Statistics in Medicine 27.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import scipy

from referee.core.results import Interval
from referee.core.scores.scores import ItemScores
from referee.intervals.scores.catalogue import mean_interval_at

__all__ = ["square_and_add", "square_and_add_p"]

METHOD = "square-and-add"


def square_and_add(first: ItemScores, second: ItemScores, level: float = 0.95) -> Interval:
    """Return the interval of the first mean minus the second.

    Examples
    --------
    For 0/1 scores it is made from two exact intervals.

    >>> import numpy as np
    >>> a = ItemScores(values=np.repeat([1.0, 0.0], [56, 14]), low=0.0, high=1.0)
    >>> b = ItemScores(values=np.repeat([1.0, 0.0], [48, 32]), low=0.0, high=1.0)
    >>> i = square_and_add(a, b)
    >>> round(i.low, 4), round(i.high, 4)
    (0.0439, 0.3442)
    """
    one, two = mean_interval_at(first, level), mean_interval_at(second, level)
    a, b = first.mean, second.mean
    return Interval(
        low=a - b - math.hypot(a - one.low, two.high - b),
        high=a - b + math.hypot(one.high - a, b - two.low),
        level=level,
        method=METHOD,
    )


def square_and_add_p(
    first: ItemScores, second: ItemScores, null: float = 0.0, alternative: str = "two-sided"
) -> float:
    """Return the p-value of the difference being `null`, by inverting the interval.

    Parameters
    ----------
    null : float
        The difference that is tested.
    alternative : {"two-sided", "less", "greater"}
        What speaks against it: either side, or a difference below or above it.

    Examples
    --------
    >>> import numpy as np
    >>> a = ItemScores(values=np.repeat([1.0, 0.0], [56, 14]), low=0.0, high=1.0)
    >>> b = ItemScores(values=np.repeat([1.0, 0.0], [48, 32]), low=0.0, high=1.0)
    >>> round(square_and_add_p(a, b), 4)
    0.011
    """
    seen = first.mean - second.mean
    below = seen < null

    def past(level: float) -> float:
        """Return by how far the interval still leaves the null out."""
        interval = square_and_add(first, second, level)
        return (null - interval.high) if below else (interval.low - null)

    two = 1.0 if seen == null else 1 - _largest(past)
    if alternative == "two-sided":
        return two
    against = below if alternative == "less" else seen > null
    return two / 2 if against else 1 - two / 2


def _largest(past: Callable[[float], float]) -> float:
    """Return the level at which the interval reaches the null."""
    least, most = 1e-6, 1 - 1e-9  # no level is finer; p-values below 1e-9 are given as that
    if past(least) <= 0:
        return 0.0
    if past(most) > 0:
        return most
    return float(scipy.optimize.brentq(past, least, most, xtol=1e-14, rtol=1e-13))
