"""R052: the answers of the models were marked by different judges."""

from __future__ import annotations

from referee.checks.scores.score_check import ScoreCheck
from referee.core.results import Finding, Severity
from referee.core.scores.scores import Scores

__all__ = ["DIFFERENT_JUDGES", "check"]


def check(scores: Scores) -> Finding | None:
    """Report two logs of one task whose answers different models marked."""
    judges: dict[str, dict[tuple[str, ...], str]] = {}
    for log in scores.logs:
        judges.setdefault(log.task, {}).setdefault(log.judge, log.name)
    for task, named in judges.items():
        if len(named) > 1:
            (first, one), (second, other) = list(named.items())[:2]
            return DIFFERENT_JUDGES.finding(
                message=(
                    f"on task {task} the answers of {one} were marked by {_who(first)}, those of "
                    f"{other} by {_who(second)}; a strict judge looks like a weak model."
                ),
            )
    return None


def _who(judge: tuple[str, ...]) -> str:
    return " and ".join(judge) if judge else "no model"


DIFFERENT_JUDGES = ScoreCheck(
    "R052",
    title="different judges",
    compute=check,
    cause="The answers of two logs of one task were marked by different models.",
    remedy="Have one judge mark the answers of both, or pass marks by people (human=).",
    severities=(Severity.SERIOUS,),
)
