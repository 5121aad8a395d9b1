"""What a number of cases could have shown: for an error, and for a difference."""

from __future__ import annotations

import math

from referee.core.numbers import level_text, percent, span
from referee.core.results import Estimate
from referee.intervals.proportion import clopper_pearson
from referee.report.document import Bar, Bars, Block, Paragraph

__all__ = ["largest_told_from", "reach_of_evaluation"]

_ERRORS = (0.0, 0.01, 0.05, 0.1, 0.2, 0.5)


def reach_of_evaluation(error: Estimate, guessing: Estimate) -> tuple[Block, ...]:
    """Return what errors the cases could have told apart, and how exactly."""
    if error.interval is None:
        why = error.reason or "no interval is known for the error here"
        return (Paragraph(f"That cannot be said: {why}."),)
    level, n = error.interval.level, error.n
    size = min(float(n), error.interval.n_effective or n)
    worth = f" (worth {size:.0f} independent ones)" if size < n - 0.5 else ""
    least = clopper_pearson(0, size, level).high
    told = [
        f"Without a single error, {n} cases{worth} would show an error of at most {percent(least)} "
        f"({level_text(level)} interval). An interval half as wide takes about four times as many "
        "cases."
    ]
    if guessing.interval is not None:
        told.append(_told_from_guessing(size, level, guessing.interval.low))
    bars = tuple(_bar(e, size, level) for e in _ERRORS if e <= 0.2 or size < 1000)
    caption = (
        f"exact {level_text(level)} intervals of {size:.0f} independent cases, "
        "had the error been as named"
    )
    return (Paragraph(" ".join(told)), Bars(bars, caption))


def _bar(error: float, size: float, level: float) -> Bar:
    i = clopper_pearson(error * size, size, level)
    return Bar(f"error {percent(error)}", error, i.low, i.high, span(i.low, i.high))


def _told_from_guessing(size: float, level: float, bound: float) -> str:
    largest = largest_told_from(size, level, bound)
    if largest is None:
        return "No error, not even 0, would have been told from guessing."
    return f"Errors up to {percent(largest)} would have been told from guessing."


def largest_told_from(n: float, level: float, bound: float) -> float | None:
    """Return the largest error whose exact interval lies below a bound; None if there is none.

    Examples
    --------
    >>> round(largest_told_from(100, 0.95, 0.5), 3), largest_told_from(5, 0.95, 0.4)
    (0.39, None)
    """
    low, high = -1, math.floor(n)
    while low < high:
        middle = (low + high + 1) // 2
        if clopper_pearson(middle, n, level).high < bound:
            low = middle
        else:
            high = middle - 1
    return None if low < 0 else low / n
