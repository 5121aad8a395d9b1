"""R044: people seem to have marked items that are not a random draw."""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from referee.checks.scores.score_check import ScoreCheck
from referee.core.arrays import Floats
from referee.core.results import Finding, Severity
from referee.core.scores.score_numbers import Writing
from referee.core.scores.scores import Scores
from referee.core.showing.numbers import p_text

__all__ = ["PICKED_MARKS", "check"]

_SURE = 0.01
_FEWEST = 3


def check(scores: Scores) -> Finding | None:
    """Report marked items that the judge scores otherwise than the rest."""
    if scores.human is None:
        return None
    marked = ~np.isnan(scores.human)
    one, two = scores.score[marked], scores.score[~marked]
    if min(len(one), len(two)) < _FEWEST or np.ptp(scores.score) == 0:
        return None
    p = _welch(one, two)
    if not p < _SURE:
        return None
    write = Writing(scores.percent, float(np.ptp(scores.score)))
    return PICKED_MARKS.finding(
        message=(
            f"the judge gives {write.value(float(one.mean()))} on average to answers that people "
            f"marked and {write.value(float(two.mean()))} to the others ({p_text(p)}); putting the "
            "judge right holds only where the marked answers are a random draw from all."
        ),
    )


def _welch(one: Floats, two: Floats) -> float:
    """Return the p-value of equal means by Welch's test; 0 where they differ without varying."""
    parts = [float(np.var(x, ddof=1)) / len(x) for x in (one, two)]
    away = abs(float(one.mean() - two.mean()))
    if sum(parts) == 0:
        return 1.0 if away == 0 else 0.0
    df = sum(parts) ** 2 / sum(v**2 / (len(x) - 1) for v, x in zip(parts, (one, two), strict=True))
    return float(2 * special.stdtr(df, -away / math.sqrt(sum(parts))))


PICKED_MARKS = ScoreCheck(
    "R044",
    title="marked items are no random draw",
    compute=check,
    cause="The judge scores answers that people marked otherwise than the rest, p below .01.",
    remedy="Draw answers at random and have those marked.",
    severities=(Severity.WARNING,),
)
