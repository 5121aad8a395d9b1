"""The mean of scores in clusters: its variance, and how well that variance is known.

Items of one cluster (a passage, a subject) resemble each other, so the variance of the mean is
taken from cluster sums. Each is divided by what its cluster leaves of the mean when it is left out
(CR2; without clusters the textbook s² / n). With few or unequal clusters the variance is poorly
known; Satterthwaite's degrees of freedom say how poorly. They are those of Bell and McCaffrey,
under the correlation inside clusters that the scores show (Imbens and Kolesár), so that one large
cluster of alike items is not taken for many.

References
----------
Bell and McCaffrey (2002), Survey Methodology 28. Imbens and Kolesár (2016), Review of Economics and
Statistics 98. Pustejovsky and Tipton (2018), J. Business and Economic Statistics 36.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from referee.core.arrays import Codes, Floats
from referee.core.scores.scores import ItemScores

__all__ = [
    "ClusterMean",
    "SummedMean",
    "cluster_mean",
    "correlation",
    "degrees_of_freedom",
    "summed_mean",
]


@dataclass(frozen=True, kw_only=True, eq=False)
class ClusterMean:
    """A mean, its variance and the degrees of freedom of that variance.

    Attributes
    ----------
    mean, variance : float
        The weighted mean over items and its variance; nan where there is one cluster only.
    df : float
        Degrees of freedom of the variance.
    units : int
        How many independent things there are: clusters, or items where there are none.
    shares : array
        The share of the weight that each of them has.
    sums : array
        The weighted sum of deviations from the mean in each of them.
    correlation : float
        Between items of one cluster; 0 where there are none.
    short : float
        By what the cluster-robust variance falls short on average; `variance` was raised by it.
    """

    mean: float
    variance: float
    df: float
    units: int
    shares: Floats
    sums: Floats
    correlation: float = 0.0
    short: float = 1.0

    @property
    def se(self) -> float:
        """The standard error."""
        return math.sqrt(self.variance) if self.variance > 0 else self.variance

    @property
    def worth(self) -> float:
        """How many units of one size these are worth (Kish)."""
        return float(1 / np.sum(self.shares**2))

    @property
    def skewness(self) -> float:
        """The skewness of the mean, of order 1 / sqrt(units); 0 where nothing varies."""
        largest = float(np.max(np.abs(self.sums), initial=0.0))
        if self.units < 3 or largest == 0:
            return 0.0
        g = self.units
        sums = self.sums / largest  # cubes of losses like 1e-155 are no numbers
        squares = sums * sums
        third = float(squares @ sums)
        return float(third / np.sum(squares) ** 1.5 * math.sqrt(g * (g - 1)) / (g - 2))

    def quantile(self, level: float) -> float:
        """Return Student's t quantile of a two-sided interval."""
        return float(special.stdtrit(self.df, (1 + level) / 2))


@dataclass(frozen=True, kw_only=True, eq=False)
class SummedMean(ClusterMean):
    """The mean of many independent items, of which only sums of powers are known.

    Attributes
    ----------
    third : float
        The skewness of the mean.
    """

    third: float

    @property
    def worth(self) -> float:
        """As many units as there are items."""
        return float(self.units)

    @property
    def skewness(self) -> float:
        """The skewness of the mean."""
        return self.third


def summed_mean(n: int, first: float, second: float, third: float) -> SummedMean:
    """Return the mean of n items from the sums of their values, squares and cubes.

    Examples
    --------
    >>> values = np.array([0.2, 0.4, 0.4, 0.6, 0.9])
    >>> known = cluster_mean(ItemScores(values=values))
    >>> mean = summed_mean(5, *(float((values**power).sum()) for power in (1, 2, 3)))
    >>> bool(np.isclose(mean.se, known.se)), bool(np.isclose(mean.skewness, known.skewness))
    (True, True)
    """
    mean = first / n
    squares = max(0.0, second - n * mean**2)
    cubes = third - 3 * mean * second + 2 * n * mean**3
    skewness = 0.0
    if n > 2 and squares > 0:
        skewness = cubes / squares**1.5 * math.sqrt(n * (n - 1)) / (n - 2)
    nothing = np.zeros(0)
    return SummedMean(
        mean=mean,
        variance=squares / (n - 1) / n if n > 1 else math.nan,
        df=max(1.0, n - 1.0),
        units=n,
        shares=nothing,
        sums=nothing,
        third=skewness,
    )


def cluster_mean(items: ItemScores) -> ClusterMean:
    """Return mean, variance and degrees of freedom.

    Examples
    --------
    >>> five = ItemScores(values=np.array([0.2, 0.4, 0.4, 0.6, 0.9]))
    >>> mean = cluster_mean(five)
    >>> round(mean.se, 6), round(float(np.std(five.values, ddof=1) / 5**0.5), 6), mean.df
    (0.118322, 0.118322, 4.0)
    """
    if items.independent:
        return _plain(items.values)
    w = np.ones(items.n) if items.weight is None else items.weight
    unit, count = _units(items)
    mean = items.mean
    totals = _total(w, unit, count)
    sums = _total(w * (items.values - mean), unit, count)
    squares = _total(w * w, unit, count)
    shares = totals / totals.sum()
    alone = count < 2 or float(shares.max()) > 1 - 1e-12
    rho = 0.0 if items.cluster is None else correlation(items.values, unit)
    spread = (1 - rho) * squares + rho * totals**2
    df, short = (1.0, 1.0) if alone else degrees_of_freedom(shares, spread)
    variance = math.nan
    if not alone:
        raw = float(np.sum(_rounded(sums, items.values, totals) ** 2 / (1 - shares)))
        variance = raw / float(totals.sum()) ** 2 * short
    return ClusterMean(
        mean=mean,
        variance=variance,
        df=df,
        units=count,
        shares=shares,
        sums=sums,
        correlation=rho,
        short=short,
    )


def _plain(values: Floats) -> ClusterMean:
    """Return the textbook s² / n of independent items that count alike."""
    n = len(values)
    mean = float(values.mean())
    away = values - mean
    away[np.abs(away) <= 1e-13 * float(np.max(np.abs(values)))] = 0.0
    variance = float(away @ away) / (n - 1) / n if n > 1 else math.nan
    return ClusterMean(
        mean=mean,
        variance=variance,
        df=max(1.0, n - 1.0),
        units=n,
        shares=np.broadcast_to(np.float64(1 / n), n),
        sums=away,
    )


def degrees_of_freedom(shares: Floats, spread: Floats) -> tuple[float, float]:
    """Return Satterthwaite's degrees of freedom, and by what CR2 falls short on average.

    Parameters
    ----------
    shares : array
        The share of the mean that each cluster has.
    spread : array
        The variance of each cluster's sum, up to a common factor.

    Notes
    -----
    The variance is sum k_g (S_g - a_g S)², k_g = 1 / (1 - a_g), a quadratic form in the independent
    cluster sums S_g; with M its matrix in standardised sums, df = tr(M)² / tr(M²). CR2 is unbiased
    where the variance of a cluster's sum goes with its share, and short of the truth by
    sum v_g / tr(M) where large clusters vary more; never less than 1.

    Examples
    --------
    >>> df, short = degrees_of_freedom(np.full(10, 0.1), np.ones(10))
    >>> round(df, 9), round(short, 9)
    (9.0, 1.0)
    >>> df, short = degrees_of_freedom(np.array([0.5, 0.25, 0.25]), np.array([4.0, 1.0, 1.0]))
    >>> round(df, 3), round(short, 3)
    (1.6, 1.125)
    """
    a, v = shares, spread
    k = 1 / (1 - a)
    every = float(v.sum())
    own = -2 * a * v + every * a * a
    aa, av, vv = (float(np.sum(k * x)) for x in (a * a, a * v, v * v))
    trace = float(np.sum(k * (v + own)))
    square = float(np.sum(k * k * (v * v + 2 * v * own)))
    square += 2 * aa * vv + 2 * av * av + every**2 * aa**2 - 4 * every * av * aa
    return max(1.0, trace**2 / square), max(1.0, every / trace)


def correlation(values: Floats, unit: Codes) -> float:
    """Return the correlation between items of one cluster, by mean squares; at least 0.

    Examples
    --------
    >>> float(correlation(np.array([1.0, 1.0, 0.0, 0.0]), np.array([0, 0, 1, 1])))
    1.0
    """
    sizes = np.bincount(unit).astype(float)
    n, g = len(values), len(sizes)
    if g < 2 or n <= g:
        return 0.0
    means = np.bincount(unit, weights=values) / sizes
    between = float(np.sum(sizes * (means - values.mean()) ** 2)) / (g - 1)
    within = float(np.sum((values - means[unit]) ** 2)) / (n - g)
    if between <= within:
        return 0.0
    size = (n - float(np.sum(sizes**2)) / n) / (g - 1)
    return min(1.0, (between - within) / (between - within + size * within))


def _units(items: ItemScores) -> tuple[Codes, int]:
    if items.cluster is None:
        return np.arange(items.n), items.n
    names, unit = np.unique(items.cluster, return_inverse=True)
    return unit.astype(np.intp), len(names)


def _total(numbers: Floats, unit: Codes, count: int) -> Floats:
    return np.bincount(unit, weights=numbers, minlength=count).astype(float)


def _rounded(sums: Floats, values: Floats, totals: Floats) -> Floats:
    """Return sums of deviations, 0 where they are nothing but rounding."""
    scale = totals * float(np.max(np.abs(values), initial=0.0))
    return np.where(np.abs(sums) <= 1e-13 * scale, 0.0, sums)
