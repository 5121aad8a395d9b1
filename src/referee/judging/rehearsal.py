"""Whether an interval suits the plan and the target: tried out before anything is fitted."""

from __future__ import annotations

import numpy as np

from referee.core.dataset import Dataset
from referee.core.plan import Part, Plan
from referee.core.results import Target
from referee.errors import Refusal
from referee.intervals.risk import CATALOGUE, RiskSample
from referee.judging.settings import Settings
from referee.measures import Losses

__all__ = ["rehearse"]

_PARTICULAR = frozenset(
    {
        "student-t",
        "corrected-t",
        "effective-jeffreys",
        "nested-cv",
        "conservative-z",
        "cv-clt",
        "cv-clt-all-pairs",
        "clustered",
    }
)
"""Intervals that do not suit every plan; the others do, flagged where they fall short."""


def rehearse(plan: Plan, data: Dataset, settings: Settings) -> None:
    """Put the interval around made-up losses of the plan, so that its refusals come early.

    A hundred fits are a high price for "use another plan". An interval by name that speaks about
    something else than the target asked for is refused, too.
    """
    if settings.interval not in _PARTICULAR:
        return
    main = _made_up(plan, Part.MAIN, data)
    if main is None:
        return
    splits = plan.part(Part.MAIN)
    repetitions = len({s.repetition for s in splits})
    sample = RiskSample(
        losses=main,
        fits=len(splits),
        halves=_made_up(plan, Part.HALVES, data),
        nested=_made_up(plan, Part.NESTED, data),
        half_holdouts=_made_up(plan, Part.HALF_HOLDOUTS, data),
        partition=len(main.case) == repetitions * main.n,
        target=settings.target,
    )
    about = CATALOGUE[settings.interval](sample).target
    if settings.target_asked and about not in (settings.target, Target.FIXED):
        _refuse(settings, about)


def _refuse(settings: Settings, about: Target) -> None:
    other = "leave out target="
    if about in (Target.CONDITIONAL, Target.EXPECTED):
        other = f"target={about.value!r}"
    raise Refusal(
        f"interval={settings.interval!r} speaks about {about.sentence}, and "
        f"target={settings.target.value!r} was asked for; use interval='auto', or {other}"
    )


def _made_up(plan: Plan, part: Part, data: Dataset) -> Losses | None:
    """Return losses of which every third is 1, for the unseen cases of one part of the plan."""
    splits = plan.part(part)
    tested = [s.test[~np.isin(s.test, s.train)] for s in splits]
    if not sum(map(len, tested)):
        return None
    sizes = [len(rows) for rows in tested]
    case = np.concatenate(tested)
    return Losses(
        value=(np.arange(len(case)) % 3 == 0).astype(float),
        case=case,
        split=np.repeat(np.arange(len(splits)), sizes),
        repetition=np.repeat([s.repetition for s in splits], sizes),
        n_train=np.repeat([float(len(s.train)) for s in splits], sizes),
        groups=None if data.groups is None else data.groups[case],
        weight=None if data.sample_weight is None else data.sample_weight[case],
    )
