"""MeasureInterval: an interval that belongs to a measure or an estimator, not chosen by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from referee.intervals.interval_method import IntervalMethod

__all__ = ["MeasureInterval"]


@dataclass(frozen=True)
class MeasureInterval(IntervalMethod):
    """The interval that a measure, or an estimator of the error, always has.

    Examples
    --------
    >>> MeasureInterval("known", title="known", at_size=None).cited
    'known'
    """

    listed_in: ClassVar[str] = "referee.intervals.catalogue:MEASURE_INTERVALS"
