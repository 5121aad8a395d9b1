"""The ROC curve and the areas under it.

One vertex per distinct score, so that tied cases move together; areas are computed in whole
numbers, so the sweep and the midranks agree exactly.

References
----------
Fawcett (2006), Pattern Recognition Letters 27. Gribskov and Robinson (1996), Computers and
Chemistry 20 (ROC_n). McClish (1989), Medical Decision Making 9 (standardised partial area).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from referee.core.arrays import Flags, Floats
from referee.errors import InputError
from referee.measures.formulas.ranking import checked_ranking

__all__ = ["RocCurve", "auc_k", "partial_auc", "roc_curve"]


@dataclass(frozen=True, eq=False)
class RocCurve:
    """True against false positives as the threshold falls.

    Attributes
    ----------
    threshold : array of float
        A case is called positive when its score is at least this; starts with infinity.
    true_positives, false_positives : arrays of float
        (Weighted) counts at each threshold.

    Examples
    --------
    >>> curve = roc_curve(np.array([True, True, False, False]), np.array([0.9, 0.4, 0.4, 0.1]))
    >>> curve.fpr.tolist(), curve.tpr.tolist()
    ([0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0])
    >>> curve.auc
    0.875
    """

    threshold: Floats
    true_positives: Floats
    false_positives: Floats

    @property
    def n_positive(self) -> float:
        """The (weighted) number of positives."""
        return float(self.true_positives[-1])

    @property
    def n_negative(self) -> float:
        """The (weighted) number of negatives."""
        return float(self.false_positives[-1])

    @property
    def tpr(self) -> Floats:
        """True positive rate at each threshold; nan without positives."""
        return _over(self.true_positives, self.n_positive)

    @property
    def fpr(self) -> Floats:
        """False positive rate at each threshold; nan without negatives."""
        return _over(self.false_positives, self.n_negative)

    @property
    def auc(self) -> float:
        """The area under the curve by direct sweep; nan when a class is missing."""
        pairs = 2 * self.n_positive * self.n_negative
        if pairs == 0:
            return math.nan
        tp, fp = self.true_positives, self.false_positives
        return float(np.sum(np.diff(fp) * (tp[1:] + tp[:-1])) / pairs)


def roc_curve(positive: Flags, scores: Floats, weights: Floats | None = None) -> RocCurve:
    """Return the curve with one vertex per distinct score.

    Parameters
    ----------
    positive : array of bool
        Which cases belong to the positive class.
    scores : array of float
        Larger means more positive.
    weights : array of float, optional
        How much each case counts.
    """
    positive, scores, weights = checked_ranking(positive, scores, weights)
    if len(positive) == 0:
        raise InputError("scores are empty; a curve needs at least one case", concerning="scores")
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order]
    hit = positive[order]
    last = np.append(np.flatnonzero(ranked[1:] != ranked[:-1]), len(ranked) - 1)
    if weights is None:
        tp = np.cumsum(hit, dtype=np.intp)[last]
        fp = last + 1 - tp
    else:
        w = weights[order]
        tp, fp = np.cumsum(w * hit)[last], np.cumsum(w * ~hit)[last]
    return RocCurve(
        threshold=np.append(np.inf, ranked[last]),
        true_positives=np.append(0.0, tp),
        false_positives=np.append(0.0, fp),
    )


def auc_k(curve: RocCurve, k: int = 50) -> float:
    """Return the area up to the k-th false positive, over k times *all* positives.

    Ties are shared fairly: the value is the mean over all orders of tied cases. With fewer than k
    negatives it is the plain area. The curve must come from unweighted cases.

    Examples
    --------
    >>> hits = np.array([True] + [False] * 50 + [True] * 9)
    >>> auc_k(roc_curve(hits, -np.arange(60.0)), 50)
    0.1
    """
    if k < 1:
        raise InputError("k must be at least 1", concerning="k", value=str(k))
    if curve.n_positive == 0 or curve.n_negative == 0:
        return math.nan
    if curve.n_negative < k:
        return curve.auc
    tp, fp = curve.true_positives, curve.false_positives
    hits, misses = np.diff(tp), np.diff(fp)
    counted = np.clip(k - fp[:-1], 0, misses)
    # The j-th of m tied negatives has, on average, j/(m + 1) of the tied positives before it.
    shared = hits * counted * (counted + 1) / (2 * (misses + 1))
    return float(np.sum(counted * tp[:-1] + shared) / (k * curve.n_positive))


def partial_auc(
    curve: RocCurve, low: float = 0.0, high: float = 0.1, *, standardised: bool = False
) -> float:
    """Return the area between two false positive rates, or McClish's standardised form.

    Standardised, 1/2 is chance and 1 is perfect, whatever the range.

    Examples
    --------
    >>> perfect = roc_curve(np.array([True, False]), np.array([1.0, 0.0]))
    >>> partial_auc(perfect, 0, 0.1), partial_auc(perfect, 0, 0.1, standardised=True)
    (0.1, 1.0)
    """
    if not 0 <= low < high <= 1:
        raise InputError("the range must satisfy 0 <= low < high <= 1", value=f"{low} and {high}")
    fpr, tpr = curve.fpr, curve.tpr
    if math.isnan(fpr[-1]) or math.isnan(tpr[-1]):
        return math.nan
    area = _area_up_to(fpr, tpr, high) - _area_up_to(fpr, tpr, low)
    if not standardised:
        return area
    chance, most = (high**2 - low**2) / 2, high - low
    return (1 + (area - chance) / (most - chance)) / 2


def _area_up_to(fpr: Floats, tpr: Floats, at: float) -> float:
    inside = int(np.searchsorted(fpr, at, side="right"))
    x, y = fpr[:inside], tpr[:inside]
    if inside < len(fpr):
        slope = (tpr[inside] - y[-1]) / (fpr[inside] - x[-1])
        x, y = np.append(x, at), np.append(y, y[-1] + slope * (at - x[-1]))
    return float(np.sum(np.diff(x) * (y[1:] + y[:-1])) / 2)


def _over(counts: Floats, total: float) -> Floats:
    return counts / total if total > 0 else np.full(len(counts), np.nan)
