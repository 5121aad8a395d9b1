"""R006: too few tested cases to say much."""

from __future__ import annotations

from referee.checks.check import Check
from referee.checks.context import Context
from referee.core.results import Finding, Interval, Severity
from referee.core.showing.numbers import level_text, percent
from referee.errors import arg
from referee.intervals.one_set.dependent.clustered import CLUSTERED
from referee.intervals.one_set.dependent.effective_n import worth_of_groups
from referee.intervals.one_set.proportion import clopper_pearson
from referee.intervals.reach import Reach

__all__ = ["SMALL_TEST", "check"]

_TINY, _SMALL = 30, 100


def check(context: Context) -> Finding | None:
    """Report a test set so small that even a perfect score would prove little."""
    if context.predictions is None:
        return None
    n = context.predictions.situation.n
    if not 0 < n < _SMALL:
        return None
    if context.predictions.numeric:
        return _few_quantities(context, n)
    best = _without_an_error(context, n)
    if best is None:
        return None
    return SMALL_TEST.finding(
        severity=Severity.WARNING if n < _TINY else Severity.NOTE,
        message=(
            f"only {n} cases were tested; even without a single error the "
            f"{level_text(best.level)} interval would reach up to {percent(best.high)}."
        ),
        remedy=(
            "Test on more cases."
            if context.plan is None or context.plan.tests_every_case
            else f"Test on more cases, or use {arg('by', 'cv')} so that every case is tested."
        ),
    )


def _few_quantities(context: Context, n: int) -> Finding:
    """Report that few cases hardly show how large rare errors are."""
    return SMALL_TEST.finding(
        severity=Severity.WARNING if n < _TINY else Severity.NOTE,
        message=f"only {n} cases were tested; rare large errors may not be among them.",
    )


def _without_an_error(context: Context, n: int) -> Interval | None:
    """Return the interval that these cases would have without an error, if that is known."""
    seen = context.interval or clopper_pearson(0, n)
    table = context.predictions
    if seen.method == CLUSTERED.name and table is not None and table.groups is not None:
        cases = table.unseen.cases
        weight = None if table.weight is None else table.weight[cases]
        return clopper_pearson(0, worth_of_groups(table.groups[cases], weight), seen.level)
    reach = Reach(seen, n)
    return reach.at(0.0) if reach.known else None


SMALL_TEST = Check(
    "R006",
    title="few test cases",
    compute=check,
    cause="Fewer than 100 cases were tested; a warning below 30.",
    remedy="Test on more cases.",
    severities=(Severity.NOTE, Severity.WARNING),
)
