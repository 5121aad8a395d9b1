"""MeanInterval: a way to put an interval around a mean score."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

import numpy as np

from referee.core.method import answered_interval
from referee.core.results import Interval
from referee.core.scores.scores import ItemScores
from referee.intervals.interval_method import IntervalMethod

__all__ = ["MeanInterval", "unknown"]


@dataclass(frozen=True)
class MeanInterval(IntervalMethod):
    """An interval of a mean score.

    Attributes
    ----------
    compute : callable
        From items and a level to the interval.
    refusal : callable
        From items to the reason why it may not be used for them, or None.
    of_limits : bool
        Whether it relies on the limits of the scores: limits that nobody stated are then among what
        is assumed.
    """

    listed_in: ClassVar[str] = "referee.intervals.scores.catalogue:MEAN_INTERVALS"

    _: KW_ONLY
    compute: Callable[[ItemScores, float], Interval]
    of_limits: bool = False

    def of(self, items: ItemScores, level: float) -> Interval:
        """Return the interval of the mean of these items, once it is one."""
        return answered_interval(
            self,
            lambda: self.compute(items, level),
            level=level,
            on=f" on {items.n} items",
            value=float(np.average(items.values, weights=items.weight)),
        )


def unknown(items: ItemScores) -> str | None:
    """Say why nothing can be told about the spread of scores without limits, or return None."""
    if items.units < 2:
        what = "cluster" if items.cluster is not None else "item"
        return (
            f"one {what} tells nothing about the spread of scores; score more, or state limits= "
            "for a guaranteed interval"
        )
    if np.all(items.values == items.values[0]):
        return (
            "all scores are the same, so nothing is known about their spread; state limits=(lowest,"
            " highest) for an interval that needs no spread"
        )
    return None
