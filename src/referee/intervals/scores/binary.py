"""Intervals of a proportion, for one 0/1 score an item: exact, and the score interval."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from referee.core.citations import Citation
from referee.core.results import Interval
from referee.core.scores import ItemScores
from referee.intervals.one_set.proportion import clopper_pearson, wilson
from referee.intervals.scores.mean_interval import MeanInterval

__all__ = ["EXACT", "WILSON"]

CLOPPER_PEARSON_1934 = Citation(
    "Clopper and Pearson 1934",
    "Clopper, C. J. and Pearson, E. S. (1934). Biometrika 26, 404-413.",
)
WILSON_1927 = Citation(
    "Wilson 1927",
    "Wilson, E. B. (1927). Journal of the American Statistical Association 22, 209-212.",
)


def _by_counts(form: Callable[..., Interval]) -> Callable[[ItemScores, float], Interval]:
    def interval(items: ItemScores, level: float) -> Interval:
        share = form(float(np.sum(items.values == items.high)), float(items.n), level)
        return Interval(
            low=items.low + share.low * items.spread,
            high=items.low + share.high * items.spread,
            level=level,
            method=share.method,
        )

    return interval


def _needs_binary(items: ItemScores) -> str | None:
    if items.binary and items.independent:
        return None
    return (
        "intervals of a proportion belong to one 0/1 score an item, independent and of equal "
        "weight; use interval='effective-beta'"
    )


EXACT = MeanInterval(
    name="clopper-pearson",
    title="the exact interval",
    citations=(CLOPPER_PEARSON_1934,),
    refusal=_needs_binary,
    compute=_by_counts(clopper_pearson),
)
WILSON = MeanInterval(
    name="wilson",
    title="the score interval",
    citations=(WILSON_1927,),
    refusal=_needs_binary,
    compute=_by_counts(wilson),
)
