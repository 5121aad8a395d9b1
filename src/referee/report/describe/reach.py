"""What a number of cases can detect, as blocks of a page."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.results import Estimate
from referee.core.showing.numbers import level_text, percent, spans
from referee.intervals.reach import Reach
from referee.report.document import Bar, Bars, Block, Paragraph

__all__ = ["reach_of_evaluation"]

_ERRORS = (0.0, 0.01, 0.05, 0.1, 0.2, 0.5)


def reach_of_evaluation(error: Estimate, guessing: Estimate) -> tuple[Block, ...]:
    """Return what errors the cases could have told apart, and how exactly."""
    seen, n = error.interval, error.n
    if seen is None:
        why = error.reason or "no interval is known for the error here"
        return (Paragraph(f"That cannot be said: {why}."),)
    reach = Reach(seen, n)
    if not reach.known:
        why = f"an interval by {seen.method} depends on more than the number of cases"
        return (Paragraph(f"That cannot be said: {why}."),)
    size = reach.size
    worth = f" (worth {size:.0f} independent cases)" if size < n - 0.5 else ""
    level = level_text(seen.level)
    sentences = [
        f"Without a single error, {n} cases{worth} would show an error of at most "
        f"{percent(reach.at(0.0).high)} ({level} interval). An interval half as wide takes about "
        "four times as many cases."
    ]
    if guessing.interval is not None:
        sentences.append(_against_guessing(reach, guessing.interval.low))
    errors = [e for e in _ERRORS if e <= 0.2 or size < 1000]
    bars = _bars(errors, reach)
    caption = (
        f"{level} intervals of {size:.0f} independent cases, by the same method, had the error "
        "been as named"
    )
    return (Paragraph(" ".join(sentences)), Bars(bars, caption))


def _bars(errors: Sequence[float], reach: Reach) -> tuple[Bar, ...]:
    ends = [(i.low, i.high) for i in map(reach.at, errors)]
    rows = zip(errors, ends, spans(ends), strict=True)
    return tuple(Bar(f"error {100 * e:g} %", e, low, high, text) for e, (low, high), text in rows)


def _against_guessing(reach: Reach, bound: float) -> str:
    largest = reach.largest_below(bound)
    if largest is None:
        return "No error, not even 0, would have been told from guessing."
    return f"Errors up to {percent(largest)} would have been told from guessing."
