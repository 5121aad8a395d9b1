"""R055: models are compared by scores of different names."""

from __future__ import annotations

from referee.checks.scores.score_check import ScoreCheck
from referee.core.results import Finding, Severity
from referee.core.scores.scores import Scores
from referee.errors import arg

__all__ = ["DIFFERENT_SCORES", "check"]


def check(scores: Scores) -> Finding | None:
    """Report two logs of one task that were scored by differently named scores."""
    metrics: dict[str, dict[str, str]] = {}
    for log in scores.logs:
        metrics.setdefault(log.task, {}).setdefault(log.metric, log.name)
    for task, named in metrics.items():
        if len(named) > 1:
            (first, one), (second, other) = list(named.items())[:2]
            return DIFFERENT_SCORES.finding(
                message=(
                    f"on task {task} {one} has the score {first!r} and {other} the score "
                    f"{second!r}; they may not measure the same."
                ),
            )
    return None


DIFFERENT_SCORES = ScoreCheck(
    "R055",
    title="different scores",
    compute=check,
    cause="On one task two logs have scores of different names.",
    remedy=lambda: f"Score both logs alike and choose that score with {arg('score')}.",
    severities=(Severity.SERIOUS,),
)
