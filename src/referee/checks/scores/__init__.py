"""What should be known before a mean score is used; one file per finding, each with its code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.checks import CHECKS, in_order
from referee.checks.scores.at_a_limit import AT_A_LIMIT
from referee.checks.scores.few_clusters import FEW_CLUSTERS
from referee.checks.scores.logs.different_judges import DIFFERENT_JUDGES
from referee.checks.scores.logs.different_prompts import DIFFERENT_PROMPTS
from referee.checks.scores.logs.different_scores import DIFFERENT_SCORES
from referee.checks.scores.logs.reduced_runs import REDUCED_RUNS
from referee.checks.scores.logs.remarks import REMARKS
from referee.checks.scores.logs.repeated_questions import REPEATED_QUESTIONS
from referee.checks.scores.logs.unscored import UNSCORED
from referee.checks.scores.nothing_shared import NOTHING_SHARED
from referee.checks.scores.picked_marks import PICKED_MARKS
from referee.checks.scores.score_check import ScoreCheck
from referee.checks.scores.unequal_runs import UNEQUAL_RUNS
from referee.checks.scores.unshared import UNSHARED
from referee.core.method import Catalogue, load_offers, share_names
from referee.core.results import Finding, Severity
from referee.core.scores.scores import Scores

__all__ = ["SCORE_CHECKS", "ScoreCheck", "check_scores"]

SCORE_CHECKS = Catalogue(
    ScoreCheck,
    "finding",
    "dismiss",
    (
        FEW_CLUSTERS,
        UNSHARED,
        AT_A_LIMIT,
        UNEQUAL_RUNS,
        PICKED_MARKS,
        NOTHING_SHARED,
        REPEATED_QUESTIONS,
        DIFFERENT_PROMPTS,
        DIFFERENT_JUDGES,
        REDUCED_RUNS,
        UNSCORED,
        DIFFERENT_SCORES,
        REMARKS,
    ),
)
"""Code -> check of scores, and of the logs they were read from."""


def check_scores(scores: Scores, dismissed: Sequence[str] = ()) -> tuple[Finding, ...]:
    """Run every check; the most serious findings come first, dismissed ones are notes."""
    for code in dismissed:
        SCORE_CHECKS.named(code)
    findings = [f for c in SCORE_CHECKS.values() if (f := c.compute(scores)) is not None]
    return in_order(
        replace(f, severity=Severity.NOTE, title=f"{f.title} (dismissed)")
        if f.code in dismissed
        else f
        for f in findings
    )


share_names(CHECKS, SCORE_CHECKS)
load_offers(SCORE_CHECKS)
