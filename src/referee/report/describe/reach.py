"""What a number of cases could have shown: for an error, and for a difference."""

from __future__ import annotations

import math

from referee.core.numbers import level_text, percent, span
from referee.core.results import Estimate, Interval
from referee.intervals.best_case import had_the_error_been
from referee.report.document import Bar, Bars, Block, Paragraph

__all__ = ["largest_told_from", "reach_of_evaluation"]

_ERRORS = (0.0, 0.01, 0.05, 0.1, 0.2, 0.5)


def reach_of_evaluation(error: Estimate, guessing: Estimate) -> tuple[Block, ...]:
    """Return what errors the cases could have told apart, and how exactly."""
    seen, n = error.interval, error.n
    if seen is None:
        why = error.reason or "no interval is known for the error here"
        return (Paragraph(f"That cannot be said: {why}."),)
    best = had_the_error_been(0.0, seen, n)
    if best is None:
        why = f"an interval by {seen.method} depends on more than the number of cases"
        return (Paragraph(f"That cannot be said: {why}."),)
    size = min(float(n), seen.n_effective or n)
    worth = f" (worth {size:.0f} independent ones)" if size < n - 0.5 else ""
    level = level_text(seen.level)
    told = [
        f"Without a single error, {n} cases{worth} would show an error of at most "
        f"{percent(best.high)} ({level} interval). An interval half as wide takes about four times "
        "as many cases."
    ]
    if guessing.interval is not None:
        told.append(_told_from_guessing(seen, n, guessing.interval.low))
    bars = tuple(_bar(e, seen, n) for e in _ERRORS if e <= 0.2 or size < 1000)
    caption = (
        f"{level} intervals of {size:.0f} independent cases, by the same method, had the error "
        "been as named"
    )
    return (Paragraph(" ".join(told)), Bars(bars, caption))


def _bar(error: float, seen: Interval, n: int) -> Bar:
    i = had_the_error_been(error, seen, n)
    assert i is not None
    return Bar(f"error {percent(error)}", error, i.low, i.high, span(i.low, i.high))


def _told_from_guessing(seen: Interval, n: int, bound: float) -> str:
    largest = largest_told_from(seen, n, bound)
    if largest is None:
        return "No error, not even 0, would have been told from guessing."
    return f"Errors up to {percent(largest)} would have been told from guessing."


def largest_told_from(seen: Interval, n: int, bound: float) -> float | None:
    """Return the largest error whose interval lies below a bound; None if there is none.

    Examples
    --------
    >>> from referee.intervals.one_set.proportion import clopper_pearson
    >>> round(largest_told_from(clopper_pearson(20, 100), 100, 0.5), 3)
    0.39
    >>> largest_told_from(clopper_pearson(1, 5), 5, 0.4) is None
    True
    """
    size = min(float(n), seen.n_effective or n)
    low, high = -1, math.floor(size)
    while low < high:
        middle = (low + high + 1) // 2
        made = had_the_error_been(middle / size, seen, n)
        if made is not None and made.high < bound:
            low = middle
        else:
            high = middle - 1
    return None if low < 0 else low / size
