"""RankingSums: what measures of a ranking need, added up range after range from the top down.

Areas and placements are sums over cases, so a ranking of any length can be gone through in pieces.
All values are those of the whole ranking to rounding; a thinned curve serves for pictures and for
how much measures vary.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from referee.core.arrays import Floats, Rows
from referee.measures.formulas.roc import RocCurve

__all__ = ["RankingSums"]

_VERTICES = 1 << 20
"""About how many vertices the thinned curve has."""

_TOP = 20_000
"""Negatives at the top around which all vertices are kept: measures of the first false ones."""

_UP_TO = 0.1


@dataclass(eq=False)
class RankingSums:
    """A ranking as sums.

    Attributes
    ----------
    n_positive, n_negative : int
        How many cases there are; they must be known before the first range.

    Examples
    --------
    >>> sums = RankingSums(2, 2)
    >>> sums.add(np.array([0.4, 0.9]), np.array([0.4]))
    >>> sums.add(np.array([]), np.array([0.1]))
    >>> sums.auc
    0.875
    """

    n_positive: int
    n_negative: int
    _above: list[int] = field(default_factory=lambda: [0, 0])
    _twice: int = 0
    _of_positives: float = 0.0
    _of_negatives: float = 0.0
    _precision: float = 0.0
    _part: float = 0.0
    _curve: list[tuple[Floats, Floats, Floats]] = field(default_factory=list)

    @classmethod
    def of(
        cls, ranges: Iterable[tuple[Floats, Floats]], n_positive: int, n_negative: int
    ) -> RankingSums:
        """Add up ranges of sorted scores of positives and negatives, from the top down."""
        sums = cls(n_positive, n_negative)
        for positives, negatives in ranges:
            sums.add(positives, negatives)
        return sums

    def add(self, positives: Floats, negatives: Floats) -> None:
        """Add a range of scores, all below those before; both arrays are sorted, lowest first."""
        tp, fp = self._above
        x, hits = _distinct(positives)
        y, misses = _distinct(negatives)
        # Of the other class: how many in this range lie below each score, and how many tie.
        below = np.searchsorted(negatives, x, "left")
        upto = np.searchsorted(negatives, x, "right")
        outranked = (self.n_negative - fp - len(negatives)) * 2 + below + upto
        self._twice += int(hits.astype(np.int64) @ outranked)  # exact up to two billion cases
        self._of_positives += float(hits @ (outranked / 2 / self.n_negative) ** 2)
        self._precision += self._precisions(x, hits, below, tp, fp, len(negatives))
        lower = np.searchsorted(positives, y, "left")
        higher = np.searchsorted(positives, y, "right")
        over = tp + len(positives) - (lower + higher) / 2
        self._of_negatives += float(misses @ (over / self.n_positive) ** 2)
        self._part += self._early(misses, over, higher - lower, fp)
        self._keep(positives, negatives, tp, fp)
        self._above = [tp + len(positives), fp + len(negatives)]

    def _precisions(
        self, x: Floats, hits: Floats, below: Rows, tp: int, fp: int, negatives: int
    ) -> float:
        """Return the sum over the positives of the precision at their score."""
        true = tp + np.cumsum(hits[::-1])[::-1]
        called = true + fp + negatives - below
        return float(hits @ (true / called)) if len(x) else 0.0

    def _early(self, misses: Floats, over: Floats, ties: Rows, fp: int) -> float:
        """Return the area over the negatives up to a false positive rate of 1/10, in counts."""
        limit = _UP_TO * self.n_negative
        before = fp + (np.cumsum(misses[::-1])[::-1] - misses)  # negatives with larger scores
        counted = np.clip(limit - before, 0.0, misses)
        # Tied cases are a slope: the part of it that is counted is its lower part.
        share = np.divide(counted, misses, out=np.zeros(len(misses)), where=misses > 0)
        return float(counted @ (over - ties / 2 + ties * share / 2))

    def _keep(self, positives: Floats, negatives: Floats, tp: int, fp: int) -> None:
        """Keep vertices: all of them at the top, then one in so many cases."""
        step = max(1, (self.n_positive + self.n_negative) // _VERTICES)
        at = np.union1d(_every(positives, step), _every(negatives, step))
        if fp < _TOP and len(negatives):
            # With the positive next above each, whatever stands between two negatives is right.
            first = negatives[fp - _TOP :]
            above = np.searchsorted(positives, first, "right")
            beside = positives[above[above < len(positives)]]
            at = np.union1d(at, np.append(first, beside))
        if len(positives) + len(negatives):
            lowest = min(a[0] for a in (positives, negatives) if len(a))
            at = np.union1d(at, [lowest])
        at = at[::-1]
        true = tp + len(positives) - np.searchsorted(positives, at, "left")
        false = fp + len(negatives) - np.searchsorted(negatives, at, "left")
        self._curve.append((at, true.astype(float), false.astype(float)))

    @property
    def auc(self) -> float:
        """The area under the ROC curve, from whole numbers."""
        pairs = self.n_positive * self.n_negative
        return self._twice / (2 * pairs) if pairs else math.nan

    @property
    def placement_variances(self) -> tuple[float, float]:
        """The variance of the placements of positives, and of negatives (DeLong's parts)."""
        both = ((self._of_positives, self.n_positive), (self._of_negatives, self.n_negative))
        p, n = (max(0.0, s - m * self.auc**2) / (m - 1) if m > 1 else math.nan for s, m in both)
        return p, n

    @property
    def average_precision(self) -> float:
        """The mean over the positives of the precision at their score."""
        return self._precision / self.n_positive if self.n_positive else math.nan

    @property
    def partial_auc(self) -> float:
        """The area up to a false positive rate of 1/10."""
        pairs = self.n_positive * self.n_negative
        return self._part / pairs if pairs else math.nan

    @property
    def curve(self) -> RocCurve:
        """The curve with some of its vertices: all at the top, then one in so many cases."""
        parts = zip(*self._curve, strict=True)
        threshold, tp, fp = (np.concatenate(p) for p in parts)
        first = (np.array([np.inf]), np.zeros(1), np.zeros(1))
        return RocCurve(*(np.append(a, b) for a, b in zip(first, (threshold, tp, fp), strict=True)))


def _distinct(ordered: Floats) -> tuple[Floats, Floats]:
    """Return the distinct values of a sorted array, and how often each occurs."""
    if len(ordered) == 0:
        return np.array([]), np.array([])
    new = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    return ordered[new], np.diff(np.append(new, len(ordered))).astype(float)


def _every(ordered: Floats, step: int) -> Floats:
    return np.asarray(ordered[::-1][step - 1 :: step][::-1])
