"""Seeds as runs: a learner with chance in it goes through one plan several times.

Every run trains on the same rows with other seeds, so that what differs between runs of a case is
the learner's own chance. The estimate is the mean over runs; how much of its variance the seeds
make is split off as for repeated runs of any score (`referee.intervals.scores.runs`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from referee.core.arrays import Floats
from referee.core.plan import Part, Plan
from referee.core.predictions import Predictions
from referee.core.results import Interval
from referee.core.scores.scores import ItemScores
from referee.core.showing.numbers import quantities
from referee.errors import InputError, arg, named
from referee.intervals.scores.runs import RunSplit, run_split
from referee.learners.naming import name_of
from referee.measures import Measure

__all__ = ["check_repeats", "repeated_plan", "seed_split", "seeds_sentence"]

_KNOWN = {Part.MAIN, Part.HALVES, Part.RESUBSTITUTION}


def check_repeats(repeats: Any, model: Any) -> int:
    """Return how often to go through the plan; refuse a model in which nothing is left to chance.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> check_repeats(3, DecisionTreeClassifier())
    3
    >>> check_repeats(3, DecisionTreeClassifier(random_state=0))
    Traceback (most recent call last):
    ...
    referee.errors.InputError: repeats trains the model again with other seeds, and nothing in \
DecisionTreeClassifier is random and unseeded; leave it out, or leave random_state of the model None
    """
    whole = isinstance(repeats, (int, np.integer)) and not isinstance(repeats, bool)
    if not whole or repeats < 1:
        raise InputError(
            "must be a whole number of at least 1",
            argument="repeats",
            value=repr(repeats),
            remedy="for example 5",
        )
    from referee.fitting.fit import unseeded_parts

    if repeats > 1 and not unseeded_parts(model):
        raise InputError(
            "trains the model again with other seeds, and nothing in "
            f"{name_of(model)} is random and unseeded",
            argument="repeats",
            remedy="leave it out, or leave random_state of the model None",
        )
    return int(repeats)


def repeated_plan(plan: Plan, repeats: int) -> Plan:
    """Return the plan with its main splits gone through several times.

    The first run comes where it was, so that its fits have the seeds they had alone.
    """
    if repeats == 1:
        return plan
    odd = {split.part for split in plan.splits} - _KNOWN
    if odd or plan.with_replacement:
        raise InputError(
            f"{arg('repeats', repeats)} goes with a holdout or a cross-validation, not with "
            f"{plan.description}",
            concerning="repeats",
            remedy=f"use {arg('by', 'cv')}, or leave out {named('repeats')}",
        )
    main = plan.part(Part.MAIN)
    passes = len({split.repetition for split in main})
    more = tuple(
        split.in_repetition(split.repetition + run * passes)
        for run in range(1, repeats)
        for split in main
    )
    described = f"{plan.description}, {repeats} runs of the learner"
    return replace(plan, splits=(*plan.splits, *more), description=described)


def seed_split(
    predictions: Predictions, measure: Measure, repeats: int
) -> tuple[RunSplit, Floats] | None:
    """Return how cases and seeds share the variance of a mean loss, and each run's mean.

    None where there is one run, or where the measure is no mean of losses.
    """
    unseen = predictions.unseen
    if repeats < 2 or not measure.is_mean_loss or not len(unseen.case):
        return None
    passes = len(set(predictions.repetition[unseen.split].tolist())) // repeats
    run = predictions.repetition[unseen.split] // max(1, passes)
    cases, at = np.unique(unseen.case, return_inverse=True)
    cell = at * repeats + run
    loss = measure.losses(unseen)
    sums = np.bincount(cell, weights=loss, minlength=len(cases) * repeats)
    each = (sums / np.bincount(cell, minlength=len(cases) * repeats)).reshape(-1, repeats)
    items = ItemScores(
        values=each.mean(axis=1),
        cluster=None if unseen.groups is None else unseen.groups[cases],
        weight=None if unseen.weight is None else unseen.weight[cases],
    )
    split = run_split(items, each.ravel(), np.repeat(np.arange(len(cases)), repeats))
    means = each.mean(axis=0) if items.weight is None else np.average(each, 0, items.weight)
    return split, np.asarray(1 - means if measure.greater_is_better else means)


def seeds_sentence(split: RunSplit, means: Floats, interval: Interval | None, title: str) -> str:
    """Say how far runs lie apart, and what more of them would do to the interval."""
    width = float(np.ptp(means)) or 0.01
    low, high = quantities(width, float(means.min()), float(means.max()))
    text = (
        f"{len(means)} runs with other seeds gave values of the {title} from {low} to {high}; "
        f"seeds make {100 * split.share_of_runs:.0f} % of the variance of their mean"
    )
    if interval is None or split.variance == 0:
        return f"{text}."
    half = interval.width / 2
    now, best = quantities(half / 5, half, half * split.floor / split.se)
    return f"{text}. Infinitely many runs would narrow the interval from ±{now} to about ±{best}."
