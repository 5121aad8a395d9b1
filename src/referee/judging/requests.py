"""Checks of what users ask for that evaluations and comparisons share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.core.arrays import Label
from referee.core.plan import Part, Plan
from referee.errors import InputError, PlanError, arg, named
from referee.fitting.fit import score_method
from referee.learners.naming import name_of
from referee.measures import Costs, Measure, OwnMeasure, as_measure, as_measures
from referee.resampling.choice import checked_budget

__all__ = [
    "as_costs",
    "check_budget",
    "check_costs",
    "check_measure",
    "check_measures",
    "check_scores",
]


def as_costs(costs: Costs | tuple[float, float] | None) -> Costs | None:
    """Return the costs of a pair (false positive, false negative)."""
    if costs is None or isinstance(costs, Costs):
        return costs
    try:
        false_positive, false_negative = costs
        return Costs(float(false_positive), float(false_negative))
    except (TypeError, ValueError) as problem:
        if isinstance(problem, InputError):
            raise
        raise InputError(
            "must be a pair (false positive, false negative)", argument="costs", value=repr(costs)
        ) from None


def check_budget(plan: Plan, max_fits: int | None) -> None:
    """Refuse a plan that trains more models than allowed, besides the one on all rows."""
    checked_budget(max_fits)
    fits = plan.fits - len(plan.part(Part.RESUBSTITUTION))
    if max_fits is not None and fits > max_fits:
        raise PlanError(
            f"{plan.description} trains {fits} models, more than {arg('max_fits', max_fits)}; "
            f"raise {named('max_fits')}, or use {arg('by', 'auto')} and {arg('interval', 'auto')}, "
            "which keep to it"
        )


def check_costs(costs: Costs | None, positive: Label | None, classes: Sequence[Label]) -> None:
    """Refuse costs of errors while the positive class is not known."""
    if costs is not None and positive is None:
        names = ", ".join(repr(c) for c in classes)
        raise InputError(
            f"costs need to know the positive class; pass {named('pos_label')}, one of {names}"
        )


def check_measures(
    measures: Any, positive: Label | None, classes: Sequence[Label], *, weighted: bool = False
) -> tuple[Measure, ...] | None:
    """Return what was asked for as measures; refuse impossible ones before anything is fitted.

    Parameters
    ----------
    measures : str, Measure, callable, or a sequence of them
        None where nothing was asked for.
    weighted : bool
        Whether cases have weights, which a measure must then use.
    """
    asked = as_measures(measures)
    for measure in asked or ():
        _check_positive(measure, positive, classes)
        if weighted and isinstance(measure, OwnMeasure):
            measure.check_weights()
    return asked


def check_measure(measure: Any, positive: Label | None, classes: Sequence[Label]) -> Measure:
    """Return the measure by which models are ranked, which must have a direction."""
    known = as_measure(measure)
    _check_positive(known, positive, classes)
    if known.greater_is_better is None:
        raise InputError(
            f"whether a greater {known.name!r} is better is not known; pass "
            f"make_measure(function, {arg('greater_is_better', True)}) or False"
        )
    return known


def _check_positive(measure: Measure, positive: Label | None, classes: Sequence[Label]) -> None:
    if measure.positive and positive is None:
        raise InputError(
            f"{measure.name} needs to know the positive class; pass {named('pos_label')}, one of "
            f"{', '.join(repr(c) for c in classes)}"
        )


def check_scores(model: Any, measure: Measure) -> None:
    """Refuse a model that lacks the method a measure needs, before anything is fitted."""
    method = score_method(model)
    if not measure.scores or method == "predict_proba":
        return
    if method is None:
        raise InputError(
            f"{measure.name} needs scores, and {name_of(model)} has neither predict_proba nor "
            "decision_function; use another measure or model"
        )
    if measure.probabilities:
        raise InputError(
            f"{measure.name} needs probabilities, and {name_of(model)} has no predict_proba; use "
            "another measure, or wrap the model in CalibratedClassifierCV"
        )
