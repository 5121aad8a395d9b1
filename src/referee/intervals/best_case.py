"""The best case: how far an interval reaches where not a single error is seen."""

from __future__ import annotations

from referee.core.results import Interval
from referee.intervals.one_set.proportion import clopper_pearson, jeffreys

__all__ = ["had_the_error_been"]

_JEFFREYS = ("effective-jeffreys", "efron-tibshirani", "jeffreys")
_WITHOUT_SIZE = ("stratified-joint",)


def had_the_error_been(error: float, interval: Interval, n: int) -> Interval | None:
    """Return the interval of the same kind and size, had another error been seen.

    None where that cannot be told from the number of cases alone, as under class priors.

    Examples
    --------
    >>> seen = clopper_pearson(3, 100)
    >>> round(had_the_error_been(0.0, seen, 100).high, 4)
    0.0362
    """
    if interval.method in _WITHOUT_SIZE:
        return None
    size = min(float(n), interval.n_effective or n)
    form = jeffreys if interval.method in _JEFFREYS else clopper_pearson
    return form(error * size, size, interval.level)
