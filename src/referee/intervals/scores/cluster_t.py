"""Student's t over items or clusters, and the plain normal form that other tools print.

Simulated coverage (docs/scores.md): right for scores that are not skewed and not near a limit. It
has no width at all where every score is the same.
"""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from referee.core.results import Interval
from referee.core.scores.scores import ItemScores
from referee.intervals.scores.cluster_mean import cluster_mean
from referee.intervals.scores.mean_interval import MeanInterval, unknown
from referee.intervals.scores.works import BELL_MCCAFFREY_2002, IMBENS_KOLESAR_2016, MILLER_2024

__all__ = ["CLT", "CLUSTER_T", "clt", "cluster_t", "flat"]

_CLT_FLAG = (
    "takes the standard error for known and the mean for normal, and covers less than it says at "
    "few items, few clusters or near a limit; use the automatic choice"
)


def flat(items: ItemScores) -> str:
    """Return the flag of an interval without width, or nothing."""
    same = bool(np.all(items.values == items.values[0]))
    return "all scores are the same, so the interval has no width" if same else ""


def cluster_t(items: ItemScores, level: float = 0.95) -> Interval:
    """Return mean ± t se, clusters robust, degrees of freedom as few clusters leave them.

    Examples
    --------
    >>> i = cluster_t(ItemScores(values=np.array([0.2, 0.4, 0.4, 0.6, 0.9])))
    >>> round(i.low, 4), round(i.high, 4)
    (0.1715, 0.8285)
    """
    mean = cluster_mean(items)
    half = mean.quantile(level) * mean.se
    return Interval(
        low=mean.mean - half,
        high=mean.mean + half,
        level=level,
        method="cluster-t",
        flag=flat(items),
    )


def clt(items: ItemScores, level: float = 0.95) -> Interval:
    """Return mean ± z se, se² the sum of squared cluster sums; what other tools print, flagged.

    Without clusters se² = s² / n.

    Examples
    --------
    >>> i = clt(ItemScores(values=np.array([0.2, 0.4, 0.4, 0.6, 0.9])))
    >>> round(i.low, 4), round(i.high, 4)
    (0.2681, 0.7319)
    """
    mean = cluster_mean(items)
    n = items.n
    total = float(n if items.weight is None else items.weight.sum())
    small = n / (n - 1) if items.cluster is None and n > 1 else 1.0
    se = math.sqrt(small * float(np.sum(mean.sums**2))) / total
    half = float(special.ndtri((1 + level) / 2)) * se
    return Interval(
        low=mean.mean - half,
        high=mean.mean + half,
        level=level,
        method="clt",
        flag="; ".join(f for f in (flat(items), _CLT_FLAG) if f),
    )


def _two_units(items: ItemScores) -> str | None:
    return unknown(items) if items.units < 2 else None


CLUSTER_T = MeanInterval(
    "cluster-t",
    title="Student's t with a cluster-robust variance and degrees of freedom for few clusters",
    formula=r"""Cluster $g$ (or item, where there are none) has the share $a_g$ of the weight $W$ of
all items and the weighted sum $S_g$ of deviations from the mean $\bar s$. $t$ has Satterthwaite's
degrees of freedom (Bell and McCaffrey), $n - 1$ for items of equal weight.

$$
\bar s \pm t \sqrt{V}, \quad V = \frac{1}{W^2} \sum_g \frac{S_g^2}{1 - a_g}
$$

$V$ is raised where large clusters vary more than their share.
""",
    citations=(BELL_MCCAFFREY_2002, IMBENS_KOLESAR_2016),
    assumptions=("scores are not so skewed that a symmetric interval misleads",),
    refusal=_two_units,
    compute=cluster_t,
)
CLT = MeanInterval(
    "clt",
    title="the mean and 1.96 standard errors",
    formula=r"""$\bar s$ is the mean of $n$ scores, $s$ their standard deviation, $S_g$ the sum of
deviations from the mean in cluster $g$ and $z$ the normal quantile.

$$
\bar s \pm z \, \frac{s}{\sqrt{n}}, \quad \text{in clusters} \quad
\bar s \pm \frac{z}{n} \sqrt{\sum_g S_g^2}
$$
""",
    citations=(MILLER_2024,),
    assumptions=("items (clusters) are so many that the central limit theorem has set in",),
    flag=_CLT_FLAG,
    refusal=_two_units,
    compute=clt,
)
