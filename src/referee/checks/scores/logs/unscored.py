"""R054: answers without a score: they failed, were cancelled or could not be marked."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from referee.checks.scores.score_check import ScoreCheck
from referee.core.results import Finding, Severity
from referee.core.scores.scores import Scores
from referee.errors import arg

__all__ = ["UNSCORED", "check"]

_MANY = 0.05
_KINDS = ("error", "cancelled", "not asked", "not scored", "not finished")


def check(scores: Scores) -> Finding | None:
    """Report logs with answers that have no score, and what they would do to the mean."""
    lacking = [log for log in scores.logs if not log.scored.all()]
    if not lacking:
        return None
    worst = max(lacking, key=lambda log: float(np.mean(~log.scored)))
    share = float(np.mean(~worst.scored))
    counted = _counted(scores, worst)
    more = f" (and {len(lacking) - 1} more logs)" if len(lacking) > 1 else ""
    message = (
        f"{int(np.sum(~worst.scored))} of {worst.n} answers of {worst.name} have no score: "
        f"{_reasons(worst)} ({worst.places(np.flatnonzero(~worst.scored).tolist(), 3)}){more}; "
    )
    if counted:
        return UNSCORED.finding(
            severity=Severity.NOTE,
            message=message + "they count with the worst score.",
            remedy="Run them again if the model was not to blame.",
        )
    return UNSCORED.finding(
        severity=Severity.SERIOUS if share > _MANY else Severity.WARNING,
        message=message + _effect(scores, worst),
    )


def _counted(scores: Scores, log: Any) -> bool:
    """Return whether the answers without a score are among the scores all the same."""
    there = int(np.sum(scores.model == scores.position(log.name)))
    return bool(there >= sum(other.n for other in scores.logs if other.name == log.name))


def _reasons(log: Any) -> str:
    """Count the kinds of problems, and quote the commonest one in full."""
    kinds = Counter(
        next((kind for kind in _KINDS if text.startswith(kind)), text)
        for text in log.problem[~log.scored].tolist()
    )
    text = Counter(log.problem[~log.scored].tolist()).most_common(1)[0][0]
    counts = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    return counts if text in kinds else f"{counts}, as {text!r}"


def _effect(scores: Scores, log: Any) -> str:
    """Say what the mean would be if they counted with the worst score."""
    if not scores.bounded:
        return "they were left out."
    bad = scores.low if scores.greater_is_better else scores.high
    left = float(np.mean(log.score[log.scored]))
    all_in = float(np.mean(np.where(log.scored, log.score, bad)))
    return (
        f"they were left out. Counted with the worst score they would take the mean of the answers "
        f"from {left:.3g} to {all_in:.3g}."
    )


UNSCORED = ScoreCheck(
    "R054",
    title="answers without a score",
    compute=check,
    cause="Answers failed, were cancelled or could not be marked; serious above 5 %.",
    remedy=lambda: f"Run them again, or count them with {arg('missing', 'worst')}.",
    severities=(Severity.WARNING, Severity.SERIOUS, Severity.NOTE),
)
