"""R006: too few tested cases to say much."""

from __future__ import annotations

from referee.checks.check import Check
from referee.checks.context import Context
from referee.core.numbers import level_text, percent
from referee.core.results import Finding, Severity
from referee.errors import arg
from referee.intervals.one_set.proportion import clopper_pearson
from referee.intervals.reach import Reach

__all__ = ["SMALL_TEST", "check"]

_TINY, _SMALL = 30, 100


def check(context: Context) -> Finding | None:
    """Report a test set so small that even a perfect score would prove little."""
    if context.predictions is None:
        return None
    n = len(context.predictions.unseen.cases)
    if not 0 < n < _SMALL:
        return None
    reach = Reach(context.interval or clopper_pearson(0, n), n)
    if not reach.known:
        return None
    best = reach.at(0.0)
    return SMALL_TEST.finding(
        severity=Severity.WARNING if n < _TINY else Severity.NOTE,
        message=(
            f"only {n} cases were tested; even without a single error the "
            f"{level_text(best.level)} interval would reach up to {percent(best.high)}."
        ),
        remedy=(
            "Test on more cases."
            if context.plan is None or context.plan.scheme in ("cv", "loo", "bootstrap")
            else f"Test on more cases, or use {arg('by', 'cv')} so that every case is tested."
        ),
    )


SMALL_TEST = Check(
    "R006",
    title="few test cases",
    compute=check,
    cause="Fewer than 100 cases were tested; a warning below 30.",
    remedy="Test on more cases.",
    severities=(Severity.NOTE, Severity.WARNING),
)
