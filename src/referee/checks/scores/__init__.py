"""What should be known before a mean score is used; one file per finding, each with its code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from referee.checks.logs import CATALOGUE as OF_LOGS
from referee.checks.scores import (
    at_a_limit,
    few_clusters,
    nothing_shared,
    picked_marks,
    unequal_runs,
    unshared,
)
from referee.core.results import Finding, Severity
from referee.core.scores import Scores
from referee.errors import InputError, nearest

__all__ = ["CATALOGUE", "check_scores"]

_MODULES = (few_clusters, unshared, at_a_limit, unequal_runs, picked_marks, nothing_shared)

CATALOGUE: dict[str, Callable[[Scores], Finding | None]] = {
    **{m.CODE: m.check for m in _MODULES},
    **OF_LOGS,
}
"""Code -> check of scores, and of the logs they were read from."""

_WEIGHT = {Severity.SERIOUS: 0, Severity.WARNING: 1, Severity.NOTE: 2}


def check_scores(scores: Scores, dismissed: Sequence[str] = ()) -> tuple[Finding, ...]:
    """Run every check; the most serious findings come first, dismissed ones are notes."""
    unknown = next((code for code in dismissed if code not in CATALOGUE), None)
    if unknown is not None:
        raise InputError(f"finding {unknown!r} is unknown{nearest(unknown, CATALOGUE)}")
    found = [f for check in CATALOGUE.values() if (f := check(scores)) is not None]
    told = [
        replace(f, severity=Severity.NOTE, title=f"{f.title} (dismissed)")
        if f.code in dismissed
        else f
        for f in found
    ]
    return tuple(sorted(told, key=lambda f: (_WEIGHT[f.severity], f.code)))
