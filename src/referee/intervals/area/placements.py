"""Placements: the area under the ROC curve and DeLong's variance, by midranks in O(n log n).

References
----------
DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44. Sun and Xu (2014), IEEE Signal Processing
Letters 21 (midranks). Obuchowski (1997), Biometrics 53 (groups).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from referee.core.arrays import Codes, Flags, Floats
from referee.measures.ranking import checked_ranking

__all__ = ["Placements", "placements", "with_groups"]


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
        By what factor dependence between cases, or between fits, raises the variance.
    """

    of_positives: Floats
    of_negatives: Floats
    inflation: float = 1.0

    @property
    def sizes(self) -> tuple[float, float]:
        """How many independent positives and negatives these are worth."""
        worth = (len(v) / self.inflation for v in (self.of_positives, self.of_negatives))
        m, n = (max(1.0, w) for w in worth)
        return m, n

    @property
    def auc(self) -> float:
        """The area under the curve."""
        return float(self.of_positives.mean())

    @property
    def variance(self) -> float:
        """DeLong's variance; nan when a class has fewer than two cases."""
        m, n = len(self.of_positives), len(self.of_negatives)
        if m < 2 or n < 2:
            return math.nan
        spread = self.of_positives.var(ddof=1) / m + self.of_negatives.var(ddof=1) / n
        return float(self.inflation * spread)


def placements(positive: Flags, scores: Floats) -> Placements:
    """Return the placements of positives among negatives and the reverse.

    Examples
    --------
    >>> placements(np.array([True, False, True]), np.array([3.0, 2.0, 1.0])).auc
    0.5
    """
    positive, scores, _ = checked_ranking(positive, scores)
    x, y = scores[positive], scores[~positive]
    return Placements(of_positives=_below(x, y), of_negatives=1 - _below(y, x))


def _below(values: Floats, others: Floats) -> Floats:
    """Return for each value the share of others below it, ties one half."""
    ordered = np.sort(others)
    twice = np.searchsorted(ordered, values, "left") + np.searchsorted(ordered, values, "right")
    return np.asarray(twice / 2 / len(others))


def with_groups(p: Placements, positive: Flags, groups: Codes) -> Placements:
    """Return the placements with the inflation that groups of cases cause (Obuchowski).

    Never below 1: groups cannot make a sample worth more than its cases.
    """
    _, unit = np.unique(groups, return_inverse=True)
    m, n, g = len(p.of_positives), len(p.of_negatives), int(unit.max()) + 1
    a, b = (len(np.unique(unit[kind])) for kind in (positive, ~positive))
    grouped, alone = 0.0, p.variance
    if min(a, b) > 1:
        over = _sums(p.of_positives, unit[positive], g) / m
        under = _sums(p.of_negatives, unit[~positive], g) / n
        grouped = float(_freed(a) * over @ over + _freed(b) * under @ under)
        grouped += float(2 * _freed(g) * over @ under)
    # Without any variation the data cannot tell; then a group counts as one case of its class.
    factor = grouped / alone if alone > 0 and grouped > 0 else max(m / a, n / b)
    return replace(p, inflation=max(1.0, factor))


def _sums(values: Floats, unit: Codes, g: int) -> Floats:
    """Return the sum of the deviations from the mean in each group."""
    sums = np.bincount(unit, weights=values - values.mean(), minlength=g)
    return np.asarray(sums, dtype=float)


def _freed(groups: int) -> float:
    return groups / (groups - 1)
