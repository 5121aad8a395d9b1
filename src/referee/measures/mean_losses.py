"""Measures that are a mean of one loss per case: log loss, Brier score, cost."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.core.arrays import Codes, Floats, Label
from referee.core.citations import Citation
from referee.core.machine.blocks import blocks
from referee.core.predictions import Predictions
from referee.core.results import Estimate
from referee.errors import InputError, named
from referee.measures.formulas.cost import Costs, asymmetric_losses
from referee.measures.formulas.probability import (
    brier_losses,
    check_between_0_and_1,
    checked_probabilities,
    log_losses,
)
from referee.measures.measure import Judge, Measure, PairJudge, always

__all__ = [
    "BRIER",
    "COST",
    "LOG_LOSS",
    "LossMeasure",
    "are_probabilities",
    "probabilities",
]


@dataclass(frozen=True, kw_only=True)
class LossMeasure(Measure):
    """The mean of one loss per case, over all cases.

    Attributes
    ----------
    of_rows : callable
        From a table, the positive class and the costs to the loss of every row.
    greatest : callable or None
        From the number of classes and the costs to the largest loss a case can have; None where
        losses have no bound. The least is 0.
    of_codes : callable or None
        From right answers, answers, probabilities of the classes, the position of the positive
        class and the costs to the loss of every case, without a table: sealed test sets score
        bounded losses with it.
    """

    greater_is_better: bool | None = False
    high: float = math.inf
    percent: bool = False
    of_shares: bool = True
    of_rows: Callable[[Predictions, Label | None, Costs | None], Floats]
    greatest: Callable[[int, Costs | None], float] | None = None
    of_codes: Callable[[Codes, Any, Any, int | None, Costs | None], Floats] | None = None

    def losses(
        self, table: Predictions, positive: Label | None = None, costs: Costs | None = None
    ) -> Floats:
        """Return the loss of every row."""
        return self.of_rows(table, positive, costs)

    def value(
        self, table: Predictions, positive: Label | None = None, costs: Costs | None = None
    ) -> float:
        """Return the (weighted) mean loss of all rows."""
        weight = None if table.weight is None else table.weight[table.case]
        return float(np.average(self.losses(table, positive, costs), weights=weight))

    def estimate(self, judge: Judge) -> Estimate:
        """Return the mean loss with the interval of a mean."""
        return judge.of_losses(self)

    def paired(self, pair: PairJudge) -> object:
        """Return the resampled difference of two mean losses."""
        return pair.of_means(self)

    @property
    def is_mean_loss(self) -> bool:
        """It is."""
        return True

    @property
    def bounded_loss(self) -> bool:
        """Whether the largest loss possible is known."""
        return self.greatest is not None

    def greatest_loss(self, classes: int, costs: Costs | None = None) -> float:
        """Return the largest loss a case can have; infinite where there is no bound."""
        return math.inf if self.greatest is None else self.greatest(classes, costs)


def probabilities(table: Predictions, positive: Label | None, rows: slice = slice(None)) -> Floats:
    """Return one column per class, from one per class or the positive class's alone.

    Of all rows, or of a block of them.
    """
    if table.scores is None:
        raise InputError(
            "probabilities are needed",
            concerning="y_score",
            remedy=f"pass {named('y_score')}, or a model with predict_proba",
        )
    if table.scores.ndim == 2:
        return table.scores[rows]
    if positive is None or len(table.classes) != 2:
        raise InputError(
            f"pass {named('y_score')} with one column per class, or name {named('pos_label')}",
            concerning="y_score",
        )
    first = table.classes.index(positive) == 0
    p = table.scores[rows]
    return np.column_stack([p, 1 - p] if first else [1 - p, p])


def are_probabilities(table: Predictions, positive: Label | None) -> bool:
    """Tell whether the scores can be read as probabilities."""
    if table.scores is None:
        return False
    if table.scores.ndim == 1 and (positive is None or len(table.classes) != 2):
        return False
    p = table.scores
    if len(p) and not (p.min() >= 0 and p.max() <= 1):
        return False
    # One column leaves the rest to the other class, so that both sum to 1.
    return p.ndim == 1 or bool(np.all(np.abs(p.sum(axis=1) - 1) < 1e-3))


def _of_probabilities(
    form: Callable[[Codes, Floats], Floats], table: Predictions, positive: Label | None
) -> Floats:
    truth = table.row_truth
    if table.scores is not None:
        # As given: a bad probability must not be named by what it leaves for the other class.
        check_between_0_and_1(table.scores.reshape(len(truth), -1), table.case)
    losses = [
        form(truth[b], checked_probabilities(probabilities(table, positive, b), table.case[b]))
        for b in blocks(len(truth))
    ]
    return np.concatenate(losses) if losses else np.empty(0)


def _log_loss(table: Predictions, positive: Label | None, costs: Costs | None) -> Floats:
    return _of_probabilities(log_losses, table, positive)


def _brier(table: Predictions, positive: Label | None, costs: Costs | None) -> Floats:
    return _of_probabilities(brier_losses, table, positive)


def _cost(table: Predictions, positive: Label | None, costs: Costs | None) -> Floats:
    if costs is None:
        raise InputError(
            f"cost needs {named('costs')}, a pair of false positive and negative",
            concerning="costs",
        )
    return _cost_of_codes(
        table.row_truth, table.predicted, None, table.classes.index(positive), costs
    )


def _cost_of_codes(
    truth: Codes, answers: Codes, p: Floats | None, at: int | None, costs: Costs | None
) -> Floats:
    assert costs is not None
    return asymmetric_losses(truth == at, answers == at, costs)


def _brier_of_codes(
    truth: Codes, answers: Codes | None, p: Floats, at: int | None, costs: Costs | None
) -> Floats:
    return brier_losses(truth, p)


def _greatest_brier(classes: int, costs: Costs | None) -> float:
    return 1.0 if classes == 2 else 2.0


def _greatest_cost(classes: int, costs: Costs | None) -> float:
    return max(costs.false_positive, costs.false_negative) if costs else math.inf


LOG_LOSS = LossMeasure(
    "log_loss",
    title="log loss",
    formula=r"""$p_{ic}$ is the probability that case $i$ of $n$ was given for class $c$, $y_i$ its
true class; probabilities of 0 are raised to the smallest step above 0.

$$
- \frac{1}{n} \sum_{i=1}^{n} \log p_{i, y_i}
$$
""",
    of_rows=_log_loss,
    scores=True,
    probabilities=True,
    shown=always,
    aliases=("neg_log_loss",),
)
BRIER = LossMeasure(
    "brier",
    title="Brier score",
    formula=r"""$p_{ic}$ is the probability that case $i$ of $n$ was given for class $c$ of $k$,
$y_i$ its true class. For two classes half of it is taken, which is the mean of $(p_i - y_i)^2$.

$$
\frac{1}{n} \sum_{i=1}^{n} \sum_{c=1}^{k} \left(p_{ic} - 1_{y_i = c}\right)^2
$$
""",
    of_rows=_brier,
    greatest=_greatest_brier,
    of_codes=_brier_of_codes,
    scores=True,
    probabilities=True,
    shown=always,
    aliases=("brier_score",),
    citations=(Citation("Brier 1950", "Brier, G. W. (1950). Monthly Weather Review 78, 1-3."),),
)
COST = LossMeasure(
    "cost",
    title="cost per case",
    formula=r"""$FP$ and $FN$ of $n$ cases are false positives and false negatives, $l_{FP}$ and
$l_{FN}$ what each of them costs.

$$
\frac{l_{FP} \, FP + l_{FN} \, FN}{n}
$$
""",
    of_rows=_cost,
    greatest=_greatest_cost,
    of_codes=_cost_of_codes,
    positive=True,
    costs=True,
    shown=always,
)
