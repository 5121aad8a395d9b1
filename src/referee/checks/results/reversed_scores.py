"""R012: scores that rank the wrong way round."""

from __future__ import annotations

from referee.checks.check import Check
from referee.checks.context import Context
from referee.core.results import Finding, Severity
from referee.errors import named

__all__ = ["REVERSED_SCORES", "check"]


def check(context: Context) -> Finding | None:
    """Report an area under the ROC curve whose whole interval lies below chance."""
    i = context.auc
    if i is None or i.high >= 0.5:
        return None
    return REVERSED_SCORES.finding(
        (
            f"positives have lower scores than negatives (area under ROC at most {i.high:.3f}); "
            "these may be the scores of another class."
        ),
    )


REVERSED_SCORES = Check(
    "R012",
    title="scores rank the wrong way round",
    compute=check,
    cause=(
        "The whole interval of the area under the ROC curve lies below .5: positives have the"
        " lower scores."
    ),
    remedy=lambda: (
        f"Pass the score of the positive class, or name the other class as {named('pos_label')}."
    ),
    severities=(Severity.WARNING,),
)
