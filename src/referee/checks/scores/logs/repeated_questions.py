"""R050: the same question stands in a log under several names."""

from __future__ import annotations

from collections import defaultdict

from referee.checks.scores.score_check import ScoreCheck
from referee.core.results import Finding, Severity
from referee.core.scores.scores import Scores

__all__ = ["REPEATED_QUESTIONS", "check"]

_MANY = 0.05


def check(scores: Scores) -> Finding | None:
    """Report questions that say the same, by their hashes, and count as several items."""
    worst: tuple[int, int, str] | None = None
    for log in scores.logs:
        if log.item_hash is None:
            continue
        names: dict[str, dict[str, None]] = defaultdict(dict)
        for name, question in zip(log.item.tolist(), log.item_hash.tolist(), strict=True):
            if question is not None:
                names[question][name] = None
        copies = [list(same) for same in names.values() if len(same) > 1]
        extra = sum(len(same) - 1 for same in copies)
        if copies and (worst is None or extra > worst[0]):
            shown = " = ".join(repr(name) for name in copies[0][:3])
            worst = (extra, len(set(log.item.tolist())), f"{log.path}: {shown}")
    if worst is None:
        return None
    extra, n, example = worst
    return REPEATED_QUESTIONS.finding(
        severity=Severity.WARNING if extra > _MANY * n else Severity.NOTE,
        message=(
            f"{extra} of {n} questions say the same as another one ({example}); answers to copies "
            "go together, so there is less evidence than the number of items suggests."
        ),
    )


REPEATED_QUESTIONS = ScoreCheck(
    "R050",
    title="the same question more than once",
    compute=check,
    cause="Questions of one log say the same, by their hashes; a warning above 5 %.",
    remedy="Remove the copies, or keep them together with cluster='question'.",
    severities=(Severity.NOTE, Severity.WARNING),
)
