"""Intervals of a proportion, for one 0/1 score an item: exact, and the score interval."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from referee.core.method import Method
from referee.core.results import Interval
from referee.core.scores.scores import ItemScores
from referee.intervals import works
from referee.intervals.one_set import proportion
from referee.intervals.one_set.proportion import clopper_pearson, wilson
from referee.intervals.scores.mean_interval import MeanInterval

__all__ = ["EXACT", "WILSON"]


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


def _of_items(method: Method) -> str:
    counted = "cases $x$ were answered wrongly"
    return method.formula.replace(counted, "items $x$ have the higher of the two scores")


def _needs_binary(items: ItemScores) -> str | None:
    if items.binary and items.independent:
        return None
    return (
        "intervals of a proportion belong to one 0/1 score an item, independent and of equal "
        "weight; use interval='effective-beta'"
    )


EXACT = MeanInterval(
    "clopper-pearson",
    title="the exact interval",
    formula=_of_items(proportion.CLOPPER_PEARSON),
    citations=(works.CLOPPER_PEARSON,),
    refusal=_needs_binary,
    compute=_by_counts(clopper_pearson),
)
WILSON = MeanInterval(
    "wilson",
    title="the score interval",
    formula=_of_items(proportion.WILSON),
    citations=(works.WILSON,),
    refusal=_needs_binary,
    compute=_by_counts(wilson),
)
