"""R045: two models that share no item."""

from __future__ import annotations

from referee.core.results import Finding, Severity
from referee.core.scores import Scores

__all__ = ["check"]

CODE = "R045"


def check(scores: Scores) -> Finding | None:
    """Report two models that can be compared as two samples only."""
    if len(scores.models) != 2 or scores.shared(*scores.models).size:
        return None
    first, second = scores.models
    return Finding(
        code=CODE,
        severity=Severity.WARNING,
        title="no item in common",
        message=(
            f"{first} and {second} share no item, so they are compared as two samples, which takes "
            "many more items than pairing them."
        ),
        remedy="Give the same items the same names, or score both models on the same items.",
    )
