"""All pairs of many models at once: differences, intervals and p-values from matrix products.

The same numbers as `pair_of` gives for each pair. What every pair needs (how often one model alone
is right, sums of squares of differences, between clusters and inside) are quadratic forms, so one
matrix product serves all pairs. Models that lack items are compared pair by pair.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from referee.comparing.scores.pair import chosen_test, tested
from referee.comparing.scores.question import ScoresQuestion
from referee.core.arrays import Codes, Floats
from referee.core.scores.scores import Scores
from referee.errors import InputError
from referee.intervals.scores.cluster_mean import degrees_of_freedom
from referee.intervals.scores.leaning import (
    FARTHEST,
    careful_statistics,
    leaning_reach,
    skewness_of_sums,
)
from referee.significance.paired.paired_scores import LEANING, TEST, paired_scores
from referee.significance.score_tests import ScoreTest

__all__ = ["AllPairs", "all_pairs"]


@dataclass(frozen=True, kw_only=True, eq=False)
class AllPairs:
    """Every pair of models, a row each.

    Attributes
    ----------
    first, second : arrays of codes
        Positions of the models.
    difference, low, high : arrays
        Mean score of the first minus that of the second, and its interval; nan where there is
        none.
    p : array
        P-values of no difference.
    n : array of int
        Items that both have.
    test, method : str
        The test, and the interval.
    """

    first: Codes
    second: Codes
    difference: Floats
    low: Floats
    high: Floats
    p: Floats
    n: Codes
    test: str
    method: str


def all_pairs(scores: Scores, question: ScoresQuestion) -> AllPairs:
    """Return all pairs of models; every two must share an item."""
    together = (scores.counts > 0).astype(float)
    shared = together.T @ together
    first, second = np.triu_indices(len(scores.models), 1)
    n = shared[first, second].astype(np.intp)
    if np.any(n == 0):
        at = int(np.flatnonzero(n == 0)[0])
        a, b = scores.models[first[at]], scores.models[second[at]]
        raise InputError(
            f"models {a!r} and {b!r} have no item in common, so they have no place on one board",
            concerning="models",
            remedy="give the same items the same names, or leave one of them out",
        )
    test = chosen_test(scores, question, paired=True)
    if test.by_counts:
        return _by_counts(scores, question, test, first, second, n)
    if test.name == TEST and not np.any(scores.counts == 0):
        return _by_t(scores, question, first, second, n)
    return _one_by_one(scores, question, test, first, second, n)


def _one_by_one(
    scores: Scores,
    question: ScoresQuestion,
    test: ScoreTest,
    first: Codes,
    second: Codes,
    n: Codes,
) -> AllPairs:
    means, rows = scores.means, np.empty((len(first), 4))
    for row, (a, b) in enumerate(zip(first, second, strict=True)):
        both = np.flatnonzero(~np.isnan(means[:, a] + means[:, b]))
        items = scores.items_at(both, means[both, a] - means[both, b], difference=True)
        paired = paired_scores(items)
        i = None if paired.blind else paired.interval(question.level)
        ends = (np.nan, np.nan) if i is None else (i.low, i.high)
        rows[row] = paired.value, *ends, tested(test, items).p_value
    return AllPairs(
        first=first,
        second=second,
        difference=rows[:, 0],
        low=rows[:, 1],
        high=rows[:, 2],
        p=rows[:, 3],
        n=n,
        test=test.name,
        method=TEST,
    )


def _by_counts(
    scores: Scores,
    question: ScoresQuestion,
    test: ScoreTest,
    first: Codes,
    second: Codes,
    n: Codes,
) -> AllPairs:
    """Return the test and the interval of Bonett and Price for all pairs."""
    there = (scores.counts > 0).astype(float)
    right = (scores.means == scores.high).astype(float)  # no where there is no score
    both, shared = right.T @ right, right.T @ there
    b = shared[first, second] - both[first, second]
    c = shared[second, first] - both[first, second]
    items, spread = n.astype(float), scores.high - scores.low
    if test.of_discordant is not None:
        p = test.of_discordant(b, c)
    else:
        p = _one_by_one(scores, question, test, first, second, n).p
    z = float(scipy.stats.norm.ppf((1 + question.level) / 2))
    one, two = (b + 1) / (items + 2), (c + 1) / (items + 2)
    half = z * np.sqrt(np.maximum(one + two - (one - two) ** 2, 0.0) / (items + 2))
    return AllPairs(
        first=first,
        second=second,
        difference=spread * (b - c) / items,
        low=spread * np.maximum(one - two - half, -1.0),
        high=spread * np.minimum(one - two + half, 1.0),
        p=p,
        n=n,
        test=test.name,
        method="bonett-price",
    )


def _by_t(
    scores: Scores, question: ScoresQuestion, first: Codes, second: Codes, n: Codes
) -> AllPairs:
    """Return the paired t test of `paired_scores` for all pairs at once."""
    units = _Units.of(scores)
    value = units.means[first] - units.means[second]
    plain = _quadratic(units.away / np.sqrt(1 - units.shares)[:, None], first, second)
    rho = units.correlations(first, second)
    df, short = units.freedom(rho)
    share, typical = units.added(first, second, scores.high - scores.low)
    size, every = float(units.sizes.mean()), float(units.sizes.sum())
    total = every + 2 * share * size
    centre = value * every / total
    # Deviations from the shrunken centre: those from the mean, and what the shift adds.
    shift = value - centre
    cross = units.crossed(first, second)
    squares = plain + 2 * shift * cross + shift**2 * units.pull
    more = 2 * share * (typical**2 + (centre * size) ** 2)
    se = np.sqrt(np.maximum(squares + more, 0.0) * short) / total
    blind = se <= 0
    lean = units.leans(first, second) if units.clustered or scores.repeated else np.zeros(len(n))
    down, up = _reaches(np.asarray(scipy.stats.t.ppf((1 + question.level) / 2, df)), lean)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = np.where(blind, 1.0, _p_values(centre / se, lean, df))
    largest = scores.high - scores.low
    low = np.maximum(np.minimum(centre - down * se, value), -largest)
    high = np.minimum(np.maximum(centre + up * se, value), largest)
    return AllPairs(
        first=first,
        second=second,
        difference=value,
        low=np.where(blind, np.nan, low),
        high=np.where(blind, np.nan, high),
        p=np.minimum(p, 1.0),
        n=n,
        test=TEST,
        method=TEST,
    )


def _reaches(quantiles: Floats, lean: Floats) -> tuple[Floats, Floats]:
    """Return how many standard errors each interval reaches, down and up."""
    both = [
        leaning_reach(float(q), float(a), FARTHEST) for q, a in zip(quantiles, lean, strict=True)
    ]
    return np.array([down for down, _ in both]), np.array([up for _, up in both])


def _p_values(x: Floats, lean: Floats, df: Floats) -> Floats:
    """Return two-sided p-values by the more careful of Student's and Willink's statistic."""
    low, high = careful_statistics(x, lean, FARTHEST)
    return np.asarray(2 * np.minimum(scipy.stats.t.sf(low, df), scipy.stats.t.cdf(high, df)))


def _quadratic(rows: Floats, first: Codes, second: Codes) -> Floats:
    """Return for each pair the sum of squares of the difference of two columns."""
    q = rows.T @ rows
    d = np.diag(q)
    return np.maximum(d[first] + d[second] - 2 * q[first, second], 0.0)


@dataclass(frozen=True, eq=False)
class _Units:
    """Items, or clusters of them, with what each model has in each."""

    values: Floats
    unit: Codes
    weight: Floats
    clustered: bool
    sizes: Floats
    shares: Floats
    sums: Floats
    means: Floats
    away: Floats

    @classmethod
    def of(cls, scores: Scores) -> _Units:
        values = scores.means
        n = len(values)
        weight = np.ones(n) if scores.weight is None else scores.weight
        clustered = scores.cluster is not None
        unit = np.arange(n)
        if scores.cluster is not None:
            unit = np.unique(scores.cluster, return_inverse=True)[1].astype(np.intp)
        sizes = np.bincount(unit, weights=weight).astype(float)
        if len(sizes) < 2:
            raise InputError(
                "one item (cluster) alone cannot tell models apart", remedy="score more"
            )
        weighted = values * weight[:, None]
        sums = _summed(weighted, unit, len(sizes)) if clustered else weighted
        means = weighted.sum(axis=0) / weight.sum()
        away = sums - means * sizes[:, None]
        return cls(values, unit, weight, clustered, sizes, sizes / sizes.sum(), sums, means, away)

    @property
    def pull(self) -> float:
        """What a shift of the centre by 1 adds to the sum of squares."""
        return float(np.sum(self.sizes**2 / (1 - self.shares)))

    def crossed(self, first: Codes, second: Codes) -> Floats:
        """Return the sum over units of deviation times size, by what is left of the mean."""
        each = (self.sizes / (1 - self.shares)) @ self.away
        return np.asarray(each[first] - each[second])

    def correlations(self, first: Codes, second: Codes) -> Floats:
        """Return the correlation between items of one cluster, for the difference of each pair."""
        n, g = len(self.values), len(self.sizes)
        if not self.clustered or n <= g:
            return np.zeros(len(first))
        counts = np.bincount(self.unit).astype(float)
        means = _summed(self.values, self.unit, g) / counts[:, None]
        centred = means - self.values.mean(axis=0)
        between = _quadratic(centred * np.sqrt(counts)[:, None], first, second) / (g - 1)
        within = _quadratic(self.values - means[self.unit], first, second) / (n - g)
        size = (n - float(np.sum(counts**2)) / n) / (g - 1)
        more = np.maximum(between - within, 0.0)
        with np.errstate(invalid="ignore"):
            rho = np.where(more > 0, more / (more + size * within), 0.0)
        return np.minimum(rho, 1.0)

    def freedom(self, rho: Floats) -> tuple[Floats, Floats]:
        """Return degrees of freedom, and what CR2 falls short of, at each correlation."""
        squares = np.bincount(self.unit, weights=self.weight**2).astype(float)
        if not self.clustered:
            df, short = degrees_of_freedom(self.shares, squares)
            return np.full(len(rho), df), np.full(len(rho), short)
        both = [degrees_of_freedom(self.shares, (1 - r) * squares + r * self.sizes**2) for r in rho]
        return np.array([df for df, _ in both]), np.array([short for _, short in both])

    def leans(self, first: Codes, second: Codes) -> Floats:
        """Return by how much each difference leans, as `paired_scores` has it."""
        lean = np.empty(len(first))
        for a in np.unique(first):
            pairs = np.flatnonzero(first == a)
            others = second[pairs]
            apart = self.away[:, [a]] - self.away[:, others]
            scale = np.max(np.abs(self.sums[:, [a]] - self.sums[:, others]), axis=0)
            apart[np.abs(apart) <= 1e-12 * scale] = 0.0
            lean[pairs] = LEANING * skewness_of_sums(apart) / 6
        return lean

    def added(self, first: Codes, second: Codes, limit: float) -> tuple[Floats, Floats]:
        """Return how much one more unit either way counts, and its typical sum, for each pair."""
        share, typical = np.empty(len(first)), np.empty(len(first))
        g, size = len(self.sums), float(self.sizes.mean())
        scale = 1e-12 * (
            np.abs(self.sums)
            if not self.clustered
            else _summed(np.abs(self.values) * self.weight[:, None], self.unit, g)
        )
        for a in np.unique(first):
            pairs = np.flatnonzero(first == a)
            others = second[pairs]
            apart = self.sums[:, [a]] - self.sums[:, others]
            apart[np.abs(apart) <= scale[:, [a]] + scale[:, others]] = 0.0
            telling = np.count_nonzero(apart, axis=0)
            rates = apart / self.sizes[:, None]
            alike = np.ptp(rates, axis=0) <= 1e-12 * np.abs(rates[0])
            squares = np.einsum("ij,ij->j", apart, apart)
            share[pairs] = np.where(alike & (telling > 0), 1.0, 1 - telling / g)
            none = limit * size if np.isfinite(limit) else 0.0
            typical[pairs] = np.where(telling > 0, np.sqrt(squares / np.maximum(telling, 1)), none)
        return share, typical


def _summed(rows: Floats, unit: Codes, units: int) -> Floats:
    """Return the sums of rows that belong to one unit."""
    sums = np.zeros((units, rows.shape[1]))
    np.add.at(sums, unit, rows)
    return sums
