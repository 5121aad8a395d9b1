"""Measures that are a mean of one loss per case: log loss, Brier score, cost."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from referee.core.arrays import Floats, Label
from referee.core.predictions import Predictions
from referee.core.results import Estimate
from referee.errors import InputError
from referee.intervals.one_set import bootstrap
from referee.measures import Costs, Losses, Measure, asymmetric_losses, brier_losses, log_losses
from referee.measures.probability import check_between_0_and_1, checked_probabilities

__all__ = ["are_probabilities", "case_losses", "loss_estimate", "probabilities"]


def loss_estimate(
    measure: Measure,
    table: Predictions,
    *,
    positive: Label | None,
    costs: Costs | None,
    fits: int,
    worth: float,
    level: float,
) -> Estimate:
    """Return the mean loss with its ABC interval over cases, or over groups.

    After several fits a case is worth the share `worth` of an independent one.
    """
    losses = Losses.of(table, case_losses(measure, table, positive, costs))
    interval = bootstrap.abc_mean(
        losses.per_case,
        weights=losses.case_weight,
        groups=losses.case_group,
        worth=worth,
        level=level,
    )
    made = Estimate(
        name=measure.name,
        value=losses.mean,
        n=losses.n,
        method="test set" if fits == 1 else f"{fits} fits",
        greater_is_better=False,
    )
    few = losses.case_group is not None and len(np.unique(losses.case_group)) < 10
    constant = interval.width <= 1e-9 * max(1.0, abs(losses.mean))
    if constant or few or losses.n < 10:
        return replace(
            made,
            reason="too few cases or groups, or no variation, for resampling to tell; no interval",
        )
    return replace(made, interval=interval)


def case_losses(
    measure: Measure, table: Predictions, positive: Label | None, costs: Costs | None
) -> Floats:
    """Return the loss of every row of the table under a measure that is a mean of them."""
    truth = table.truth[table.case]
    if measure.name == "cost":
        if costs is None:
            raise InputError("cost needs costs=(false positive, false negative)")
        at = table.classes.index(positive)
        return asymmetric_losses(truth == at, table.predicted == at, costs)
    form = log_losses if measure.name == "log_loss" else brier_losses
    if table.scores is not None:
        # As given: a bad probability must not be named by what it leaves for the other class.
        check_between_0_and_1(table.scores.reshape(len(truth), -1), table.case)
    return form(truth, checked_probabilities(probabilities(table, positive), table.case))


def probabilities(table: Predictions, positive: Label | None) -> Floats:
    """Return one column per class, from one per class or the positive class's alone."""
    if table.scores is None:
        raise InputError("probabilities are needed; pass y_score, or a model with predict_proba")
    if table.scores.ndim == 2:
        return table.scores
    if positive is None or len(table.classes) != 2:
        raise InputError("pass y_score with one column per class, or name pos_label")
    first = table.classes.index(positive) == 0
    p = table.scores
    return np.column_stack([p, 1 - p] if first else [1 - p, p])


def are_probabilities(table: Predictions, positive: Label | None) -> bool:
    """Tell whether the scores can be read as probabilities."""
    if table.scores is None:
        return False
    if table.scores.ndim == 1 and (positive is None or len(table.classes) != 2):
        return False
    p = probabilities(table, positive)
    inside = np.all((p >= 0) & (p <= 1))
    return bool(inside and np.all(np.abs(p.sum(axis=1) - 1) < 1e-3))
