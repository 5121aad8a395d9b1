"""The estimate of a measure that is any function of the cases, by resampling them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from referee.core.arrays import Codes, Label, Rows
from referee.core.predictions import Predictions
from referee.core.randomness import Seed
from referee.core.results import Estimate, Interval
from referee.errors import arg
from referee.intervals.one_set.bootstrap import bootstrap
from referee.intervals.one_set.bootstrap.function import bootstrap_function
from referee.measures import Costs, Measure

__all__ = ["function_estimate", "split_rows"]

_FEWEST = 10
_ENOUGH = 0.5
"""Share of the resamples in which the measure must be defined."""

_TOO_FEW = "too few cases or groups (fewer than ten) for resampling to tell; no interval"
_ONE_CASE = "a class has fewer than two cases, so resampling cannot show its variation; no interval"
_NOWHERE = "the measure is undefined in most resamples; no interval"
_NO_VARIATION = "resampling shows no variation here; no interval"


def function_estimate(
    measure: Measure,
    table: Predictions,
    *,
    positive: Label | None,
    costs: Costs | None,
    fits: int,
    level: float,
    seed: Seed,
    form: Callable[[bootstrap.Bootstrapped, float], Interval] = bootstrap.bca,
) -> Estimate:
    """Return the function's value with its bootstrap interval over cases, or over groups.

    From several fits it is the mean over splits, which has no interval.
    """
    estimate = Estimate(
        name=measure.name,
        value=math.nan,
        n=len(table.cases),
        method="test set" if fits == 1 else "mean over splits",
        greater_is_better=measure.greater_is_better,
    )
    if fits > 1:
        return _mean_over_splits(estimate, measure, table, positive, costs)
    value = measure.value(table, positive, costs)
    measure.check_order(table, positive, costs, value)
    estimate = replace(estimate, value=value)
    if not estimate.defined:
        return replace(estimate, reason=f"undefined: {measure.undefined}")
    refused = _refused(table)
    if refused:
        return replace(estimate, reason=refused)
    order, groups = _in_one_order(table)
    drawn = bootstrap_function(
        lambda rows: measure.quiet_value(table.rows(order[rows]), positive, costs),
        len(table.case),
        groups=groups,
        value=value,
        seed=seed,
    )
    if drawn.defined < _ENOUGH:
        return replace(estimate, reason=_NOWHERE)
    if drawn.bootstrapped.constant:
        return replace(estimate, reason=_NO_VARIATION)
    interval = form(drawn.bootstrapped, level)
    unit = "groups" if table.groups is not None else "cases"
    return replace(
        estimate,
        interval=replace(
            interval, low=max(measure.low, interval.low), high=min(measure.high, interval.high)
        ),
        assumptions=(f"{unit} are independent draws of what the model will meet",),
    )


def _in_one_order(table: Predictions) -> tuple[Rows, Codes | None]:
    """Return rows in the order of what they hold, and their groups numbered by what these hold.

    What is drawn then does not depend on which case or group came first.
    """
    case = table.case
    columns = [table.row_truth, table.predicted]
    columns += [] if table.scores is None else list(table.scores.reshape(len(case), -1).T)
    columns += [of_case[case] for of_case in (table.weight, table.moment) if of_case is not None]
    rows = np.lexsort(columns)
    if table.groups is None:
        return rows, None
    fresh = np.any([np.diff(column[rows], prepend=column[rows[:1]]) != 0 for column in columns], 0)
    kind = np.cumsum(fresh)
    unit = np.unique(table.groups[case[rows]], return_inverse=True)[1]
    mark = np.random.default_rng(0).random(int(kind[-1]) + 1)[kind]
    of_unit = np.round(np.bincount(unit, weights=mark), 9)
    place = np.argsort(np.lexsort([of_unit, np.bincount(unit)]))
    return rows, place[unit]


def _refused(table: Predictions) -> str:
    """Say why cases cannot be resampled honestly; empty where they can."""
    units = table.case if table.groups is None else table.groups[table.case]
    if len(np.unique(units)) < _FEWEST:
        return _TOO_FEW
    if table.numeric or table.label_sets is not None:
        return ""
    counts = np.bincount(table.row_truth)
    return _ONE_CASE if counts[counts > 0].min() < 2 else ""


def _mean_over_splits(
    estimate: Estimate,
    measure: Measure,
    table: Predictions,
    positive: Label | None,
    costs: Costs | None,
) -> Estimate:
    parts = [table.rows(rows) for rows in split_rows(table)]
    largest = max(parts, key=lambda part: len(part.case))
    values = np.array([measure.quiet_value(part, positive, costs) for part in parts])
    if np.isnan(values).all():
        measure.value(largest, positive, costs)  # raises what went wrong, if it was an error
        return replace(estimate, reason=f"undefined in every split: {measure.undefined}")
    measure.check_order(largest, positive, costs, measure.value(largest, positive, costs))
    lacking = int(np.isnan(values).sum())
    left_out = f"; undefined in {lacking} of {len(values)} splits, left out" if lacking else ""
    return replace(estimate, value=float(np.nanmean(values)), reason=_several() + left_out)


def split_rows(table: Predictions) -> list[Rows]:
    """Return the rows of each split, in the order of the splits.

    Examples
    --------
    >>> [rows.tolist() for rows in split_rows(Predictions.of([0, 1], [0, 1]))]
    [[0, 1]]
    """
    order = np.argsort(table.split, kind="stable")
    _, starts = np.unique(table.split[order], return_index=True)
    return np.split(order, starts[1:])


def _several() -> str:
    return (
        "no interval: how much a function of this kind varies over models with shared training "
        f"cases is not known; use {arg('by', 'holdout')} or a test set"
    )
