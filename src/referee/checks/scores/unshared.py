"""R041: items that not every model was scored on."""

from __future__ import annotations

import numpy as np

from referee.checks.scores.score_check import ScoreCheck
from referee.core.results import Finding, Severity
from referee.core.scores.scores import Scores

__all__ = ["UNSHARED", "check"]

_MANY = 0.05


def check(scores: Scores) -> Finding | None:
    """Report items that some models lack; pairs of models are compared without them."""
    if len(scores.models) < 2 or not np.any(np.sum(scores.counts > 0, axis=1) > 1):
        return None  # one model, or nothing shared at all, which R045 tells
    lacking = scores.counts == 0
    gaps = np.flatnonzero(lacking.any(axis=1))
    if not gaps.size:
        return None
    share = gaps.size / scores.n_items
    first = int(gaps[0])
    who = scores.models[int(np.flatnonzero(lacking[first])[0])]
    return UNSHARED.finding(
        severity=Severity.WARNING if share > _MANY else Severity.NOTE,
        message=(
            f"{gaps.size} of {scores.n_items} items ({100 * share:.1f} %) were not scored for "
            f"every model, as {scores.items[first]!r} for {who}; two models are compared on the "
            "items both have. If answers failed, leaving them out flatters."
        ),
        rows=tuple(int(g) for g in gaps[:5]),
    )


UNSHARED = ScoreCheck(
    "R041",
    title="items that not all models have",
    compute=check,
    cause="Some items were not scored for every model; a warning above 5 %.",
    remedy="Score them, a failed answer with the lowest score, or leave them out on purpose.",
    severities=(Severity.NOTE, Severity.WARNING),
)
