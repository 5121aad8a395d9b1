"""Can these cases show the claim at all, even by the best candidate there could be?"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from referee.core.showing.numbers import percent, size_text
from referee.errors import InputError, arg
from referee.gating.question import GateQuestion
from referee.gating.rare_losses import CaseLosses
from referee.measures.formulas.paired_counts import PairedCounts
from referee.significance.paired.equivalence import equivalence, non_inferiority
from referee.significance.paired.mcnemar import smallest_p

__all__ = ["best_p", "least_p", "refuse_too_few", "refuse_too_few_scores"]

_MOST = 1_000_000


def best_p(n: int, baseline_errors: int, question: GateQuestion) -> float:
    """Return the smallest p-value a candidate could reach.

    The best one errs nowhere; for equivalence, exactly where the baseline does.

    Examples
    --------
    >>> round(best_p(298, 0, GateQuestion(margin=0.01)), 4)
    0.05
    >>> round(best_p(5, 5, GateQuestion(margin=0.01)), 4)
    0.0297
    """
    if question.claim == "better":
        return smallest_p(baseline_errors)
    if question.claim == "equivalent":
        return equivalence(PairedCounts(n, 0, 0, 0), question.rope).p_value
    counts = PairedCounts(n - baseline_errors, baseline_errors, 0, 0)
    return non_inferiority(counts, question.rope).p_value


def refuse_too_few(counts: PairedCounts, question: GateQuestion, which: str = "") -> None:
    """Refuse cases that could not show the claim whatever the candidate answers.

    `which` says which they are, where a rate of one class takes those of it alone.
    """
    n, errors = int(counts.n), int(counts.first_right + counts.both_wrong)
    if not _worth_asking(n, errors, question) or best_p(n, errors, question) <= question.alpha:
        return
    needed = _needed(errors / n, question)
    remedy = "take a baseline that errs, or another claim"
    if needed is not None:
        remedy = f"about {needed} cases{which} are needed at the least"
    given = f"{n} case{'s' if n != 1 else ''}{which}"
    if question.claim == "better":
        raise InputError(
            f"the baseline errs on {errors} of {given}, too few for any candidate to be "
            f"shown better; {remedy}, or {arg('claim', 'non-inferior')}",
            concerning="claim",
        )
    claim = _claim(question, percent(question.rope))
    raise InputError(
        f"{given} can never show {claim}, even by a candidate that makes no mistake of its own; "
        f"{remedy}, and more to show it with some certainty (referee sample-size --non-inferior "
        f"{question.rope:g}), or a wider {arg('margin')}"
        if question.claim == "non-inferior"
        else f"{given} can never show {claim}, even by a candidate that gives the same answers; "
        f"{remedy}, or a wider {arg('margin')}"
    )


def least_p(n: int, gain: float, bound: float, question: GateQuestion) -> float:
    """Return a p-value below which no candidate comes whose scores gain that much on average.

    It is that of the same gain on every item: below one half, any spread makes it larger.

    Examples
    --------
    >>> round(least_p(20, 0.1, 1.0, GateQuestion(margin=0.02)), 3)
    0.246
    """
    losses = CaseLosses(values=np.full(n, -gain), bound=bound)
    return losses.p_shown(question)


def refuse_too_few_scores(
    n: int, gain: float, bound: float, question: GateQuestion, *, shares: bool
) -> None:
    """Refuse items that could not show the claim if the candidate had the best score on each.

    `gain` is how much better than the baseline it would be then, on average.
    """
    gain = 0.0 if question.claim == "equivalent" else gain

    def shows(items: int) -> bool:
        return least_p(items, gain, bound, question) <= question.alpha

    if shows(n):
        return
    needed = _fewest(shows)
    claim = "that the candidate is better"
    if question.claim != "better":
        claim = _claim(question, size_text(question.rope, percent=shares))
    best = "the best score on each"
    if question.claim == "equivalent":
        best = "the same scores"
    remedy = "take a baseline that can be improved on, or another claim"
    if needed is not None:
        remedy = f"about {needed} are needed at the least"
        remedy += "" if question.claim == "better" else f", or a wider {arg('margin')}"
    raise InputError(f"{n} items can never show {claim}, even by a candidate with {best}; {remedy}")


def _claim(question: GateQuestion, within: str) -> str:
    if question.claim == "equivalent":
        return f"that both models are alike within {within}"
    return f"that the candidate is not worse by more than {within}"


def _worth_asking(n: int, errors: int, question: GateQuestion) -> bool:
    """Tell whether it is in doubt: computing the best p-value takes a while at many cases."""
    if question.claim == "better":
        return True
    # Alike on all cases: p is about (1 - margin)^n.
    return n * -math.log1p(-question.rope) < 1.3 * -math.log(question.alpha)


def _needed(share: float, question: GateQuestion) -> int | None:
    """Return the fewest cases that could show the claim, where the baseline errs as often."""
    return _fewest(lambda n: best_p(n, round(share * n), question) <= question.alpha)


def _fewest(shows: Callable[[int], bool]) -> int | None:
    """Return the fewest cases that could show a claim; None where no number does."""
    high = 1
    while not shows(high):
        high *= 2
        if high > _MOST:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if shows(middle) else (middle, high)
    return high
