"""From a table of predictions to every number an evaluation reports."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from referee.core.arrays import Label
from referee.core.plan import Part, Plan
from referee.core.predictions import Predictions
from referee.core.randomness import child
from referee.core.results import Estimate, Interval
from referee.errors import InputError, named
from referee.intervals.catalogue import risk_interval
from referee.intervals.one_set.priors import (
    KNOWN,
    STRATIFIED_JOINT,
    checked_priors,
    prior_weighted,
)
from referee.intervals.one_set.proportion import clopper_pearson
from referee.intervals.risk import RiskSample
from referee.judging.applicable import applicable
from referee.judging.bootstrap_family import bootstrap_family
from referee.judging.measuring import Measuring
from referee.judging.settings import Settings
from referee.measures import Costs, Losses

__all__ = [
    "bootstrap_estimates",
    "cost_with_priors",
    "estimates",
    "guessing_error",
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
    priors: bool = False,
) -> dict[str, Estimate]:
    """Return every measure that was asked for, or applies, with its interval."""
    if not len(predictions.unseen.case):
        _refuse_weightless(predictions)
        refused = Estimate(name="error", value=math.nan, n=0, method="none", reason=_NO_UNSEEN)
        return {"error": refused}
    measuring = Measuring(
        predictions=predictions,
        positive=positive,
        costs=settings.costs,
        interval=settings.interval,
        level=settings.level,
        target=settings.target,
        target_asked=settings.target_asked,
        seed=child(settings.seed, 2),
    )
    names = applicable(
        measures, predictions, positive, priors=priors, costs=settings.costs is not None
    )
    return measuring.estimates(names)


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
            f"priors cannot be combined with groups or {named('sample_weight')}; use one of them"
        )
    k = len(predictions.classes)
    errors = np.bincount(predictions.truth, weights=predictions.wrong, minlength=k).astype(float)
    sizes = np.bincount(predictions.truth, minlength=k).astype(float)
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
    return {"error": error} | ({"accuracy": accuracy} if "accuracy" in numbers else {})


def cost_with_priors(
    predictions: Predictions, priors: Any, costs: Costs, positive: Label, level: float
) -> Estimate:
    """Return l_FP (1 - P) FPR + l_FN P FNR, from limits that hold for both rates at once."""
    k = len(predictions.classes)
    if k != 2:
        raise InputError(f"costs under priors need two classes, got {k}; leave out one of them")
    shares = checked_priors(priors, predictions.classes)
    at = predictions.classes.index(positive)
    price = np.where(np.arange(k) == at, costs.false_negative, costs.false_positive) * shares
    errors = np.bincount(predictions.truth, weights=predictions.wrong, minlength=k)
    sizes = np.bincount(predictions.truth, minlength=k)
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


def training_error(predictions: Predictions) -> Estimate | None:
    """Return the error on the rows the model was trained on, which is no result by itself."""
    seen = predictions.resubstitution
    if not len(seen.case):
        return None
    return Estimate(
        name="training error",
        value=Losses.of(seen).mean,
        n=len(seen.cases),
        method="resubstitution",
        reason="tells (almost) nothing about new cases",
        greater_is_better=False,
    )


def guessing_error(
    predictions: Predictions, level: float, priors: Any = None, plan: Plan | None = None
) -> tuple[Estimate, Label]:
    """Return the error of always answering the commonest class, on the tested cases.

    Commonest among the rows the plan trains on first; a guesser knows no test labels. Bare
    predictions have no training rows, so there it is the commonest right answer, a strict rival.
    Where priors are given that error is known: all but the largest of them.
    """
    if priors is not None:
        return _guessing_with_priors(predictions, level, priors)
    commonest = _commonest(predictions, plan)
    tested = predictions.unseen.cases
    rows = tested if tested.size else np.arange(predictions.n)
    losses = Losses(
        value=(predictions.truth[rows] != commonest).astype(float),
        case=rows,
        split=np.zeros_like(rows),
        repetition=np.zeros_like(rows),
        n_train=np.zeros(len(rows)),
        groups=None if predictions.groups is None else predictions.groups[rows],
        weight=None if predictions.weight is None else predictions.weight[rows],
    )
    guess = Estimate(
        name="guessing",
        value=losses.mean,
        n=losses.n,
        method="always the commonest class",
        interval=risk_interval(RiskSample(losses=losses, level=level)),
        greater_is_better=False,
    )
    return guess, predictions.classes[commonest]


def _commonest(predictions: Predictions, plan: Plan | None) -> int:
    rows = plan.splits[0].train if plan else np.arange(predictions.n)
    weight = None if predictions.weight is None else predictions.weight[rows]
    k = len(predictions.classes)
    return int(np.argmax(np.bincount(predictions.truth[rows], weights=weight, minlength=k)))


def _guessing_with_priors(
    predictions: Predictions, level: float, priors: Any
) -> tuple[Estimate, Label]:
    shares = checked_priors(priors, predictions.classes)
    commonest = int(np.argmax(shares))
    value = 1 - float(shares[commonest])
    guess = Estimate(
        name="guessing",
        value=value,
        n=predictions.n,
        method="always the class of the largest prior",
        interval=Interval(low=value, high=value, level=level, method=KNOWN.name),
        greater_is_better=False,
    )
    return guess, predictions.classes[commonest]
