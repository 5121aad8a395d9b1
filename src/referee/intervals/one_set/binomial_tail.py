"""Tails of the binomial distribution in logs, and the shares at which a tail takes a given value.

After many looks at a test set the error that an interval may spend is far below the smallest
floating-point number, so tails are summed in logs: the largest term, which is the first beyond the
mode, times a series of shrinking ratios. No term is negative, so nothing cancels.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import scipy
from scipy import special

from referee.core.arrays import Floats

__all__ = ["log_choose", "log_hinges", "log_tail", "lower_share", "share_where"]

_SMALLEST = -250.0
"""Above this scipy's inverse of the incomplete beta function is used; at -600 it gives nan."""


def log_choose(n: float, r: float) -> float:
    """Return the logarithm of n over r.

    Examples
    --------
    >>> round(math.exp(log_choose(5, 2)), 9)
    10.0
    """
    return -math.log(n + 1) - float(special.betaln(n - r + 1, r + 1))


def log_tail(count: int, n: int, share: float) -> float:
    """Return log P(X >= count) for X binomial, where `count` is at least n times `share`.

    Examples
    --------
    >>> round(math.exp(log_tail(2, 3, 0.1)), 6)
    0.028
    >>> round(log_tail(900, 1000, 1e-9))
    -18329
    """
    first, terms = _series(count, n, share)
    return first + math.log(float(terms.sum()))


def log_hinges(total: float, n: int, share: float) -> tuple[Floats, Floats]:
    """Return whole t below `total`, and log E max(X - t, 0) for X binomial at each of them.

    The t reach far enough down to find the one that bounds the tail best.
    """
    depth = 12 + math.ceil(3 * math.sqrt(n * share * (1 - share)))
    top = math.ceil(total) - 1
    bottom = max(0, top - depth)
    first, terms = _series(bottom + 1, n, share)
    # E max(X - t, 0) is the sum of P(X > s) over s >= t.
    tails = np.cumsum(terms[::-1])[::-1]
    hinges = np.cumsum(tails[::-1])[::-1]
    kept = min(top - bottom + 1, len(hinges))
    return np.arange(bottom, bottom + kept, dtype=float), first + np.log(hinges[:kept])


def _series(count: int, n: int, share: float) -> tuple[float, Floats]:
    """Return log P(X = count), and P(X = i) / P(X = count) for i = count, count + 1, ..."""
    spread = math.sqrt(count * (n - count) / n) + math.sqrt(n * share * (1 - share))
    length = min(n - count, 100 + math.ceil(16 * spread))
    i = count + np.arange(length)
    odds = math.log(share) - math.log1p(-share)
    ratios = np.log((n - i) / (i + 1.0)) + odds
    first = log_choose(n, count) + count * math.log(share) + (n - count) * math.log1p(-share)
    return first, np.exp(np.concatenate(([0.0], np.cumsum(ratios))))


def lower_share(count: int, n: int, log_alpha: float) -> float:
    """Return the share at which `count` or more of `n` have probability alpha.

    It is the lower end of Clopper and Pearson's interval that spends alpha on that side.

    Examples
    --------
    >>> round(lower_share(1, 299, math.log(0.95)), 5)
    0.00997
    >>> lower_share(0, 10, math.log(0.05))
    0.0
    >>> round(lower_share(100, 1000, -2000.0), 13)
    8.24e-11
    """
    if count == 0:
        return 0.0
    if log_alpha > _SMALLEST:
        return float(special.betaincinv(count, n - count + 1, math.exp(log_alpha)))
    if count == n:
        return math.exp(log_alpha / n)
    return share_where(lambda share: log_tail(count, n, share), log_alpha, count / n)


def share_where(tail: Callable[[float], float], log_alpha: float, top: float) -> float:
    """Return the share below `top` at which a log tail that rises with the share is `log_alpha`.

    The result is never above it, so an interval that ends there is never too short.
    """
    high = min(float(special.logit(top)), 36.0)  # beyond that the share itself would round to 1
    step = 1.0
    low = high - step
    while tail(float(special.expit(low))) > log_alpha:
        high, step = low, 2 * step
        low = high - step
        if low < -700:  # the share itself would be 0 in floating point
            return 0.0
    root = scipy.optimize.brentq(
        lambda odds: tail(float(special.expit(odds))) - log_alpha, low, high, xtol=1e-13
    )
    return float(special.expit(root)) * (1 - 1e-12)
