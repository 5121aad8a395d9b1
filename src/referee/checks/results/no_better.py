"""R014: a compared model is no better than always giving the commonest answer."""

from __future__ import annotations

from referee.checks.check import Check
from referee.checks.context import Context
from referee.core.results import Finding, Severity
from referee.core.showing.numbers import percent

__all__ = ["NO_BETTER", "check"]


def check(context: Context) -> Finding | None:
    """Report an error that is not below that of guessing, where both are known."""
    if context.error is None or context.guessing is None:
        return None
    if not context.error >= context.guessing:
        return None
    return NO_BETTER.finding(
        (
            f"it errs on {percent(context.error)} of the cases, always giving the commonest answer "
            f"on {percent(context.guessing)}."
        ),
    )


NO_BETTER = Check(
    "R014",
    title="no better than guessing",
    compute=check,
    cause="A compared model errs at least as often as always giving the commonest answer.",
    remedy="The better of two such models is of no use either; mend it first.",
    severities=(Severity.WARNING,),
    spares_baselines=True,
    names_model=True,
)
