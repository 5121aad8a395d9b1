"""A guaranteed interval for the mean of bounded scores, from their mean and number alone.

Scores between 0 and 1 with mean p vary at most as much as 0/1 scores do: for every convex f,
E f(sum) <= E f(X) with X binomial(n, p). Hence for every t below x

    P(sum >= x) <= E max(X - t, 0) / (x - t),

and the interval holds all p whose best such bound exceeds alpha / 2, on either side. It holds for
every distribution and every n, is never wider than what Hoeffding's inequality (in its relative
entropy form) gives, and needs nothing but the mean: after a look at a secret test set it can be
computed from what was released. Where the scores themselves are at hand the betting interval is
narrower.

An area under the ROC curve is a mean over all pairs of a positive and a negative case. It is also
an average of means over min(n_pos, n_neg) *independent* pairs, so by Jensen's inequality the same
bound holds with that number in place of n.

References
----------
Bentkus (2004), Annals of Probability 32. Hoeffding (1963), JASA 58, sections 4 and 5.
"""

from __future__ import annotations

import math

import numpy as np

from referee.core.results import Interval, Target, check_level
from referee.errors import InputError
from referee.intervals import works
from referee.intervals.measure_interval import MeasureInterval
from referee.intervals.one_set.binomial_tail import log_hinges, share_where

__all__ = ["BENTKUS", "bentkus", "lower_mean"]


def bentkus(
    mean: float,
    n: int,
    level: float = 0.95,
    *,
    low: float = 0.0,
    high: float = 1.0,
    target: Target = Target.FIXED,
) -> Interval:
    """Return the interval of a mean of `n` scores that all lie between `low` and `high`.

    Examples
    --------
    >>> i = bentkus(0.1, 1000)
    >>> round(i.low, 4), round(i.high, 4)
    (0.0794, 0.1237)
    """
    if n < 1:
        raise InputError(
            f"n must be at least 1, got {n}; an interval needs at least one case", concerning="n"
        )
    if not low <= mean <= high or not low < high:
        raise InputError(
            f"must lie between low = {low:g} and high = {high:g}",
            argument="mean",
            value=f"{mean:g}",
        )
    log_alpha = math.log((1 - check_level(level)) / 2)
    share = (mean - low) / (high - low)
    return Interval(
        low=low + (high - low) * lower_mean(share, n, log_alpha),
        high=high - (high - low) * lower_mean(1 - share, n, log_alpha),
        level=level,
        method="bentkus",
        target=target,
    )


def lower_mean(mean: float, n: int, log_alpha: float) -> float:
    """Return the largest p at which `mean` of n scores in [0, 1] is too high at error alpha.

    Examples
    --------
    >>> round(lower_mean(0.1, 1000, math.log(0.025)), 4)
    0.0794
    >>> lower_mean(0.0, 1000, math.log(0.025))
    0.0
    """
    total = mean * n
    if mean <= 0:
        return 0.0
    if total <= 1:  # only t = 0 lies below: Markov's inequality
        return mean * math.exp(log_alpha)
    if mean >= 1:  # t = n - 1: all scores are 1
        return math.exp(log_alpha / n)

    def log_bound(share: float) -> float:
        below, hinges = log_hinges(total, n, share)
        return min(0.0, float(np.min(hinges - np.log(total - below))))

    return share_where(log_bound, log_alpha, mean)


BENTKUS = MeasureInterval(
    "bentkus",
    title="the interval of a mean of bounded scores that needs their mean alone",
    formula=r"""$x$ is the sum of $n$ scores between 0 and 1, and $X$ binomial with $n$ and $p$. The
lower end is the $p$ at which

$$
\min_{t < x} \; \frac{E \max(X - t, 0)}{x - t} = \frac{\alpha}{2},
$$

and the upper end is 1 minus the same for the scores $1 - s_i$.
""",
    measured=(
        "Guaranteed for every law of scores between the limits; tests enumerate scores of quarters"
        " and the areas of small samples (`pytest tests/intervals/one_set/test_bentkus.py`)."
    ),
    citations=(works.BENTKUS,),
    target=Target.FIXED,
    at_size=None,
)
