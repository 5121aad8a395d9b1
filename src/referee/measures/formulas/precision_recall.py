"""The precision-recall curve, its area, and lift."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from referee.core.arrays import Floats
from referee.measures.formulas.roc import RocCurve

__all__ = ["PrecisionRecallCurve", "average_precision", "lift_curve", "precision_recall"]


@dataclass(frozen=True, eq=False)
class PrecisionRecallCurve:
    """Precision against recall as the threshold falls; one vertex per distinct score.

    Attributes
    ----------
    threshold, precision, recall : arrays of float
    prevalence : float
        The share of positives: what a random ranking reaches.
    """

    threshold: Floats
    precision: Floats
    recall: Floats
    prevalence: float


def precision_recall(curve: RocCurve) -> PrecisionRecallCurve:
    """Return the precision-recall curve of the same sweep.

    Examples
    --------
    >>> from referee.measures.formulas.roc import roc_curve
    >>> curve = roc_curve(np.array([True, False, True]), np.array([3.0, 2.0, 1.0]))
    >>> precision_recall(curve).precision.round(3).tolist()
    [1.0, 0.5, 0.667]
    """
    tp, fp = curve.true_positives[1:], curve.false_positives[1:]
    total = curve.n_positive + curve.n_negative
    answered = tp + fp
    precision = np.divide(tp, answered, out=np.full(len(tp), np.nan), where=answered > 0)
    return PrecisionRecallCurve(
        threshold=curve.threshold[1:],
        precision=precision,
        recall=curve.tpr[1:],
        prevalence=curve.n_positive / total,
    )


def average_precision(curve: RocCurve) -> float:
    """Return the sum of precision times the step in recall; nan without positives.

    No interpolation: linear segments between vertices of this curve would be too kind (Davis and
    Goadrich 2006).
    """
    if curve.n_positive == 0:
        return math.nan
    pr = precision_recall(curve)
    steps = np.diff(np.append(0.0, pr.recall))
    return float(np.sum(steps * np.where(steps > 0, pr.precision, 0.0)))


def lift_curve(curve: RocCurve) -> tuple[Floats, Floats]:
    """Return depth (share of cases called positive) and lift (precision over prevalence)."""
    pr = precision_recall(curve)
    total = curve.n_positive + curve.n_negative
    depth = (curve.true_positives[1:] + curve.false_positives[1:]) / total
    lift = pr.precision / pr.prevalence if pr.prevalence > 0 else np.full(len(depth), np.nan)
    return depth, lift
