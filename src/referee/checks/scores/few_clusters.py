"""R040: so few clusters that little is known about how alike their items are."""

from __future__ import annotations

import numpy as np

from referee.checks.scores.score_check import ScoreCheck
from referee.core.results import Finding, Severity
from referee.core.scores.scores import Scores

__all__ = ["FEW_CLUSTERS", "check"]

_FEW, _TINY = 10, 5


def check(scores: Scores) -> Finding | None:
    """Report clusters that are worth fewer than ten of equal size."""
    if scores.cluster is None:
        return None
    sizes = np.bincount(scores.cluster).astype(float)
    sizes = sizes[sizes > 0]
    worth = float(sizes.sum() ** 2 / np.sum(sizes**2))
    if worth >= _FEW:
        return None
    largest = float(sizes.max() / sizes.sum())
    return FEW_CLUSTERS.finding(
        severity=Severity.WARNING if worth < _TINY else Severity.NOTE,
        message=(
            f"{scores.n_items} items lie in {len(sizes)} clusters, the largest with "
            f"{100 * largest:.0f} % of them, worth {worth:.1f} of equal size; intervals are wide "
            "for that, and approximate."
        ),
    )


FEW_CLUSTERS = ScoreCheck(
    "R040",
    title="few clusters",
    compute=check,
    cause="Clusters are worth fewer than ten of equal size; a warning below five.",
    remedy="Score items of more clusters; more items of the same clusters help little.",
    severities=(Severity.NOTE, Severity.WARNING),
)
