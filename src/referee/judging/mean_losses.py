"""The estimate of a measure that is a mean of one loss per case."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from referee.core.arrays import Label
from referee.core.predictions import Predictions
from referee.core.results import Estimate
from referee.intervals.one_set import bootstrap
from referee.measures import Costs, Losses, LossMeasure

__all__ = ["loss_estimate"]

_TOO_FEW = "too few cases or groups, or no variation, for resampling to tell; no interval"


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
    """Return the mean loss with its ABC interval over cases, or over groups.

    After several fits a case is worth the share `worth` of an independent one.
    """
    losses = Losses.of(table, measure.losses(table, positive, costs))
    interval = bootstrap.abc_mean(
        losses.per_case,
        weights=losses.case_weight,
        groups=losses.case_group,
        worth=worth,
        level=level,
    )
    estimate = Estimate(
        name=measure.name,
        value=losses.mean,
        n=losses.n,
        method="test set" if fits == 1 else f"{fits} fits",
        greater_is_better=measure.greater_is_better,
    )
    few = losses.case_group is not None and len(np.unique(losses.case_group)) < 10
    constant = interval.width <= 1e-9 * max(1.0, abs(losses.mean))
    if constant or few or losses.n < 10:
        return replace(estimate, reason=_TOO_FEW)
    return replace(estimate, interval=interval)
