"""DifferenceInterval: an interval of a difference between two models as one object."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass

from referee.core.results import Interval
from referee.intervals.interval_method import IntervalMethod

__all__ = ["DifferenceInterval"]


@dataclass(frozen=True)
class DifferenceInterval(IntervalMethod):
    """An interval of error(first) - error(second).

    Attributes
    ----------
    compute : callable
        Of paired models: from `PairedCounts` and level. Of models on different cases: from errors
        and cases of the first, errors and cases of the second, and level. On groups: from
        differences by case, groups and level.
    paired : bool
        Whether both models are tested on the same cases.
    grouped : bool
        Whether cases come in groups.
    """

    _: KW_ONLY
    compute: Callable[..., Interval]
    paired: bool = True
    grouped: bool = False
