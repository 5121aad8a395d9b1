"""R042: nearly all items have the lowest, or the highest, score there is."""

from __future__ import annotations

import numpy as np

from referee.checks.scores.score_check import ScoreCheck
from referee.core.results import Finding, Severity
from referee.core.scores.scores import Scores

__all__ = ["AT_A_LIMIT", "check"]

_NEARLY = 0.95
_ENOUGH = 20


def check(scores: Scores) -> Finding | None:
    """Report models of which 95 % of the items lie at a limit."""
    if not scores.bounded or scores.n_items < _ENOUGH:
        return None
    means = scores.means
    limits = []
    for column, name in enumerate(scores.models):
        values = means[:, column][~np.isnan(means[:, column])]
        for limit, word in ((scores.low, "lowest"), (scores.high, "highest")):
            share = float(np.mean(values == limit)) if values.size else 0.0
            if share >= _NEARLY:
                limits.append(f"{name} has the {word} score on {100 * share:.0f} % of its items")
    if not limits:
        return None
    more = f" and {len(limits) - 3} more models" if len(limits) > 3 else ""
    return AT_A_LIMIT.finding(
        message=f"{'; '.join(limits[:3])}{more}; such items can hardly tell models apart.",
    )


AT_A_LIMIT = ScoreCheck(
    "R042",
    title="scores at floor or ceiling",
    compute=check,
    cause="At least 95 % of a model's items have the lowest, or the highest, score there is.",
    remedy="Take harder (or easier) items, or check that answers are marked as they should be.",
    severities=(Severity.NOTE,),
)
