"""Placements: the area under the ROC curve and DeLong's variance, by midranks in O(n log n).

References
----------
DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44. Sun and Xu (2014), IEEE Signal Processing
Letters 21 (midranks). Obuchowski (1997), Biometrics 53 (groups).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from referee.core.arrays import Codes, Flags, Floats
from referee.measures.formulas.ranking import checked_ranking
from referee.measures.formulas.roc import RocCurve

__all__ = ["Placements", "curve_placements", "placed_within", "placements", "with_groups"]

_LEAST = 1e-9
"""Of the variance of single cases; less is rounding, not variation."""


@dataclass(frozen=True, eq=False)
class Placements:
    """The share of the other class each case outranks; the area is the mean of either.

    Attributes
    ----------
    of_positives : array of float
        For each positive, the share of negatives below it, ties one half.
    of_negatives : array of float
        For each negative, the share of positives above it.
    inflation : float
        By what factor dependence between cases, or between fits, raises the variance; below 1
        where a group's positives and negatives vary against each other.
    times : pair of arrays of int, or None
        How many positives, and how many negatives, each placement stands for; None for one.
    weights : pair of arrays of float, or None
        How much each positive and each negative counts.
    df : float
        Degrees of freedom of the variance: infinite for single cases, whose intervals are
        calibrated with the normal law.
    """

    of_positives: Floats
    of_negatives: Floats
    inflation: float = 1.0
    times: tuple[Floats, Floats] | None = None
    weights: tuple[Floats, Floats] | None = None
    df: float = math.inf

    @property
    def counts(self) -> tuple[int, int]:
        """How many positives and how many negatives there are."""
        if self.times is None:
            return len(self.of_positives), len(self.of_negatives)
        m, n = (int(t.sum()) for t in self.times)
        return m, n

    @property
    def sizes(self) -> tuple[float, float]:
        """How many independent positives and negatives of equal weight these are worth."""
        m, n = (max(1.0, count / self.inflation) for count in self._equal)
        return m, n

    @cached_property
    def auc(self) -> float:
        """The area under the curve."""
        return _mean(self.of_positives, self._weights[0])

    @property
    def mirrored(self) -> Placements:
        """The same with the classes' parts exchanged."""
        weights, times = (None if w is None else w[::-1] for w in (self.weights, self.times))
        return replace(
            self,
            of_positives=self.of_negatives,
            of_negatives=self.of_positives,
            weights=weights,
            times=times,
        )

    @cached_property
    def variance(self) -> float:
        """DeLong's variance; nan when a class has fewer than two cases.

        With weights each class's mean is one of weighted cases, linearised.
        """
        m, n = self.counts
        if m < 2 or n < 2:
            return math.nan
        if self.weights is not None:
            over, under = self.deviations
            weighted = m / (m - 1) * over @ over + n / (n - 1) * under @ under
            return float(self.inflation * weighted)
        times = self.times or (None, None)
        spread = _variance(self.of_positives, times[0]) / m
        spread += _variance(self.of_negatives, times[1]) / n
        return float(self.inflation * spread)

    @property
    def deviations(self) -> tuple[Floats, Floats]:
        """What each positive and each negative adds to the deviation of the area."""
        u, v = self._weights
        return _deviations(self.of_positives, u), _deviations(self.of_negatives, v)

    @property
    def _equal(self) -> tuple[float, float]:
        """How many cases of equal weight would be worth as much (Kish), of either class."""
        if self.weights is None:
            return float(self.counts[0]), float(self.counts[1])
        m, n = (float(w.sum() ** 2 / (w @ w)) for w in self.weights)
        return m, n

    @property
    def _weights(self) -> tuple[Floats | None, Floats | None]:
        return self.weights or self.times or (None, None)


def _mean(values: Floats, weights: Floats | None) -> float:
    return float(values.mean() if weights is None else np.average(values, weights=weights))


def _deviations(values: Floats, weights: Floats | None) -> Floats:
    shares = 1 / len(values) if weights is None else weights / weights.sum()
    return np.asarray(shares * (values - _mean(values, weights)))


def placements(positive: Flags, scores: Floats, weights: Floats | None = None) -> Placements:
    """Return the placements of positives among negatives and the reverse.

    Examples
    --------
    >>> placements(np.array([True, False, True]), np.array([3.0, 2.0, 1.0])).auc
    0.5
    """
    positive, scores, weights = checked_ranking(positive, scores, weights)
    x, y = scores[positive], scores[~positive]
    if weights is None:
        return Placements(of_positives=_below(x, y), of_negatives=1 - _below(y, x))
    u, v = weights[positive], weights[~positive]
    return Placements(
        of_positives=_weight_below(x, y, v),
        of_negatives=1 - _weight_below(y, x, u),
        weights=(u, v),
    )


def placed_within(positive: Flags, scores: Floats, unit: Codes) -> Floats:
    """Return the placement of every case among the cases of its unit (its fit), in their order.

    As `placements` of each unit by itself; nan where a unit lacks one of the classes.

    Examples
    --------
    >>> placed_within(np.array([True, False, True]), np.array([3.0, 2.0, 1.0]), np.zeros(3, int))
    array([1. , 0.5, 0. ])
    """
    order = np.argsort(scores)  # the order of ties does not matter
    order = order[np.argsort(_short(unit)[order], kind="stable")]
    hit, score, own = positive[order], scores[order], unit[order]
    first = np.append(True, own[1:] != own[:-1])
    run = np.append(True, score[1:] != score[:-1]) | first
    starts, ends = np.flatnonzero(run), np.append(np.flatnonzero(run)[1:], len(own))
    number, of_run = np.cumsum(first) - 1, np.cumsum(run) - 1
    heads = np.flatnonzero(first)
    placed = np.empty(len(own))
    for mine, others in ((hit, ~hit), (~hit, hit)):
        upto = np.append(0, np.cumsum(others))
        sizes = np.diff(np.append(upto[heads], upto[-1]))
        twice = upto[starts] + upto[ends]
        low = twice[of_run] - 2 * upto[heads][number]
        total = sizes[number]
        share = np.divide(low / 2, total, out=np.full(len(own), np.nan), where=total > 0)
        placed[mine] = share[mine] if mine is hit else 1 - share[mine]
    alone = np.bincount(number, weights=hit) * np.bincount(number, weights=~hit) == 0
    placed[alone[number]] = np.nan
    back = np.empty(len(own))
    back[order] = placed
    return back


def _short(unit: Codes) -> Codes:
    """Return codes as short numbers where they are small, which are sorted by counting."""
    small = len(unit) > 0 and unit.min() >= 0 and unit.max() < 2**15
    return unit.astype(np.int16) if small else unit


def curve_placements(curve: RocCurve) -> Placements:
    """Return the placements of whole cases, one for each vertex of their ROC curve.

    Examples
    --------
    >>> from referee.measures.formulas.roc import roc_curve
    >>> curve_placements(roc_curve(np.array([True, False, True]), np.array([3.0, 2.0, 1.0]))).auc
    0.5
    """
    tp, fp = curve.true_positives, curve.false_positives
    return Placements(
        of_positives=1 - (fp[1:] + fp[:-1]) / 2 / curve.n_negative,
        of_negatives=(tp[1:] + tp[:-1]) / 2 / curve.n_positive,
        times=(np.diff(tp), np.diff(fp)),
    )


def _variance(values: Floats, times: Floats | None) -> float:
    if times is None:
        return float(values.var(ddof=1))
    mean = np.average(values, weights=times)
    return float(times @ (values - mean) ** 2) / (float(times.sum()) - 1)


def _below(values: Floats, others: Floats) -> Floats:
    """Return for each value the share of others below it, ties one half."""
    ordered = np.sort(others)
    twice = np.searchsorted(ordered, values, "left") + np.searchsorted(ordered, values, "right")
    return np.asarray(twice / 2 / len(others))


def _weight_below(values: Floats, others: Floats, weights: Floats) -> Floats:
    """Return for each value the share of the others' weight below it, ties one half."""
    order = np.argsort(others, kind="stable")
    ordered = others[order]
    total = np.concatenate([[0.0], np.cumsum(weights[order])])
    twice = total[np.searchsorted(ordered, values, "left")]
    twice = twice + total[np.searchsorted(ordered, values, "right")]
    return np.asarray(twice / 2 / total[-1])


def with_groups(p: Placements, positive: Flags, groups: Codes) -> Placements:
    """Return the placements with the variance of groups of cases (Obuchowski).

    It may be smaller than that of single cases, as where every group has a positive and a negative
    that rise and fall together. Its degrees of freedom are the groups of the class that has fewer,
    less one.
    """
    _, unit = np.unique(groups, return_inverse=True)
    m, n, g = len(p.of_positives), len(p.of_negatives), int(unit.max()) + 1
    a, b = (len(np.unique(unit[kind])) for kind in (positive, ~positive))
    grouped, alone = 0.0, p.variance
    if min(a, b) > 1:
        over, under = p.deviations
        over = _sums(over, unit[positive], g)
        under = _sums(under, unit[~positive], g)
        grouped = float(_freed(a) * over @ over + _freed(b) * under @ under)
        grouped += float(2 * _freed(g) * over @ under)
    # Without any variation the data cannot tell; then a group counts as one case of its class.
    known = alone > 0 and grouped > _LEAST * alone
    factor = grouped / alone if known else max(m / a, n / b)
    return replace(p, inflation=factor, df=float(max(min(a, b) - 1, 1)))


def _sums(deviations: Floats, unit: Codes, g: int) -> Floats:
    """Return the sum of the deviations in each group."""
    return np.asarray(np.bincount(unit, weights=deviations, minlength=g), dtype=float)


def _freed(groups: int) -> float:
    return groups / (groups - 1)
