"""From a table of predictions to every number an evaluation reports."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from referee.core.arrays import Floats, Label
from referee.core.plan import Part
from referee.core.predictions import Predictions
from referee.core.randomness import child
from referee.core.results import Estimate, Interval
from referee.errors import InputError, named
from referee.intervals.one_set.priors import (
    STRATIFIED_JOINT,
    checked_priors,
    prior_weighted,
)
from referee.intervals.one_set.proportion import clopper_pearson
from referee.judging.applicable import applicable
from referee.judging.estimating.bootstrap_family import bootstrap_family
from referee.judging.estimating.measuring import Measuring
from referee.judging.settings import Settings
from referee.measures import ERROR, MAE, Costs, Losses, Measure, as_measures

__all__ = [
    "bootstrap_estimates",
    "cost_with_priors",
    "estimates",
    "headline",
    "measuring_of",
    "training_error",
    "with_priors",
]

_NO_UNSEEN = "every case was tested by a model that had been trained on it"


def estimates(
    predictions: Predictions,
    measures: Sequence[Any] | None,
    positive: Label | None,
    settings: Settings,
    *,
    claimed: Sequence[Measure] = (),
    priors: bool = False,
) -> dict[str, Estimate]:
    """Return every measure that was asked for (or applies) or claimed, with its interval."""
    if not len(predictions.unseen.case):
        _refuse_weightless(predictions)
        name = headline(predictions, measures).name
        refused = Estimate(name=name, value=math.nan, n=0, method="none", reason=_NO_UNSEEN)
        return {name: refused}
    measuring = measuring_of(predictions, positive, settings)
    names = applicable(
        measures,
        predictions,
        positive,
        claimed=claimed,
        priors=priors,
        costs=settings.costs is not None,
    )
    return measuring.estimates(names)


def measuring_of(predictions: Predictions, positive: Label | None, settings: Settings) -> Measuring:
    """Return how to put numbers and intervals on a table, as was asked for."""
    return Measuring(
        predictions=predictions,
        positive=positive,
        costs=settings.costs,
        interval=settings.interval,
        level=settings.level,
        target=settings.target,
        target_asked=settings.target_asked,
        seed=child(settings.seed, 2),
    )


def _refuse_weightless(predictions: Predictions) -> None:
    main = predictions.of_part(Part.MAIN)
    if predictions.weight is not None and np.any(main.seen == 0):
        raise InputError(
            "is 0 for every tested case", argument="sample_weight", remedy="nothing would count"
        )


def bootstrap_estimates(
    predictions: Predictions, estimator: str, level: float
) -> dict[str, Estimate]:
    """Return the four bootstrap estimates; the estimator asked for comes first, as the error.

    Where the learner interpolates, the ones built on its training error are refused and the
    out-of-bag error stands in.
    """
    every = bootstrap_family(predictions).estimates(level)
    chosen = estimator if every[estimator].defined else "out-of-bag"
    error = replace(every[chosen], name="error", method=f"bootstrap, {chosen}")
    return {"error": error} | {e.name: e for e in every.values()}


def with_priors(
    predictions: Predictions, priors: Any, level: float, numbers: Mapping[str, Estimate]
) -> dict[str, Estimate]:
    """Return the error, and the accuracy if it is among the numbers, under priors.

    Each class counts by its prior instead of its share of the test set.
    """
    if predictions.groups is not None or predictions.weight is not None:
        raise InputError(
            f"priors cannot be combined with groups or {named('sample_weight')}",
            concerning="priors",
            remedy="use one of them",
        )
    errors, sizes = _errors_and_sizes(predictions)
    weighted = prior_weighted(errors, sizes, checked_priors(priors, predictions.classes), level)
    error = Estimate(
        name="error",
        value=weighted.value,
        n=predictions.n,
        method="test set, class priors given",
        interval=weighted.interval,
        greater_is_better=False,
        assumptions=("cases of each class were drawn independently", "the priors are right"),
    )
    accuracy = replace(
        error,
        name="accuracy",
        value=1 - weighted.value,
        interval=weighted.interval.complement(),
        greater_is_better=True,
    )
    return {"error": error} | ({accuracy.name: accuracy} if accuracy.name in numbers else {})


def cost_with_priors(
    predictions: Predictions, priors: Any, costs: Costs, positive: Label, level: float
) -> Estimate:
    """Return l_FP (1 - P) FPR + l_FN P FNR, from limits that hold for both rates at once."""
    k = len(predictions.classes)
    if k != 2:
        raise InputError(
            "costs under priors need two classes",
            concerning="costs",
            value=str(k),
            remedy="leave out one of them",
        )
    shares = checked_priors(priors, predictions.classes)
    at = predictions.classes.index(positive)
    price = np.where(np.arange(k) == at, costs.false_negative, costs.false_positive) * shares
    errors, sizes = _errors_and_sizes(predictions)
    each = 1 - (1 - level) / k
    limits = [clopper_pearson(x, n, each) for x, n in zip(errors, sizes, strict=True)]
    return Estimate(
        name="cost",
        value=float(price @ (errors / sizes)),
        n=predictions.n,
        method="test set, class priors given",
        interval=Interval(
            low=float(price @ [i.low for i in limits]),
            high=float(price @ [i.high for i in limits]),
            level=level,
            method=STRATIFIED_JOINT.name,
        ),
        greater_is_better=False,
        assumptions=("cases of each class were drawn independently", "the priors are right"),
    )


def _errors_and_sizes(predictions: Predictions) -> tuple[Floats, Floats]:
    """Return how many cases of each class were answered wrongly, and how many there are."""
    counts = predictions.cell_counts.astype(float)
    sizes = counts.sum(axis=1)
    return np.asarray(sizes - np.diagonal(counts)), np.asarray(sizes)


def headline(predictions: Predictions, measures: Sequence[Any] | None) -> Measure:
    """Return the measure that the verdict is about.

    It is the error of classes; of quantities the first measure asked for, or the mean absolute
    error.

    Examples
    --------
    >>> headline(Predictions.of_quantities([1.0, 2.5], [1.0, 2.0]), None).name
    'mae'
    """
    if not predictions.numeric:
        return ERROR
    asked = as_measures(measures)
    return asked[0] if asked else MAE


def training_error(predictions: Predictions, measure: Measure = ERROR) -> Estimate | None:
    """Return the error on the rows the model was trained on, which is no result by itself."""
    seen = predictions.resubstitution
    if not len(seen.case):
        return None
    return Estimate(
        name="training error",
        value=measure.value(seen) if predictions.numeric else Losses.of(seen).mean,
        n=len(seen.cases),
        method="resubstitution",
        reason="tells (almost) nothing about new cases",
        greater_is_better=measure.greater_is_better,
    )
