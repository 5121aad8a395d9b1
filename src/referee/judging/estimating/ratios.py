"""The estimate of a measure that is a ratio of sums over cases, or the mean of labels' ratios."""

from __future__ import annotations

from dataclasses import replace

from referee.core.predictions import Predictions
from referee.core.results import Estimate
from referee.errors import Refusal
from referee.intervals.one_set.ratio_beta import RATIO_BETA, Ratios
from referee.measures.label_sets import RatioMeasure

__all__ = ["ratio_estimate"]


def ratio_estimate(
    measure: RatioMeasure, table: Predictions, *, fits: int, worth: float, level: float
) -> Estimate:
    """Return the ratio with its interval over cases, or over groups.

    After several fits a case is worth the share `worth` of an independent one.
    """
    above, below = measure.sums(table)
    unit = table.case if table.groups is None else table.groups[table.case]
    weight = None if table.weight is None else table.weight[table.case]
    ratios = Ratios.of_rows(above, below, unit, weight, worth)
    estimate = Estimate(
        name=measure.name,
        value=ratios.value,
        n=len(table.cases),
        method="test set" if fits == 1 else f"{fits} fits",
        greater_is_better=measure.greater_is_better,
    )
    if not estimate.defined:
        return replace(estimate, reason=f"undefined: {measure.undefined}")
    try:
        interval = ratios.interval(level)
    except Refusal as problem:
        return replace(estimate, reason=f"{problem}; no interval")
    who = "cases are" if table.groups is None else "groups are"
    assumed = (f"{who} independent draws of what the model will meet", *RATIO_BETA.assumptions)
    return replace(estimate, interval=interval, assumptions=assumed)
