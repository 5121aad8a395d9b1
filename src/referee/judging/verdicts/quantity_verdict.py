"""The sentence on predicted quantities: how far off, how sure, better than one for all or not."""

from __future__ import annotations

from referee.core.results import Estimate, Interval, Outcome, Verdict
from referee.core.showing.numbers import level_text, quantities
from referee.measures import Measure

__all__ = ["judge_quantities"]


def judge_quantities(
    name: str,
    error: Estimate,
    guessing: Estimate,
    measure: Measure,
    *,
    how: str,
    guess: str,
    max_error: float | None = None,
) -> Verdict:
    """Return the verdict on the claim that the error is at most `max_error`, or below guessing.

    Without `max_error` the claim is that the model beats the one prediction that fits all cases
    best; it counts as shown when the two intervals do not overlap, which is a strict rule.
    """
    if not error.defined or error.interval is None or error.interval.width == 0:
        return Verdict(
            outcome=Outcome.UNDECIDED,
            sentence=f"No verdict on {name}: {error.reason or 'no interval could be made'}.",
        )
    i = error.interval
    value, low, high = quantities(i.width, error.value, i.low, i.high)
    says = getattr(measure, "says", "") or f"has a {measure.title} of {{}}"
    start = (
        f"{name} {says.format(value)} ({level_text(i.level)} interval {low} to {high}; {how}, "
        f"n = {error.n})"
    )
    if max_error is not None:
        return _against_bound(start, i, max_error)
    if measure.greater_is_better is None:
        return Verdict(
            outcome=Outcome.UNDECIDED,
            sentence=f"{start}: whether greater is better was not said, so nothing is judged.",
        )
    return _against_guessing(start, error, guessing, measure, guess)


def _against_bound(start: str, interval: Interval, bound: float) -> Verdict:
    if interval.high <= bound:
        return Verdict(outcome=Outcome.PASS, sentence=f"{start}: at most {bound:g}, as claimed.")
    if interval.low > bound:
        return Verdict(outcome=Outcome.FAIL, sentence=f"{start}: more than the {bound:g} claimed.")
    return Verdict(
        outcome=Outcome.UNDECIDED, sentence=f"{start}: not shown to be at most {bound:g}."
    )


def _against_guessing(
    start: str, error: Estimate, guessing: Estimate, measure: Measure, guess: str
) -> Verdict:
    i, g = error.interval, guessing.interval
    assert i is not None
    known = not guessing.defined or g is None
    if known:
        text = f"{start}: nothing to compare it with ({guessing.reason})."
        return Verdict(outcome=Outcome.UNDECIDED, sentence=text)
    assert g is not None
    width = g.width or i.width
    value, low, high = quantities(width, guessing.value, g.low, g.high)
    has = getattr(measure, "guess_says", "has {}").format(value)
    rival = f"always predicting {guess}, which {has}"
    better, worse = i.high < g.low, i.low > g.high
    if measure.greater_is_better:
        better, worse = i.low > g.high, i.high < g.low
    if better:
        return Verdict(outcome=Outcome.PASS, sentence=f"{start}: better than {rival}.")
    if worse:
        return Verdict(outcome=Outcome.FAIL, sentence=f"{start}: worse than {rival}.")
    between = f" ({low} to {high})" if g.width else ""
    return Verdict(
        outcome=Outcome.UNDECIDED,
        sentence=f"{start}: not shown to be better than {rival}{between}.",
    )
