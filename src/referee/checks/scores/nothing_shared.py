"""R045: two models that share no item."""

from __future__ import annotations

from referee.checks.scores.score_check import ScoreCheck
from referee.core.results import Finding, Severity
from referee.core.scores.scores import Scores

__all__ = ["NOTHING_SHARED", "check"]


def check(scores: Scores) -> Finding | None:
    """Report two models that can be compared as two samples only."""
    if len(scores.models) != 2 or scores.shared(*scores.models).size:
        return None
    first, second = scores.models
    return NOTHING_SHARED.finding(
        message=(
            f"{first} and {second} share no item, so they are compared as two samples, which takes "
            "many more items than pairing them."
        ),
    )


NOTHING_SHARED = ScoreCheck(
    "R045",
    title="no item in common",
    compute=check,
    cause="Two models share no item, so that they are compared as two samples.",
    remedy="Give the same items the same names, or score both models on the same items.",
    severities=(Severity.WARNING,),
)
