"""Two models scored on the same items: a t test of their difference, clusters moving together.

The difference of each item's mean over runs is tested against 0 by Student's t with the
cluster-robust variance and the degrees of freedom of `intervals.scores.cluster_mean`. Where
most items do not tell the models apart, the t test alone rejects too often and its interval covers
too little, as Wald's does for 0/1 scores. So, as Bonett and Price do there, one more item (cluster)
is added in either direction, of the size of a typical difference; it counts by the share of items
(clusters) that show no difference, which is 0 for scores that always differ. Where all differ by
just the same, it counts fully: nothing else says how much differences vary.

In few clusters, or over runs, one model often beats the other on a few of them only, and the
difference is skewed: Student's interval then stops short on the side of the long tail. There it
reaches on that side as far as Willink's, with `LEANING` of the skewness that is seen and at most
twice as far as Student's; the test does the same. The share was chosen on some cells and tried on
others (docs/scores.md).

For 0/1 scores, one run and no clusters McNemar's exact test is used instead (`paired.mcnemar`).

References
----------
Bonett and Price (2012), J. Educational and Behavioral Statistics 37. Bell and McCaffrey (2002),
Survey Methodology 28. Willink (2005), Communications in Statistics: Theory and Methods 34.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from referee.core.arrays import Codes, Floats
from referee.core.results import Interval
from referee.core.scores.scores import ItemScores
from referee.intervals.scores.cluster_mean import cluster_mean
from referee.intervals.scores.leaning import skewness_of_sums
from referee.significance.contrast import Contrast

__all__ = ["ASSUMPTIONS", "FORMULA", "LEANING", "NULL", "TEST", "PairedScores", "paired_scores"]

TEST = "paired-t"
NULL = "both models have the same mean score on new items"
ASSUMPTIONS = (
    "items (clusters) are independent draws of what the models will meet",
    "both models were fixed before the items were seen",
)

FORMULA = r"""$d_i$ is the first model's mean less the second's on item $i$; $D_g$ is the sum over
cluster $g$ of $n_g$ items (or over one item), $r$ the share of clusters with $D_g = 0$, $D$ the
root mean square of the others and $\bar n$ the mean size. One cluster more is added in either
direction; it counts $r$ times, so that nothing is added where all differ.

$$
\bar d = \frac{\sum_g D_g}{N}, \quad N = \sum_g n_g + 2 r \bar n, \quad
V = \frac{1}{N^2} \left(\sum_g \frac{(D_g - \bar d n_g)^2}{1 - a_g} +
2 r (D^2 + \bar d^2 \bar n^2)\right), \quad t = \frac{\bar d}{\sqrt{V}}
$$

$a_g$ is the share of cluster $g$ in all items, and $t$ has Satterthwaite's degrees of freedom. In
clusters and over runs $t$ is bent by .7 of the skewness seen (see
[skewed-t](../intervals-of-a-mean-score/skewed-t.md)).
"""
"""How it is computed."""

LEANING = 0.7
"""How much of the skewness seen counts, in clusters and over runs: skewness of a few is known
badly, and all of it makes intervals half as wide again."""


@dataclass(frozen=True, kw_only=True)
class PairedScores:
    """The difference of two models on the same items, first minus second.

    Attributes
    ----------
    value : float
        The mean difference as it was seen.
    contrast : Contrast
        The same with the items that were added, its standard error and degrees of freedom.
    differing : int
        How many items (clusters) tell the models apart.
    limit : float
        The largest difference there can be; infinite where scores have no limits.
    """

    value: float
    contrast: Contrast
    differing: int
    limit: float

    @property
    def blind(self) -> bool:
        """Whether nothing is known about how much differences vary."""
        return self.contrast.se == 0 or math.isnan(self.contrast.se)

    def interval(self, level: float = 0.95) -> Interval:
        """Return the interval of the difference, within what is possible."""
        interval = self.contrast.interval(level)
        return Interval(
            low=max(-self.limit, min(interval.low, self.value)),
            high=min(self.limit, max(interval.high, self.value)),
            level=level,
            method=TEST,
            flag=interval.flag,
            centre=self.contrast.value,
        )


def paired_scores(differences: ItemScores) -> PairedScores:
    """Return the test and interval of the mean difference over items.

    Parameters
    ----------
    differences : ItemScores
        First model's mean over runs minus the second's, item by item; its upper limit is the
        largest difference there can be.

    Examples
    --------
    Of 100 questions the first model alone answers 12, the second alone 3.

    >>> d = ItemScores(values=np.repeat([1.0, -1.0, 0.0], [12, 3, 85]), low=-1.0, high=1.0)
    >>> result = paired_scores(d)
    >>> e, i = result.contrast.evidence(), result.interval()
    >>> result.value, round(e.p_value, 3), round(i.low, 3), round(i.high, 3)
    (0.09, 0.027, 0.01, 0.167)
    """
    mean = cluster_mean(differences)
    unit, weight = _units(differences)
    sums = np.bincount(unit, weights=weight * differences.values).astype(float)
    sizes = np.bincount(unit, weights=weight).astype(float)
    same = np.abs(sums) <= 1e-12 * np.bincount(unit, weights=weight * np.abs(differences.values))
    differing = int(np.sum(~same))
    added = _Added.of(np.where(same, 0.0, sums), sizes, differences.high)
    centre, variance = added.mean_and_variance(mean.shares)
    contrast = Contrast(
        value=centre,
        se=math.sqrt(variance * mean.short) if variance > 0 else 0.0,
        df=mean.df,
        test=TEST,
        null=NULL,
        n=differences.n,
        assumptions=ASSUMPTIONS,
        lean=_lean(differences, sums, sizes),
    )
    return PairedScores(
        value=differences.mean, contrast=contrast, differing=differing, limit=differences.high
    )


def _lean(differences: ItemScores, sums: Floats, sizes: Floats) -> float:
    if differences.cluster is None and differences.single:
        return 0.0
    away = sums - differences.mean * sizes
    away[np.abs(away) <= 1e-12 * np.max(np.abs(sums), initial=0.0)] = 0.0
    return LEANING * float(skewness_of_sums(away[:, None])[0]) / 6


@dataclass(frozen=True, eq=False)
class _Added:
    """The sums of units and, in either direction, one unit more that counts `share` times."""

    sums: Floats
    sizes: Floats
    share: float
    size: float
    sum: float

    @classmethod
    def of(cls, sums: Floats, sizes: Floats, limit: float) -> _Added:
        telling = sums[sums != 0]
        size = float(sizes.mean())
        if len(telling):
            typical = math.sqrt(float(np.mean(telling**2)))
        else:
            typical = limit * size if math.isfinite(limit) else 0.0
        rates = sums / sizes
        alike = len(telling) and bool(np.ptp(rates) <= 1e-12 * abs(rates[0]))
        return cls(sums, sizes, 1.0 if alike else 1 - len(telling) / len(sums), size, typical)

    def mean_and_variance(self, shares: Floats) -> tuple[float, float]:
        total = float(self.sizes.sum()) + 2 * self.share * self.size
        mean = float(self.sums.sum()) / total
        if len(self.sums) < 2:
            return mean, 0.0
        away = self.sums - mean * self.sizes
        more = 2 * self.share * (self.sum**2 + (mean * self.size) ** 2)
        return mean, (float(np.sum(away**2 / (1 - shares))) + more) / total**2


def _units(items: ItemScores) -> tuple[Codes, Floats]:
    weight = np.ones(items.n) if items.weight is None else items.weight
    if items.cluster is None:
        return np.arange(items.n), weight
    _, unit = np.unique(items.cluster, return_inverse=True)
    return unit.astype(np.intp), weight
