"""How a t interval leans where the mean is skewed (Willink 2005), and its test.

With x = (mean - mu) / se and a = skewness of the mean / 6, the sample speaks against mu where
x + a + 2 a x² + 4 a² x³ / 3 lies outside ± t. That never falls in x, so it can be turned round;
what is made here is the more careful of it and of x itself, so never narrower than Student's t.
Where one of few units is far from the others it reaches without bound; `farthest` limits it to so
many times Student's.

References
----------
Willink (2005), Communications in Statistics: Theory and Methods 34. Johnson (1978), JASA 73. Hall
(1992), J. Royal Statistical Society B 54.
"""

from __future__ import annotations

import math

import numpy as np

from referee.core.arrays import Floats

__all__ = ["FARTHEST", "careful_statistics", "leaning_reach", "skewness_of_sums"]

FARTHEST = 2.0
"""So many times Student's reach a difference may lean: about what one unit of all tells of its
share (the end of Clopper and Pearson's interval for one of ten, or of fifty)."""


def leaning_reach(quantile: float, lean: float, farthest: float = math.inf) -> tuple[float, float]:
    """Return how many standard errors the interval reaches, down and up.

    Examples
    --------
    >>> leaning_reach(2.0, 0.0)
    (2.0, 2.0)
    >>> down, up = leaning_reach(2.0, 0.05)  # a long tail of high values
    >>> down, round(up, 3)
    (2.0, 2.725)
    """
    most = quantile * farthest
    down, up = _bent(quantile, lean), -_bent(-quantile, lean)
    return min(max(quantile, down), most), min(max(quantile, up), most)


def careful_statistics(
    x: Floats, lean: Floats, farthest: float = math.inf
) -> tuple[Floats, Floats]:
    """Return the statistics by which a lower and a higher mean are to be rejected.

    Both are Student's statistic `x` where nothing leans. The sample speaks against a mean at the
    quantile where it is not in the interval of `leaning_reach`.

    Examples
    --------
    >>> down, up = leaning_reach(2.0, 0.05)
    >>> low, high = careful_statistics(np.array([-up, down]), np.full(2, 0.05))
    >>> float(high[0].round(9)), float(low[1].round(9))
    (-2.0, 2.0)
    """
    with np.errstate(invalid="ignore", over="ignore"):
        bent = x + lean + 2 * lean * x**2 + 4 * lean**2 * x**3 / 3
    bent = np.where((lean == 0) | np.isinf(x), x, bent)
    # No farther than the limit: a fraction of Student's statistic is left at least.
    low = np.where(x > 0, np.maximum(np.minimum(x, bent), x / farthest), np.minimum(x, bent))
    high = np.where(x < 0, np.minimum(np.maximum(x, bent), x / farthest), np.maximum(x, bent))
    return low, high


def skewness_of_sums(sums: Floats) -> Floats:
    """Return the skewness of the mean of units, from their sums of deviations, column by column.

    It is of order 1 / sqrt(units); 0 where nothing varies, or too few units tell.

    Examples
    --------
    >>> skewness_of_sums(np.array([[-1.0, 0.0], [-1.0, 0.0], [2.0, 0.0]])).round(6).tolist()
    [1.0, 0.0]
    """
    units = len(sums)
    largest = np.max(np.abs(sums), axis=0, initial=0.0)
    if units < 3:
        return np.zeros(len(largest))
    scaled = sums / np.where(
        largest > 0, largest, 1.0
    )  # cubes of losses like 1e-155 are no numbers
    squares = np.einsum("ij,ij->j", scaled, scaled)
    third = np.einsum("ij,ij,ij->j", scaled, scaled, scaled)
    known = np.where(squares > 0, squares, 1.0)
    return np.asarray(third / known**1.5 * math.sqrt(units * (units - 1)) / (units - 2))


def _bent(y: float, a: float) -> float:
    """Return the x at which x + a + 2 a x² + 4 a² x³ / 3 is y."""
    if abs(a) < 1e-9:
        return y
    return (math.cbrt(1 + 6 * a * (y - a)) - 1) / (2 * a)
