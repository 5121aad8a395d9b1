"""The exact binomial interval at the number of 0/1 items that scores between limits are worth.

A mean of n independent 0/1 scores has variance p (1 - p) / n. Scores between limits vary less
than that, clustered ones more. With p the mean as a share of the way between the limits and V the
variance of p, they are worth p (1 - p) / V items, times (z / t)² for not knowing V; at that number
the Clopper-Pearson interval is made. It bends near the limits as the truth does, keeps between
them, and does not vanish where all scores are the same: then the items (clusters) themselves are
counted.

References
----------
Korn and Graubard (1998), Survey Methodology 24. Clopper and Pearson (1934), Biometrika 26.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from referee.core.results import Interval
from referee.core.scores.scores import ItemScores
from referee.intervals.one_set.proportion import clopper_pearson
from referee.intervals.scores.cluster_mean import ClusterMean, cluster_mean
from referee.intervals.scores.mean_interval import MeanInterval
from referee.intervals.works import KORN

__all__ = ["EFFECTIVE_BETA", "effective_beta", "effective_beta_of", "items_worth"]

_SMALLEST = 1e-18
"""Variances of a share below this are rounding."""


def effective_beta(items: ItemScores, level: float = 0.95) -> Interval:
    """Return the exact interval at the number of items that the scores are worth.

    Examples
    --------
    >>> thirds = ItemScores(values=np.array([0, 1, 1, 2 / 3, 1 / 3, 1] * 5), low=0.0, high=1.0)
    >>> i = effective_beta(thirds)
    >>> round(i.low, 3), round(i.high, 3), round(i.n_effective, 1)
    (0.5, 0.808, 39.9)
    >>> perfect = ItemScores(values=np.ones(30), low=0.0, high=1.0)
    >>> round(effective_beta(perfect).low, 3)
    0.884
    """
    return effective_beta_of(items, cluster_mean(items), level)


def effective_beta_of(items: ItemScores, mean: ClusterMean, level: float) -> Interval:
    """Return the same where the variance of the mean is known to be another."""
    p = min(1.0, max(0.0, (mean.mean - items.low) / items.spread))
    n = items_worth(items, mean, level)
    share = clopper_pearson(min(p * n, n), n, level)
    return Interval(
        low=items.low + share.low * items.spread,
        high=items.low + share.high * items.spread,
        level=level,
        method="effective-beta",
        n_effective=n,
    )


def items_worth(items: ItemScores, mean: ClusterMean, level: float = 0.95) -> float:
    """Return the number of independent 0/1 items with the same variance.

    Never fewer than the clusters (items) are worth by their sizes alone. Of clusters, only those
    tell how alike their items are that hold any of the rarer outcome.
    """
    p = (mean.mean - items.low) / items.spread
    variance = mean.variance / items.spread**2
    df = mean.df if items.cluster is None else min(mean.df, _telling(items, p) - 1)
    if df <= 0 or not variance > _SMALLEST or not 0 < p < 1:
        return mean.worth
    z, t = special.ndtri((1 + level) / 2), special.stdtrit(df, (1 + level) / 2)
    return max(mean.worth, p * (1 - p) / variance * float(z / t) ** 2)


def _telling(items: ItemScores, p: float) -> int:
    """Return how many clusters hold any of the rarer outcome."""
    assert items.cluster is not None
    share = items.scaled()
    rarer = share if p <= 0.5 else 1 - share
    return len(np.unique(items.cluster[rarer > 0]))


def _needs_limits(items: ItemScores) -> str | None:
    if items.bounded:
        return None
    return (
        "interval='effective-beta' needs limits=(lowest, highest); without them use 'skewed-t' or "
        "'cluster-t'"
    )


EFFECTIVE_BETA = MeanInterval(
    "effective-beta",
    title="the exact interval at the number of independent 0/1 items that the scores are worth",
    formula=r"""$p$ is the mean score, as a share of the way from the lowest score possible to the
highest, $V$ its variance over items (or clusters), $t$ has Satterthwaite's degrees of freedom and
$B$ is a quantile of the beta law.

$$
m = \frac{p (1 - p)}{V} \left(\frac{z}{t}\right)^2, \quad
[\, B(\alpha/2;\; p m,\; m - p m + 1),\quad B(1 - \alpha/2;\; p m + 1,\; m - p m) \,]
$$

$m$ is never less than the items (clusters) are worth by their sizes.
""",
    citations=(KORN,),
    refusal=_needs_limits,
    compute=effective_beta,
    of_limits=True,
)
