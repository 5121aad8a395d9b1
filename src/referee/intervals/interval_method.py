"""IntervalMethod: what every kind of interval carries besides how it is computed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import TypeAlias

from referee.core.method import Method
from referee.core.results import Interval

__all__ = ["CountInterval", "IntervalMethod", "exact_at"]

CountInterval: TypeAlias = Callable[[float, float, float], Interval]
"""From errors, cases and level to an interval."""


def exact_at(errors: float, n: float, level: float) -> Interval:
    """Return the exact interval of so many errors among n cases."""
    from referee.intervals.one_set.proportion import clopper_pearson  # which imports this file

    return clopper_pearson(errors, n, level)


@dataclass(frozen=True)
class IntervalMethod(Method):
    """A way to put an interval around an estimate.

    Attributes
    ----------
    at_size : callable or None
        The interval had another error been seen, from errors, independent cases and level; None
        where the number of cases alone does not tell.
    """

    _: KW_ONLY
    at_size: CountInterval | None = exact_at
