"""R053: several answers became one score before they were logged."""

from __future__ import annotations

from referee.checks.scores.score_check import ScoreCheck
from referee.core.results import Finding, Severity
from referee.core.scores.scores import Scores

__all__ = ["REDUCED_RUNS", "check"]


def check(scores: Scores) -> Finding | None:
    """Report epochs or repeats of which only a summary is in the log."""
    reduced = [log for log in scores.logs if log.reduced]
    if not reduced:
        return None
    log = reduced[0]
    more = f" (and {len(reduced) - 1} more logs)" if len(reduced) > 1 else ""
    mean = log.reduced.endswith("mean")
    return REDUCED_RUNS.finding(
        severity=Severity.NOTE if mean else Severity.WARNING,
        message=(
            f"{log.reduced} ({log.path}){more}; how much the answers of one model scatter, pass@k "
            "and the worth of more runs cannot be told"
            + ("." if mean else ", and the score is not that of a single answer.")
        ),
    )


REDUCED_RUNS = ScoreCheck(
    "R053",
    title="runs were reduced before they were logged",
    compute=check,
    cause="Several answers became one score before they were logged; a note for their mean.",
    remedy="Log every answer: epochs as samples (Inspect), one run per log elsewhere.",
    severities=(Severity.WARNING, Severity.NOTE),
)
