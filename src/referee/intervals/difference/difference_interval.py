"""DifferenceInterval: an interval of a difference between two models as one object."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

from referee.core.method import Catalogue
from referee.core.results import Interval
from referee.errors import Refusal, arg
from referee.intervals.interval_method import IntervalMethod

__all__ = ["DifferenceInterval", "DifferenceIntervals"]


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

    listed_in: ClassVar[str] = "referee.intervals.catalogue:DIFFERENCE_INTERVALS"

    _: KW_ONLY
    compute: Callable[..., Interval]
    paired: bool = True
    grouped: bool = False

    @property
    def cases(self) -> str:
        """On which cases the models must have been tested for it."""
        if not self.paired:
            return "different cases"
        return "same cases in groups" if self.grouped else "same cases"

    def __call__(self, sample: Any, level: float) -> Interval:
        """Return the interval of a sample of two models (`referee.significance.samples`)."""
        if not self.paired:
            return self.compute(*sample.errors, level)
        if self.grouped:
            return self.compute(sample.differences, sample.difference_groups, level)
        return self.compute(sample.counts, level)

    def objection(self, situation: Any) -> str | None:
        """Return why the interval may not be used, starting with the cases it is made for."""
        return self._of_other_cases(situation) or self.refused(situation)

    def _of_other_cases(self, situation: Any) -> str | None:
        subject = arg("interval", self.name)
        if self.paired and not situation.paired:
            return f"{subject} is of models on the same cases, and these were tested on different"
        if situation.paired and not self.paired:
            return f"{subject} is of models on different cases, and these predicted the same ones"
        if situation.grouped and not self.grouped:
            return f"{subject} takes the cases of a group as independent"
        if self.grouped and not situation.grouped:
            return f"{subject} needs to know the groups of the cases, and none were given"
        return None


class DifferenceIntervals(Catalogue[DifferenceInterval]):
    """The intervals of a difference in error."""

    def asked(self, name: str | DifferenceInterval, situation: Any) -> DifferenceInterval:
        """Return the interval that was asked for, or the automatic one, if it suits."""
        if isinstance(name, str) and name == "auto":
            return self.choose(situation)
        method = self.named(name)
        reason = method.objection(situation)
        if reason is not None:
            raise Refusal(reason, remedy=f"use {arg('interval', self.choose(situation).name)}")
        return method
