"""From what a test gives, a contrast or evidence alone, to a pair."""

from __future__ import annotations

import math
from dataclasses import replace

from referee.comparing.comparison import Pair
from referee.comparing.question import Question
from referee.core.results import Estimate, Evidence, Interval
from referee.significance.contrast import Contrast
from referee.significance.paired.equivalence import equivalence_of, non_inferiority_of

__all__ = ["difference_of", "directed", "mirrored", "pair_of_contrast", "pair_of_evidence"]

_POWER = 0.8


def pair_of_contrast(names: tuple[str, str], contrast: Contrast, question: Question) -> Pair:
    """Return the pair; the contrast is of losses, something to keep small.

    The difference is shown in the measure's own direction.
    """
    if abs(contrast.value) <= 1e-12:
        contrast = replace(contrast, value=0.0)  # sums of folds that cancel but for rounding
    flat = contrast.value != 0 and (contrast.se == 0 or math.isinf(contrast.se))
    precise = 0 < contrast.se < math.inf
    detectable = contrast.detectable(question.strictest, _POWER) if precise else None
    needed = None
    if detectable is not None and contrast.value != 0:
        needed = contrast.n * (detectable / contrast.value) ** 2
    if detectable is not None and detectable > question.widest:
        detectable = None
    return Pair(
        first=names[0],
        second=names[1],
        difference=difference_of(
            question,
            question.sign * contrast.shown,
            _within(mirrored(contrast.interval(question.level), question.sign), question.widest)
            if contrast.se > 0
            else None,
            contrast.n,
            contrast.assumptions,
            reason="" if contrast.se > 0 else "nothing varied, so no interval can be made",
        ),
        evidence=directed(contrast.evidence(), question),
        equivalence=_against_rope(contrast, question),
        detectable=detectable,
        rows_needed=needed,
        reservation=(
            "the difference is everywhere the same, so nothing tells how much it varies"
            if flat
            else ""
        ),
    )


def pair_of_evidence(
    names: tuple[str, str],
    evidence: Evidence,
    question: Question,
    *,
    value: float,
    n: int,
    instead: str,
) -> Pair:
    """Return the pair of a test without an interval; `value` is the difference of the losses."""
    why = f"the {evidence.test} test has no interval; see {instead}"
    return Pair(
        first=names[0],
        second=names[1],
        difference=difference_of(question, question.sign * value, None, n, reason=why),
        evidence=replace(evidence, n=n),
    )


def difference_of(
    question: Question,
    value: float,
    interval: Interval | None,
    n: int,
    assumptions: tuple[str, ...] = (),
    reason: str = "",
) -> Estimate:
    """Return the difference, first minus second, as an estimate of the question's measure."""
    return Estimate(
        name=question.measure.name,
        value=value + 0.0,  # no negative zero
        n=n,
        method="first minus second",
        interval=interval,
        reason=reason,
        greater_is_better=question.measure.greater_is_better,
        assumptions=assumptions,
    )


def directed(evidence: Evidence, question: Question) -> Evidence:
    """Return the test of losses with its statistic in the measure's own direction."""
    return replace(evidence, statistic=question.sign * evidence.statistic + 0.0)


def mirrored(interval: Interval, sign: int) -> Interval:
    """Return the interval of the difference times `sign`."""
    if sign > 0:
        return interval
    return replace(interval, low=-interval.high + 0.0, high=-interval.low + 0.0)


def _within(interval: Interval, widest: float) -> Interval:
    """Return the interval without differences that no two models can have."""
    return replace(interval, low=max(-widest, interval.low), high=min(widest, interval.high))


def _against_rope(contrast: Contrast, question: Question) -> Evidence | None:
    if question.rope == 0:
        return None
    if question.claim == "non-inferior":
        return non_inferiority_of(contrast, question.rope)
    return equivalence_of(contrast, question.rope)
