"""Predictions judged as they come in: intervals that hold at all times, so that one may stop.

Shares of cases (error, accuracy, rates of a class) get the beta-binomial confidence sequence, mean
losses that have a bound (Brier score, cost) the betting sequence. For other measures no such
interval is known here, and they are reported without one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from referee.core.arrays import Label
from referee.core.predictions import Predictions
from referee.core.results import Estimate
from referee.errors import InputError, Refusal, arg, named
from referee.intervals.sequential import ConfidenceSequence, beta_binomial, betting
from referee.judging.estimating.quantity import Quantity
from referee.judging.estimating.split_values import row_losses
from referee.measures import Costs, Measure, ShareMeasure, measure_named

__all__ = [
    "ASSUMPTIONS",
    "check_sequential",
    "guessing_at_all_times",
    "sequence_of",
    "with_sequence",
    "with_sequences",
]

ASSUMPTIONS = (
    "cases come one by one from one population, each independent of those before",
    "the model was fixed before the first case",
)
_NONE = "no interval that holds at all times is known for this measure"


def check_sequential(predictions: Predictions, *, interval: Any = "auto", priors: bool) -> None:
    """Refuse what intervals that hold at all times cannot take into account."""
    here = arg("sequential", True)
    if interval != "auto":
        raise InputError(
            f"{arg('interval', interval)} holds for a number of cases fixed in advance",
            concerning="interval",
            remedy=f"leave it out, or leave out {here}",
        )
    if predictions.groups is not None:
        raise Refusal(
            f"{here} takes cases as independent of each other, and {named('groups')} says that "
            "they are not",
            remedy="have one case of each group, or decide on the number of cases first",
        )
    if predictions.moment is not None:
        raise InputError(
            f"{here} takes cases as independent and in the order given",
            remedy=f"leave out {named('time')}",
        )
    if predictions.weight is not None or priors:
        which = named("priors") if priors else named("sample_weight")
        raise InputError(f"{here} counts every case once", remedy=f"leave out {which}")


def with_sequences(
    numbers: Mapping[str, Estimate],
    measures: Mapping[str, Measure],
    predictions: Predictions,
    positive: Label | None,
    costs: Costs | None,
    level: float,
) -> dict[str, Estimate]:
    """Return estimates with the interval that holds at all times, or the reason there is none.

    `measures` are those of a user's own, by name.
    """
    return {
        name: with_sequence(
            estimate,
            predictions,
            Quantity(
                measure=measures.get(name) or measure_named(name), positive=positive, costs=costs
            ),
            level,
        )
        for name, estimate in numbers.items()
    }


def with_sequence(
    estimate: Estimate, predictions: Predictions, quantity: Quantity, level: float
) -> Estimate:
    """Return one estimate with the interval that holds at all times, or the reason for none."""
    if not estimate.defined:
        return estimate
    sequence = sequence_of(predictions, quantity, level)
    if sequence is None:
        return replace(estimate, interval=None, reason=_NONE, assumptions=())
    return replace(
        estimate,
        interval=sequence.interval,
        reason="",
        method="test cases in the order they came",
        assumptions=ASSUMPTIONS,
    )


def guessing_at_all_times(guessing: Estimate, guess: Label, predictions: Predictions) -> Estimate:
    """Return the error of always giving one answer, with an interval that holds at all times."""
    if guessing.interval is None:
        return guessing
    table = predictions.unseen
    wrong = table.row_truth != table.classes.index(guess)
    return replace(guessing, interval=beta_binomial(wrong, guessing.interval.level).interval)


def sequence_of(
    predictions: Predictions, quantity: Quantity, level: float
) -> ConfidenceSequence | None:
    """Return the confidence sequence of a measure; None where there is none.

    Examples
    --------
    >>> table = Predictions.of([0, 1] * 100, ([0, 1] * 9 + [1, 1]) * 10)
    >>> error = sequence_of(table, Quantity(measure=measure_named("error")), 0.95)
    >>> round(error.interval.low, 3), round(error.interval.high, 3)
    (0.014, 0.114)
    """
    table, measure = predictions.unseen, quantity.measure
    if isinstance(measure, ShareMeasure):
        rows = measure.among(table, quantity.positive)
        if not len(rows.case):
            return None
        sequence = beta_binomial(rows.wrong, level)
        return sequence.complement() if measure.greater_is_better else sequence
    bound = measure.greatest_loss(len(table.classes), quantity.costs)
    if not measure.is_mean_loss or math.isinf(bound):
        return None
    # Probabilities may miss a sum of 1 by rounding.
    losses = np.clip(row_losses(table, quantity), 0.0, bound)
    return betting(losses, level, bounds=(0.0, bound))
