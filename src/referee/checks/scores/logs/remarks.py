"""R056: what the logs say of themselves."""

from __future__ import annotations

from referee.checks.scores.score_check import ScoreCheck
from referee.core.results import Finding, Severity
from referee.core.scores.scores import Scores

__all__ = ["REMARKS", "check"]

_MOST = 4


def check(scores: Scores) -> Finding | None:
    """Repeat what the logs remark: unfinished runs, limits, subsets, ways of summing up."""
    notes = [f"{log.path}: {note}" for log in scores.logs for note in log.notes]
    if not notes:
        return None
    more = f"; and {len(notes) - _MOST} more" if len(notes) > _MOST else ""
    return REMARKS.finding(
        message="; ".join(notes[:_MOST]) + f"{more}.",
    )


REMARKS = ScoreCheck(
    "R056",
    title="what the logs say of themselves",
    compute=check,
    cause="The logs speak of unfinished runs, limits, subsets or other ways of summing up.",
    remedy="Check that this is the evaluation you mean.",
    severities=(Severity.NOTE,),
)
