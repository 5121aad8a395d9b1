"""Koopman's score interval of the ratio of two independent shares, which may be 0 or infinite.

It holds the ratios that a chi-squared statistic with one degree of freedom does not reject. Unlike
the interval of the logarithm it exists where one share is 0: from 0 up to some ratio, or from some
ratio without end.

References
----------
Koopman (1984), Biometrics 40, 513-517.
"""

from __future__ import annotations

import math

import scipy

__all__ = ["ratio_of_shares"]

_WIDEST = 60.0
"""Logarithm of the largest ratio that is looked at."""


def ratio_of_shares(
    over: float, over_size: float, under: float, under_size: float, level: float
) -> tuple[float, float]:
    """Return the ends of the interval of (over / over_size) / (under / under_size).

    Parameters
    ----------
    over, under : float
        Numbers of hits; effective numbers need not be whole.
    over_size, under_size : float
        Of how many.
    level : float
        The confidence level.

    Examples
    --------
    >>> low, high = ratio_of_shares(36, 40, 16, 80, 0.95)  # Koopman's example
    >>> round(low, 2), round(high, 2)
    (2.94, 7.15)
    >>> low, high = ratio_of_shares(0, 40, 60, 80, 0.95)
    >>> low, round(high, 3)
    (0.0, 0.117)
    """
    if over == 0 and under == 0:
        return 0.0, math.inf
    limit = float(scipy.stats.chi2.ppf(level, 1))

    def excess(log_ratio: float) -> float:
        return _statistic(over, over_size, under, under_size, math.exp(log_ratio)) - limit

    if over == 0:
        middle, low, high = -_WIDEST, 0.0, None
    elif under == 0:
        middle, low, high = _WIDEST, None, math.inf
    else:
        middle, low, high = math.log(over * under_size / (over_size * under)), None, None
    if low is None:
        low = math.exp(scipy.optimize.brentq(excess, -_WIDEST, middle))
    if high is None:
        high = math.exp(scipy.optimize.brentq(excess, middle, _WIDEST))
    return low, high


def _statistic(x: float, m: float, y: float, n: float, ratio: float) -> float:
    """Return the squared distance of the counts from the nearest shares with this ratio."""
    a = (m + n) * ratio
    b = m * ratio + x + n + y * ratio
    c = x + y
    # The smaller root of a p^2 - b p + c, written so that nothing cancels.
    lower = 2 * c / (b + math.sqrt(max(b * b - 4 * a * c, 0.0)))
    return _squared(x, m, min(lower * ratio, 1.0)) + _squared(y, n, min(lower, 1.0))


def _squared(hits: float, size: float, share: float) -> float:
    off = hits - size * share
    spread = size * share * (1 - share)
    if spread <= 0:
        return 0.0 if abs(off) < 1e-9 * size else math.inf
    return off * off / spread
