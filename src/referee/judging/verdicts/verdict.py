"""The sentence: how good, how sure, and better than an answer given without looking or not."""

from __future__ import annotations

from referee.core.arrays import Label
from referee.core.results import Estimate, Outcome, Verdict
from referee.core.showing.numbers import level_text, percent, plain, span
from referee.intervals.reach import Reach

__all__ = ["judge", "judge_cost"]


def judge(
    name: str,
    error: Estimate,
    guessing: Estimate,
    *,
    how: str,
    guess: Label,
    max_error: float | None = None,
) -> Verdict:
    """Return the verdict on the claim that the error is at most `max_error`, or below guessing.

    Without `max_error` the claim is that the model beats always answering the commonest class; it
    counts as shown when the two intervals do not overlap, which is a strict rule.
    """
    if not error.defined or error.interval is None:
        return Verdict(
            outcome=Outcome.UNDECIDED,
            sentence=f"No verdict on {name}: {error.reason or 'no interval could be made'}.",
        )
    i = error.interval
    if i.width == 0:
        return Verdict(
            outcome=Outcome.UNDECIDED,
            sentence=f"No verdict on {name}: the interval of its error ({i.method}) has no width, "
            "which no sample can justify.",
        )
    start = (
        f"{name} errs on {percent(error.value)} of new cases "
        f"({level_text(i.level)} interval {span(i.low, i.high)}; {how}, n = {error.n})"
    )
    if max_error is not None:
        return _against_bound(start, error, max_error)
    return _against_guessing(start, error, guessing, guess)


def judge_cost(
    name: str, cost: Estimate, cheapest: Estimate, *, how: str, answer: Label
) -> Verdict:
    """Return the verdict on the claim that the model costs less than the best constant answer.

    As with errors, it counts as shown when the two intervals do not overlap.
    """
    if not cost.defined or cost.interval is None:
        why = cost.reason or "no interval could be made"
        sentence = f"No verdict on the cost of {name}: {why}."
        return Verdict(outcome=Outcome.UNDECIDED, sentence=sentence)
    i, rival = cost.interval, cheapest.interval
    assert rival is not None
    start = (
        f"{name} costs {plain(cost.value)} per case ({level_text(i.level)} interval "
        f"{plain(i.low)} to {plain(i.high)}; {how}, n = {cost.n})"
    )
    other = f"always answering {answer!r}, which costs {plain(cheapest.value)}"
    if i.high < rival.low:
        return Verdict(outcome=Outcome.PASS, sentence=f"{start}: less than {other}.")
    if i.low > rival.high:
        return Verdict(outcome=Outcome.FAIL, sentence=f"{start}: more than {other}.")
    between = f"{plain(rival.low)} to {plain(rival.high)}"
    text = f"{start}: not shown to be less than {other} ({between})."
    return Verdict(outcome=Outcome.UNDECIDED, sentence=text)


def _against_bound(start: str, error: Estimate, bound: float) -> Verdict:
    assert error.interval is not None
    if error.interval.high <= bound:
        return Verdict(
            outcome=Outcome.PASS, sentence=f"{start}: at most {percent(bound)}, as claimed."
        )
    if error.interval.low > bound:
        text = f"{start}: more than the {percent(bound)} claimed."
        return Verdict(outcome=Outcome.FAIL, sentence=text)
    text = f"{start}: not shown to be at most {percent(bound)}."
    return Verdict(outcome=Outcome.UNDECIDED, sentence=text)


def _against_guessing(start: str, error: Estimate, guessing: Estimate, guess: Label) -> Verdict:
    i, g = error.interval, guessing.interval
    assert i is not None
    assert g is not None
    rival = f"always answering {guess!r}, which errs on {percent(guessing.value)}"
    if i.high < g.low:
        return Verdict(outcome=Outcome.PASS, sentence=f"{start}: better than {rival}.")
    if i.low > g.high:
        return Verdict(outcome=Outcome.FAIL, sentence=f"{start}: worse than {rival}.")
    reach = _reach(Reach(i, error.n), g.low)
    text = f"{start}: not shown to be better than {rival} ({span(g.low, g.high)}){reach}."
    return Verdict(outcome=Outcome.UNDECIDED, sentence=text)


def _reach(reach: Reach, bound: float) -> str:
    """Say what error these cases would have told from guessing, where their number tells."""
    if not reach.known:
        return ""
    largest = reach.largest_below(bound)
    if largest is None:
        return f"; {reach.n} cases are too few to show it"
    return f"; with {reach.n} cases the error would have to be {percent(largest)} or less"
