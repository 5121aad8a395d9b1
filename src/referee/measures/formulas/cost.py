"""Unequal costs: risk, the best threshold, and the cost curve.

With l_FP the cost of a false positive, l_FN of a false negative and P the share of positives, the
risk of a rule is l_FP (1 - P) FPR + l_FN P FNR. Only the ratio of costs matters for the decision:
call a case positive when p(+|x) / p(-|x) > l_FP / l_FN.

References
----------
Drummond and Holte (2006), Machine Learning 65 (cost curves). Elkan (2001), IJCAI.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.core.arrays import Flags, Floats
from referee.errors import InputError
from referee.measures.formulas.roc import RocCurve

__all__ = [
    "BestThreshold",
    "CostCurve",
    "Costs",
    "asymmetric_losses",
    "best_threshold",
    "cost_curve",
    "decide",
]


@dataclass(frozen=True)
class Costs:
    """What a false positive and a false negative cost.

    Examples
    --------
    >>> Costs(false_positive=1, false_negative=10).odds_needed
    0.1
    """

    false_positive: float = 1.0
    false_negative: float = 1.0

    def __post_init__(self) -> None:
        for name in ("false_positive", "false_negative"):
            value = getattr(self, name)
            if not (np.isfinite(value) and value >= 0):
                raise InputError(
                    f"the cost {name} must be finite and not negative", value=str(value)
                )
        if self.false_positive == 0 == self.false_negative:
            raise InputError("at least one of the two costs must be above 0", concerning="costs")

    @property
    def odds_needed(self) -> float:
        """The ratio p(+|x) / p(-|x) above which calling a case positive is cheaper."""
        return self.false_positive / self.false_negative if self.false_negative else np.inf

    @property
    def probability_needed(self) -> float:
        """The probability above which calling a case positive is cheaper."""
        return self.false_positive / (self.false_positive + self.false_negative)


def asymmetric_losses(positive: Flags, answered: Flags, costs: Costs) -> Floats:
    """Return the cost of each case.

    Examples
    --------
    >>> yes, no = np.array([True]), np.array([False])
    >>> asymmetric_losses(yes, no, Costs(1, 5)).tolist()
    [5.0]
    """
    wrongly = costs.false_positive * (answered & ~positive)
    return np.asarray(wrongly + costs.false_negative * (positive & ~answered), dtype=float)


def decide(probability: Floats, costs: Costs) -> Flags:
    """Call a case positive when the likelihood ratio exceeds the ratio of costs.

    Examples
    --------
    >>> decide(np.array([0.05, 0.2]), Costs(1, 9)).tolist()
    [False, True]
    """
    return np.asarray(probability > costs.probability_needed)


@dataclass(frozen=True)
class BestThreshold:
    """The threshold of least cost on a set of scores, chosen *on those scores*.

    Attributes
    ----------
    threshold : float
        Call a case positive when its score is at least this.
    risk : float
        The cost per case there; too kind, as the threshold was chosen on the same cases.
    tpr, fpr : float
    """

    threshold: float
    risk: float
    tpr: float
    fpr: float


def best_threshold(
    curve: RocCurve, costs: Costs | None = None, prior: float | None = None
) -> BestThreshold:
    """Return the threshold of least risk l_FP (1 - P) FPR + l_FN P FNR.

    Parameters
    ----------
    curve : RocCurve
        Must hold both classes.
    costs : Costs, optional
        Equal if not given.
    prior : float, optional
        Share of positives in use; as in the data if not given.

    Examples
    --------
    >>> from referee.measures.formulas.roc import roc_curve
    >>> curve = roc_curve(np.array([True, True, False]), np.array([0.9, 0.4, 0.2]))
    >>> best_threshold(curve).threshold
    0.4
    """
    costs = costs or Costs()
    P = _prior(curve, prior)
    risk = costs.false_positive * (1 - P) * curve.fpr + costs.false_negative * P * (1 - curve.tpr)
    at = int(np.argmin(risk))
    return BestThreshold(
        float(curve.threshold[at]), float(risk[at]), float(curve.tpr[at]), float(curve.fpr[at])
    )


@dataclass(frozen=True, eq=False)
class CostCurve:
    """Normalised expected cost against how much false negatives weigh.

    Attributes
    ----------
    weight : array of float
        P l_FN / (P l_FN + (1 - P) l_FP), from 0 (only false positives matter) to 1.
    cost : array of float
        The least cost over all thresholds, relative to the worst possible.
    trivial : array of float
        The cost of the better of "always yes" and "always no".
    """

    weight: Floats
    cost: Floats
    trivial: Floats


def cost_curve(curve: RocCurve, points: int = 101) -> CostCurve:
    """Return the lower envelope of the cost lines of all thresholds.

    Examples
    --------
    >>> from referee.measures.formulas.roc import roc_curve
    >>> useless = roc_curve(np.array([True, False]), np.zeros(2))
    >>> bool(np.all(cost_curve(useless).cost == cost_curve(useless).trivial))
    True
    """
    _prior(curve, None)
    weight = np.linspace(0, 1, points)
    least = np.array([_least(curve, w) for w in weight])
    return CostCurve(weight, least, np.minimum(weight, 1 - weight))


def _least(curve: RocCurve, weight: float) -> float:
    return float(np.min(weight * (1 - curve.tpr) + (1 - weight) * curve.fpr))


def _prior(curve: RocCurve, prior: float | None) -> float:
    if curve.n_positive == 0 or curve.n_negative == 0:
        raise InputError(
            "costs can be compared only where both classes have cases", concerning="y_true"
        )
    if prior is None:
        return curve.n_positive / (curve.n_positive + curve.n_negative)
    if not 0 < prior < 1:
        raise InputError("must lie strictly between 0 and 1", argument="prior", value=str(prior))
    return prior
