"""A t interval that leans with the scores: for scores without limits, which are mostly skewed.

Times, costs and losses have a long tail to one side. The t interval is symmetric and misses the
truth on that side. Willink's interval corrects for the skewness that the sample shows; what is
returned reaches as far as either of the two, so it is never narrower than t.

With x = (mean - mu) / se and a = skewness of the mean / 6, the sample speaks against mu where
x + a + 2 a x² + 4 a² x³ / 3 lies outside ± t.

References
----------
Willink (2005), Communications in Statistics: Theory and Methods 34. Johnson (1978), JASA 73. Hall
(1992), J. Royal Statistical Society B 54.
"""

from __future__ import annotations

from referee.core.results import Interval
from referee.core.scores.scores import ItemScores
from referee.intervals.scores.cluster_mean import ClusterMean, cluster_mean
from referee.intervals.scores.cluster_t import flat
from referee.intervals.scores.leaning import leaning_reach
from referee.intervals.scores.mean_interval import MeanInterval, unknown
from referee.intervals.scores.works import WILLINK_2005

__all__ = ["FORMULA", "SKEWED_T", "skewed_ends", "skewed_t"]


def skewed_t(items: ItemScores, level: float = 0.95) -> Interval:
    """Return the interval that reaches as far as Student's t and Willink's, whichever is farther.

    Examples
    --------
    >>> import numpy as np
    >>> seconds = ItemScores(values=np.array([1.0, 1.2, 0.9, 1.1, 7.5]))
    >>> i = skewed_t(seconds)
    >>> round(i.low, 2), round(i.high, 2)
    (-1.24, 11.07)
    """
    mean = cluster_mean(items)
    low, high = skewed_ends(mean, mean.quantile(level))
    return Interval(
        low=max(low, items.low),
        high=min(high, items.high),
        level=level,
        method="skewed-t",
        flag=flat(items),
    )


def skewed_ends(mean: ClusterMean, quantile: float) -> tuple[float, float]:
    """Return how far the interval reaches, down and up."""
    down, up = leaning_reach(quantile, mean.skewness / 6)
    return mean.mean - down * mean.se, mean.mean + up * mean.se


FORMULA = r"""$\bar e$ is the mean over cases (or groups), $se$ its standard error, $a$ a sixth of
the skewness of that mean, and $t$ has Satterthwaite's degrees of freedom, $n - 1$ for cases of
equal weight. The interval holds every $\mu$ for which either of these is at most $t$:

$$
|x|, \quad |x + a + 2 a x^2 + \frac{4}{3} a^2 x^3|, \quad
\text{where } x = (\bar e - \mu) / se
$$
"""
"""How it is computed."""

SKEWED_T = MeanInterval(
    "skewed-t",
    title="the wider of Student's t and Willink's interval for a skewed mean",
    formula=FORMULA,
    citations=(WILLINK_2005,),
    assumptions=("the scores seen show how skewed scores are",),
    refusal=unknown,
    compute=skewed_t,
)
