"""R055: models are compared by scores of different names."""

from __future__ import annotations

from referee.core.results import Finding, Severity
from referee.core.scores import Scores

__all__ = ["check"]

CODE = "R055"


def check(scores: Scores) -> Finding | None:
    """Report two logs of one task that were scored by differently named scores."""
    metrics: dict[str, dict[str, str]] = {}
    for log in scores.logs:
        metrics.setdefault(log.task, {}).setdefault(log.metric, log.name)
    for task, named in metrics.items():
        if len(named) > 1:
            (first, one), (second, other) = list(named.items())[:2]
            return Finding(
                code=CODE,
                severity=Severity.SERIOUS,
                title="different scores",
                message=(
                    f"on task {task} {one} has the score {first!r} and {other} the score "
                    f"{second!r}; they may not measure the same."
                ),
                remedy="Score both logs alike and choose that score with score=.",
            )
    return None
