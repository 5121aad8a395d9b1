"""AreaInterval: an interval of an area under the ROC curve as one object."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

from referee.core.method import answered_interval
from referee.core.results import Interval
from referee.intervals.area.placements import Placements
from referee.intervals.interval_method import IntervalMethod

__all__ = ["AreaInterval"]


@dataclass(frozen=True)
class AreaInterval(IntervalMethod):
    """An interval of an area under the ROC curve.

    Attributes
    ----------
    compute : callable
        From `Placements` and level to an Interval; `refusal` is asked about `Placements`, too.
    """

    listed_in: ClassVar[str] = "referee.intervals.catalogue:AREA_INTERVALS"

    _: KW_ONLY
    compute: Callable[[Placements, float], Interval]

    def __call__(self, placed: Placements, level: float = 0.95) -> Interval:
        """Return the interval of the area of these placements."""
        self.check(placed)
        return answered_interval(
            self, lambda: self.compute(placed, level), level=level, limits=(0, 1), value=placed.auc
        )
