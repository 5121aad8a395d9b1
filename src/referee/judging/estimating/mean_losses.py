"""The estimate of a measure that is a mean of one loss per case."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from referee.core.arrays import Label
from referee.core.predictions import Predictions
from referee.core.results import Estimate, Interval
from referee.core.scores.scores import ItemScores
from referee.errors import Refusal
from referee.intervals.one_set.dependent.serial_n import serial_n
from referee.intervals.one_set.mean_loss import mean_loss_interval, summed_loss_interval
from referee.intervals.scores.cluster_mean import summed_mean
from referee.measures import Costs, Losses, LossMeasure
from referee.sources.ranked_stream import LossSums

__all__ = ["loss_estimate", "summed_loss_estimate"]

_NO_VARIATION = "the cases show no variation, so they cannot tell how much this varies; no interval"


def loss_estimate(
    measure: LossMeasure,
    table: Predictions,
    *,
    positive: Label | None,
    costs: Costs | None,
    fits: int,
    worth: float,
    level: float,
) -> Estimate:
    """Return the mean loss with its interval over cases, or over groups.

    After several fits a case is worth the share `worth` of an independent one.
    """
    losses = Losses.of(table, measure.losses(table, positive, costs))
    estimate = Estimate(
        name=measure.name,
        value=1 - losses.mean if measure.greater_is_better else losses.mean,
        n=losses.n,
        method="test set" if fits == 1 else f"{fits} fits",
        greater_is_better=measure.greater_is_better,
    )
    if losses.case_moment is not None and losses.case_group is None:
        serial = serial_n(
            losses.per_case, losses.case_moment, weights=losses.case_weight, level=level
        )
        worth = serial / losses.n if fits == 1 else min(worth, serial / losses.n)
    items = ItemScores(
        values=losses.per_case,
        weight=losses.case_weight,
        cluster=losses.case_group,
        low=0.0,
        high=measure.greatest_loss(len(table.classes), costs),
    )
    return _within(estimate, partial(mean_loss_interval, items, _rarest(table), worth=worth), level)


def summed_loss_estimate(
    measure: LossMeasure, sums: LossSums, classes: int, *, costs: Costs | None, level: float
) -> Estimate:
    """Return the mean loss of cases of which only sums of losses are known, with its interval."""
    mean = summed_mean(sums.n, sums.first, sums.second, sums.third)
    estimate = Estimate(
        name=measure.name,
        value=mean.mean,
        n=sums.n,
        method="test set",
        greater_is_better=measure.greater_is_better,
    )
    limits = ItemScores(
        values=np.array([mean.mean]),
        low=0.0,
        high=measure.greatest_loss(classes, costs),
    )
    return _within(estimate, partial(summed_loss_interval, limits, mean), level)


def _within(estimate: Estimate, interval_at: Callable[..., Interval], level: float) -> Estimate:
    """Return the estimate with its interval, or with the reason why there is none."""
    try:
        interval = interval_at(level=level)
    except Refusal as problem:
        return replace(estimate, reason=f"{problem}; no interval")
    if interval.width <= 1e-9 * max(1.0, abs(estimate.value)):
        return replace(estimate, reason=_NO_VARIATION)
    if estimate.greater_is_better:
        interval = interval.complement()
    return replace(estimate, interval=interval)


def _rarest(table: Predictions) -> int:
    """Return how many cases the rarest class has, or in how many groups it occurs.

    Label sets are no classes in this sense: losses between 0 and 1 are shared by many of them.
    """
    if table.label_sets is not None:
        return len(table.cases)
    truth, classes = table.truth[table.cases], len(table.classes)
    if table.groups is not None:
        unit = np.unique(table.groups[table.cases], return_inverse=True)[1]
        truth = np.unique(truth + classes * unit) % classes
    return int(np.bincount(truth, minlength=classes).min())
