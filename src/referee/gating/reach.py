"""Can these cases show the claim at all, even by the best candidate there could be?"""

from __future__ import annotations

import math

from referee.core.showing.numbers import percent
from referee.errors import InputError, arg
from referee.gating.question import GateQuestion
from referee.measures.formulas.paired_counts import PairedCounts
from referee.significance.paired.equivalence import equivalence, non_inferiority
from referee.significance.paired.mcnemar import smallest_p

__all__ = ["best_p", "refuse_too_few"]

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


def refuse_too_few(counts: PairedCounts, question: GateQuestion) -> None:
    """Refuse cases that could not show the claim whatever the candidate answers."""
    n, errors = int(counts.n), int(counts.first_right + counts.both_wrong)
    if not _worth_asking(n, errors, question) or best_p(n, errors, question) <= question.alpha:
        return
    needed = _needed(errors / n, question)
    remedy = "take a baseline that errs, or another claim"
    if needed is not None:
        remedy = f"about {needed} cases are needed at the least"
    if question.claim == "better":
        raise InputError(
            f"the baseline errs on {errors} of {n} cases, too few for any candidate to be shown "
            f"better; {remedy}, or {arg('claim', 'non-inferior')}"
        )
    raise InputError(
        f"{n} cases can never show {_claim(question)}, even by a candidate that makes no mistake "
        f"of its own; {remedy}, and more to show it with some certainty (referee sample-size "
        f"--non-inferior {question.rope:g}), or a wider {arg('margin')}"
        if question.claim == "non-inferior"
        else f"{n} cases can never show {_claim(question)}, even by a candidate that gives the "
        f"same answers; {remedy}, or a wider {arg('margin')}"
    )


def _claim(question: GateQuestion) -> str:
    within = percent(question.rope)
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

    def shows(n: int) -> bool:
        return best_p(n, round(share * n), question) <= question.alpha

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
