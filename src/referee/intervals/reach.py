"""Reach: what errors so many cases could have told from a bound, by an interval of one kind."""

from __future__ import annotations

import math
from dataclasses import dataclass

from referee.core.results import Interval
from referee.intervals.catalogue import interval_method
from referee.intervals.interval_method import CountInterval, exact_at

__all__ = ["Reach"]


@dataclass(frozen=True)
class Reach:
    """Intervals of the same kind and size as one that was seen, had the error been another.

    Attributes
    ----------
    seen : Interval
        The interval of the error.
    n : int
        The number of cases tested.

    Examples
    --------
    >>> from referee.intervals.one_set.proportion import clopper_pearson
    >>> reach = Reach(clopper_pearson(3, 100), 100)
    >>> round(reach.at(0.0).high, 4), round(reach.largest_below(0.5), 3)
    (0.0362, 0.39)
    >>> Reach(clopper_pearson(1, 5), 5).largest_below(0.4) is None
    True
    """

    seen: Interval
    n: int

    @property
    def size(self) -> float:
        """How many independent cases the tested ones are worth."""
        return min(float(self.n), self.seen.n_effective or self.n)

    @property
    def known(self) -> bool:
        """Whether the number of cases alone tells; it does not under class priors."""
        return self._form is not None

    @property
    def _form(self) -> CountInterval | None:
        method = interval_method(self.seen.method)
        return exact_at if method is None else method.at_size

    def at(self, error: float) -> Interval:
        """Return the interval had that error been seen."""
        assert self._form is not None
        return self._form(error * self.size, self.size, self.seen.level)

    def largest_below(self, bound: float) -> float | None:
        """Return the largest error whose interval lies below a bound; None if there is none."""
        low, high = -1, math.floor(self.size)
        while low < high:
            middle = (low + high + 1) // 2
            if self.at(middle / self.size).high < bound:
                low = middle
            else:
                high = middle - 1
        return None if low < 0 else low / self.size
