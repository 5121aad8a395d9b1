"""Marks by a judge put right by the marks of people: the prediction-powered mean.

A judge (mostly a language model) marks all items, people mark some of them, drawn at random. With
n marked items, N others, y the people's marks and f the judge's, the estimate is

    lambda * mean of f over the others + mean of (y - lambda f) over the marked,

which has no bias whatever the judge does. lambda = cov(y, f) / ((1 + n / N) var(f)), kept between 0
and 1, makes its variance smallest: 0 leaves the judge out, and a judge who agrees with people makes
n marks worth n / (1 - r² N / (n + N)) of them.

Few marks and a judge who is nearly always right hide the few disagreements; then the published
interval covers far too little (docs/scores.md). So one more disagreement in either direction is
counted, by the share of marked items on which both agree, lambda costs a degree of freedom, and
for scores between limits the interval is made as in `effective_beta`.

References
----------
Angelopoulos, Bates, Fannjiang, Jordan and Zrnic (2023), Science 382. Angelopoulos, Duchi and Zrnic
(2023), PPI++, arXiv 2311.01453.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from referee.core.arrays import Codes, Floats
from referee.core.results import Interval
from referee.errors import InputError
from referee.intervals.one_set.proportion import clopper_pearson

__all__ = ["METHOD", "Marks", "PredictionPowered", "prediction_powered"]

METHOD = "prediction-powered"
_FEWEST = 3


@dataclass(frozen=True, kw_only=True, eq=False)
class Marks:
    """What people and the judge gave, item by item.

    Attributes
    ----------
    human, judge : arrays
        Marks of the items that people marked.
    others : array
        The judge's marks of the items that nobody else marked.
    clusters, other_clusters : arrays of codes or None
        The clusters of both kinds of items.
    low, high : float
        Between which limits a mark can lie; infinite where that is not known.
    """

    human: Floats
    judge: Floats
    others: Floats
    clusters: Codes | None = None
    other_clusters: Codes | None = None
    low: float = -math.inf
    high: float = math.inf

    def __post_init__(self) -> None:
        if len(self.human) < _FEWEST:
            raise InputError(
                f"at least {_FEWEST} items need a human mark to put a judge right",
                value=str(len(self.human)),
                remedy="mark more, drawn at random",
            )

    @property
    def spread(self) -> float:
        """The distance between the limits."""
        return self.high - self.low


@dataclass(frozen=True, kw_only=True)
class PredictionPowered:
    """A mean that rests on people's marks and borrows strength from a judge's.

    Attributes
    ----------
    value, se, df : float
        The estimate, its standard error and degrees of freedom.
    weight : float
        How much the judge counts (lambda); 0 where people alone speak.
    n, others : int
        Items that people marked, and items that only the judge did.
    units : float
        What the marked items are worth as independent ones: clusters where there are any.
    people, judge : float
        The mean of the people's marks alone, and of all the judge's.
    bias : float
        By how much the judge marks higher than people do, on the items both marked.
    correlation : float
        Between the two on those items.
    spread_of_people : float
        The standard deviation of the people's marks.
    low, high : float
        The limits of a mark.
    """

    value: float
    se: float
    df: float
    weight: float
    n: int
    others: int
    units: float
    people: float
    judge: float
    bias: float
    correlation: float
    spread_of_people: float
    low: float
    high: float

    @property
    def worth(self) -> float:
        """How many marks of people alone would tell as much."""
        return self.n / self._left(self.n)

    def interval(self, level: float = 0.95) -> Interval:
        """Return the interval: as for effective items between limits, else Student's t."""
        if math.isfinite(self.low) and math.isfinite(self.high):
            return self._between_limits(level)
        half = float(special.stdtrit(self.df, (1 + level) / 2)) * self.se
        return Interval(low=self.value - half, high=self.value + half, level=level, method=METHOD)

    def _between_limits(self, level: float) -> Interval:
        spread = self.high - self.low
        p = min(1.0, max(0.0, (self.value - self.low) / spread))
        n, variance = self.units, (self.se / spread) ** 2
        if variance > 0 and 0 < p < 1:
            q = (1 + level) / 2
            z, t = special.ndtri(q), special.stdtrit(self.df, q)
            n = max(n, p * (1 - p) / variance * float(z / t) ** 2)
        share = clopper_pearson(min(p * n, n), n, level)
        return Interval(
            low=self.low + share.low * spread,
            high=self.low + share.high * spread,
            level=level,
            method=METHOD,
            n_effective=n,
        )

    def with_marks(self, more: int) -> float:
        """Return about the standard error after that many more human marks.

        Items that only the judge marked are marked by people, too; the judge goes on agreeing as
        before.
        """
        n = min(self.n + more, self.n + self.others)
        now = self.spread_of_people**2 / self.n * self._left(self.n)
        then = self.spread_of_people**2 / n * self._left(n)
        return self.se * math.sqrt(then / now) if now > 0 else self.se

    def _left(self, n: int) -> float:
        """Return the share of the variance of people's marks that the judge does not take away."""
        if self.weight == 0:
            return 1.0
        every = self.n + self.others
        return max(1 - self.correlation**2 * (every - n) / every, 1e-9)


def prediction_powered(marks: Marks, *, weight: float | None = None) -> PredictionPowered:
    """Return the prediction-powered mean.

    Parameters
    ----------
    marks : Marks
        The items people marked must be a random draw from all of them.
    weight : float, optional
        How much the judge counts; by default what makes the variance smallest.

    Examples
    --------
    >>> human = np.array([1.0, 0, 1, 1, 0, 1, 1, 0, 1, 1])
    >>> judge = np.array([1.0, 0, 1, 1, 1, 1, 1, 0, 1, 1])
    >>> result = prediction_powered(
    ...     Marks(human=human, judge=judge, others=np.repeat([1.0, 0.0], [70, 30])))
    >>> round(result.value, 3), round(result.weight, 3), round(result.bias, 3)
    (0.639, 0.611, 0.1)
    """
    y, f, u = marks.human, marks.judge, marks.others
    n, others = len(y), len(u)
    lam = _weight(y, f, u) if weight is None else weight
    lam = lam if others else 0.0
    rest = y - lam * f
    value = float(rest.mean()) + (lam * float(u.mean()) if others else 0.0)
    variance, df = _variance(marks, lam)
    units = float(n) if marks.clusters is None else _kish(marks.clusters)
    variance += _hidden(marks, units)
    return PredictionPowered(
        value=value,
        se=math.sqrt(variance),
        df=df,
        weight=lam,
        n=n,
        others=others,
        units=units,
        people=float(y.mean()),
        judge=float(np.concatenate([f, u]).mean()),
        bias=float(np.mean(f - y)),
        correlation=_correlation(y, f),
        spread_of_people=float(np.std(y, ddof=1)),
        low=marks.low,
        high=marks.high,
    )


def _weight(y: Floats, f: Floats, u: Floats) -> float:
    every = float(np.var(np.concatenate([f, u]), ddof=1))
    if not len(u) or every <= 0:
        return 0.0
    together = float(np.mean((y - y.mean()) * (f - f.mean())))
    return min(1.0, max(0.0, together / ((1 + len(y) / len(u)) * every)))


def _variance(marks: Marks, lam: float) -> tuple[float, float]:
    """Return the variance and its degrees of freedom; a weight that was estimated costs one."""
    rest = marks.human - lam * marks.judge
    n, others = len(rest), len(marks.others)
    spent = 2 if lam > 0 else 1
    if marks.clusters is not None:
        return _clustered(marks, lam, rest)
    own = float(np.sum((rest - rest.mean()) ** 2)) / (n - spent) / n
    borrowed = lam**2 * float(np.var(marks.others, ddof=1)) / others if others > 1 else 0.0
    both = own + borrowed
    if both <= 0:
        return 0.0, float(n - spent)
    df = both**2 / (own**2 / (n - spent) + borrowed**2 / max(others - 1, 1))
    return both, df


def _clustered(marks: Marks, lam: float, rest: Floats) -> tuple[float, float]:
    """Return the variance of cluster sums of what each item adds to the estimate."""
    assert marks.clusters is not None
    assert marks.other_clusters is not None
    adds = (rest - rest.mean()) / len(rest)
    unit = np.concatenate([marks.clusters, marks.other_clusters])
    if len(marks.others):
        more = lam * (marks.others - marks.others.mean()) / len(marks.others)
        adds = np.concatenate([adds, more])
    _, code = np.unique(unit, return_inverse=True)
    sums = np.bincount(code, weights=adds)
    g, marked = len(sums), len(np.unique(marks.clusters))
    df = max(1.0, float(marked - (2 if lam > 0 else 1)))
    return g / max(g - 1, 1) * float(np.sum(sums**2)), df


def _hidden(marks: Marks, units: float) -> float:
    """Return the variance of one more disagreement either way, by the share of agreement."""
    apart = marks.judge - marks.human
    telling = apart[np.abs(apart) > 1e-12]
    agreed = 1 - len(telling) / len(apart)
    if len(telling):
        typical = float(np.mean(telling**2))
    else:
        typical = marks.spread**2 if math.isfinite(marks.spread) else 0.0
    return 2 * agreed * typical / (units + 2) ** 2


def _kish(clusters: Codes) -> float:
    sizes = np.unique(clusters, return_counts=True)[1].astype(float)
    return float(sizes.sum() ** 2 / np.sum(sizes**2))


def _correlation(y: Floats, f: Floats) -> float:
    if np.ptp(y) == 0 or np.ptp(f) == 0:
        return 0.0
    return float(np.corrcoef(y, f)[0, 1])
