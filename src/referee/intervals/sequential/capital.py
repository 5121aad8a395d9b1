"""What a careful bettor wins against the claim that bounded scores have mean m.

Before case t a share of the capital is staked on scores being above m (or below). If the mean is m
the capital is a martingale, so it ever reaches 1 / alpha with probability at most alpha. Stakes may
depend on the cases before, never on the one they are placed on (predictable plug-in): with
v the variance so far,

    stake_t = sqrt(2 log(2 / alpha) / (v_{t-1} d_t)),  d_t = t log(1 + t), or n where n is fixed,

cut to c / m for bets on above, c / (1 - m) for bets on below, so that no case can ruin the bettor.

References
----------
Waudby-Smith and Ramdas (2024), Estimating means of bounded random variables by betting, JRSS B 86.
"""

from __future__ import annotations

import math

import numpy as np

from referee.core.arrays import Floats
from referee.core.compiling import compiled

__all__ = ["CUT", "log_capitals", "reaches", "stakes"]

CUT = 0.75
"""A bettor never stakes so much that a case could take more than this share of the capital."""


def stakes(scores: Floats, alpha: float, *, fixed_n: bool) -> Floats:
    """Return the stake on each of the scores, between 0 and 1, before cutting.

    Examples
    --------
    >>> stakes(np.array([0.0, 1.0, 1.0]), 0.05, fixed_n=True).round(3).tolist()
    [3.136, 3.967, 3.622]
    """
    t = np.arange(1, len(scores) + 1)
    means = (0.5 + np.cumsum(scores)) / (t + 1)
    variances = (0.25 + np.cumsum((scores - means) ** 2)) / (t + 1)
    before = np.concatenate(([0.25], variances[:-1]))
    length = np.full(len(scores), float(len(scores))) if fixed_n else t * np.log1p(t)
    return np.asarray(np.sqrt(2 * math.log(2 / alpha) / (before * length)))


def log_capitals(scores: Floats, bets: Floats, mean: float, *, above: bool) -> Floats:
    """Return the log capital after every case, of bets against `mean` on one side.

    Bets on above win where the true mean is greater. They are a fair game at `mean` and a losing
    one below it, so the capital tests "the mean is at most `mean`"; and the other way round.

    Examples
    --------
    >>> scores = np.array([1.0, 1.0, 0.0, 1.0])
    >>> np.exp(log_capitals(scores, np.full(4, 0.5), 0.4, above=True)).round(3).tolist()
    [1.3, 1.69, 1.352, 1.758]
    """
    if not above:
        scores, mean = 1 - scores, 1 - mean
    placed = np.minimum(bets, CUT / mean) if mean > 0 else bets
    return np.asarray(np.cumsum(np.log1p(placed * (scores - mean))))


@compiled
def reaches(
    scores: Floats, bets: Floats, stop: int, mean: float, need: float, running: bool
) -> bool:
    """Return whether bets on above have a log capital of `need` after `stop` cases.

    With `running` it is enough to have had it at any time before.
    """
    cut = CUT / mean if mean > 0 else np.inf
    total = 0.0
    product = 1.0
    enough = math.exp(min(need, 700.0))
    for t in range(stop):
        stake = min(bets[t], cut)
        product *= 1.0 + stake * (scores[t] - mean)
        if product > 1e100 or product < 1e-100:
            total += math.log(product)
            product = 1.0
            enough = math.exp(min(need - total, 700.0))
        if running and product >= enough:
            return True
    return product >= enough
