"""Checks of what users ask for that evaluations and comparisons share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.core.arrays import Label
from referee.core.plan import Part, Plan
from referee.errors import InputError, PlanError, arg, named
from referee.judging.claims import check_claims
from referee.judging.settings import Settings
from referee.learners.naming import name_of
from referee.measures import Costs, Measure, OwnMeasure, as_measure, as_measures

__all__ = [
    "as_costs",
    "check_budget",
    "check_costs",
    "check_measure",
    "check_measures",
    "check_quantities",
    "check_scores",
    "check_single",
    "check_task",
    "claimed_measures",
    "measures_to_compare",
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
    from referee.resampling.choice import checked_budget

    checked_budget(max_fits)
    fits = plan.fits - len(plan.part(Part.RESUBSTITUTION))
    if max_fits is not None and fits > max_fits:
        raise PlanError(
            f"{plan.description} trains {fits} models, more than {arg('max_fits', max_fits)}",
            remedy=(
                f"raise {named('max_fits')}, or use {arg('by', 'auto')} and "
                f"{arg('interval', 'auto')}, which keep to it"
            ),
        )


def check_costs(costs: Costs | None, positive: Label | None, classes: Sequence[Label]) -> None:
    """Refuse costs of errors while the positive class is not known."""
    if costs is not None and positive is None:
        names = ", ".join(repr(c) for c in classes)
        raise InputError(
            "costs need to know the positive class",
            concerning="costs",
            remedy=f"pass {named('pos_label')}, one of {names}",
        )


def check_measures(
    measures: Any,
    positive: Label | None,
    classes: Sequence[Label],
    *,
    weighted: bool = False,
    sets: bool = False,
) -> tuple[Measure, ...] | None:
    """Return what was asked for as measures; refuse impossible ones before anything is fitted.

    Parameters
    ----------
    measures : str, Measure, callable, or a sequence of them
        None where nothing was asked for.
    weighted : bool
        Whether cases have weights, which a measure must then use.
    sets : bool
        Whether label sets are predicted.
    """
    asked = as_measures(measures)
    for measure in asked or ():
        check_task(measure, numeric=not classes and not sets, sets=sets)
        _check_positive(measure, positive, classes)
        if weighted and isinstance(measure, OwnMeasure):
            measure.check_weights()
    return asked


def check_measure(
    measure: Any, positive: Label | None, classes: Sequence[Label], *, sets: bool = False
) -> Measure:
    """Return the measure by which models are ranked, which must have a direction."""
    known = as_measure(measure)
    check_task(known, numeric=not classes and not sets, sets=sets)
    _check_positive(known, positive, classes)
    if known.greater_is_better is None:
        raise InputError(
            f"whether a greater {known.name!r} is better is not known",
            remedy="pass referee.measures.make_measure(function, "
            f"{arg('greater_is_better', True)}) or False",
        )
    return known


def measures_to_compare(
    asked: Any, positive: Label | None, classes: Sequence[Label], *, sets: bool = False
) -> tuple[Measure, ...]:
    """Return what to compare models by: the measure of the verdict, and others after it.

    Where nothing is asked for, it is the error, or the mean absolute error of quantities. `sets`
    says that label sets are predicted.

    Examples
    --------
    >>> [m.name for m in measures_to_compare(["auc", "error"], 1, (0, 1))]
    ['auc', 'error']
    """
    if asked is None:
        asked = "error" if classes or sets else "mae"
    several = isinstance(asked, (list, tuple))
    measures = as_measures(asked) if several else (as_measure(asked),)
    if not measures:
        raise InputError("is empty", argument="measure", remedy="for example ['error', 'auc']")
    return tuple(check_measure(measure, positive, classes, sets=sets) for measure in measures)


def check_task(measure: Measure, *, numeric: bool, sets: bool = False) -> None:
    """Refuse a measure of classes where quantities or label sets are predicted, and so on.

    Examples
    --------
    >>> check_task(as_measure("hamming"), numeric=False)
    Traceback (most recent call last):
    ...
    referee.errors.InputError: hamming is a measure of label sets, and classes are predicted; use \
error, mcc or auc
    """
    if sets or measure.sets:
        _check_sets(measure, numeric, sets)
        return
    if measure.numeric is None or measure.numeric == numeric:
        return
    what, other = ("classes", "quantities") if numeric else ("quantities", "classes")
    instead = "mae, rmse, r2 or median_ae" if numeric else "error, mcc or auc"
    raise InputError(
        f"{measure.name} is a measure of {what}, and {other} are predicted",
        concerning="measures",
        remedy=f"use {instead}",
    )


def _check_sets(measure: Measure, numeric: bool, sets: bool) -> None:
    if sets and measure.sets is False:
        what = "quantities" if measure.numeric else "single classes"
        raise InputError(
            f"{measure.name} is a measure of {what}, and label sets are predicted",
            concerning="measures",
            remedy="use error, hamming, jaccard, micro_label_f1 or macro_label_f1",
        )
    if not sets:
        other, instead = (
            ("quantities", "mae, rmse or r2") if numeric else ("classes", "error, mcc or auc")
        )
        raise InputError(
            f"{measure.name} is a measure of label sets, and {other} are predicted",
            concerning="measures",
            remedy=f"use {instead}",
        )


_ONE_LABEL = "judge one label at a time, y[:, 0] against its own answers"

_SINGLE_ONLY = {
    "y_score": f"to judge scores, {_ONE_LABEL} and scores",
    "y_scores": f"to judge scores, {_ONE_LABEL} and scores",
    "costs": f"to weigh false alarms and misses, {_ONE_LABEL}, or pass a function of all labels, "
    "f(y_true, y_pred) of columns of 0 and 1, as a measure",
    "pos_label": f"for rates of one label use per_label(), or {_ONE_LABEL}",
    "priors": f"to reweigh, {_ONE_LABEL}",
}
"""What to do instead where a case has several labels."""


def check_single(**given: Any) -> None:
    """Refuse what only single classes have, where label sets are predicted.

    Examples
    --------
    >>> check_single(costs=(1, 10))
    Traceback (most recent call last):
    ...
    referee.errors.InputError: costs is for single classes, and label sets are predicted; to weigh \
false alarms and misses, judge one label at a time, y[:, 0] against its own answers, or pass a \
function of all labels, f(y_true, y_pred) of columns of 0 and 1, as a measure
    """
    for argument, value in given.items():
        if value is not None:
            raise InputError(
                "is for single classes, and label sets are predicted",
                argument=argument,
                remedy=_SINGLE_ONLY.get(argument, "leave it out"),
            )


def check_quantities(**given: Any) -> None:
    """Refuse what only classes have, where quantities are predicted.

    Examples
    --------
    >>> check_quantities(pos_label="ill", costs=None)
    Traceback (most recent call last):
    ...
    referee.errors.InputError: pos_label is for classes, and quantities are predicted; leave it out
    """
    for argument, value in given.items():
        if value is not None:
            raise InputError(
                "is for classes, and quantities are predicted",
                argument=argument,
                remedy="leave it out",
            )


def _check_positive(measure: Measure, positive: Label | None, classes: Sequence[Label]) -> None:
    if measure.positive and positive is None:
        raise InputError(
            f"{measure.name} needs to know the positive class",
            concerning="pos_label",
            remedy=f"pass {named('pos_label')}, one of {', '.join(repr(c) for c in classes)}",
        )


def claimed_measures(
    settings: Settings,
    asked: Sequence[Measure] | None,
    positive: Label | None,
    classes: Sequence[Label],
    *,
    sets: bool = False,
) -> tuple[Measure, ...]:
    """Return the measures that claims are about; refuse those that could not be computed."""
    measures = check_claims(settings.claims, asked or ())
    for claim, measure in measures.items():
        check_task(measure, numeric=not classes and not sets, sets=sets)
        _check_positive(measure, positive, classes)
        if measure.costs and settings.costs is None:
            raise InputError(
                f"{claim.text!r} needs to know what errors cost; pass {named('costs')}, as "
                f"{arg('costs', (1, 10))}",
                argument="claim",
            )
    return tuple(measures.values())


def check_scores(model: Any, measure: Measure) -> None:
    """Refuse a model that lacks the method a measure needs, before anything is fitted."""
    from referee.fitting.fit import score_method

    method = score_method(model)
    if not measure.scores or method == "predict_proba":
        return
    if method is None:
        raise InputError(
            f"{measure.name} needs scores, and {name_of(model)} has neither predict_proba nor "
            "decision_function",
            concerning="measures",
            remedy="use another measure or model",
        )
    if measure.probabilities:
        raise InputError(
            f"{measure.name} needs probabilities, and {name_of(model)} has no predict_proba",
            concerning="measures",
            remedy="use another measure, or wrap the model in CalibratedClassifierCV",
        )
