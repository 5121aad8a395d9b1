"""R044: people seem to have marked items that are not a random draw."""

from __future__ import annotations

import numpy as np
from scipy import stats

from referee.core.results import Finding, Severity
from referee.core.score_numbers import Writing
from referee.core.scores import Scores

__all__ = ["check"]

CODE = "R044"
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
    if np.ptp(one) == 0 and np.ptp(two) == 0:
        return None
    p = float(stats.ttest_ind(one, two, equal_var=False).pvalue)
    if not p < _SURE:
        return None
    write = Writing(scores.percent, float(np.ptp(scores.score)))
    return Finding(
        code=CODE,
        severity=Severity.WARNING,
        title="marked items are no random draw",
        message=(
            f"the judge gives {write.value(float(one.mean()))} on average to answers that people "
            f"marked and {write.value(float(two.mean()))} to the others (p = {p:.1g}); putting the "
            "judge right holds only where the marked answers are a random draw from all."
        ),
        remedy="Draw answers at random and have those marked.",
    )
