"""R007: an estimate that leans on the training error of a learner that has none."""

from __future__ import annotations

from referee.checks.context import Context
from referee.core.results import Finding, Severity

__all__ = ["check"]

CODE = "R007"


def check(context: Context) -> Finding | None:
    """Report .632, .632+ or the optimism estimate asked of an interpolating learner."""
    p = context.predictions
    if p is None or not context.uses_training_error or not len(p.resubstitution.case):
        return None
    if p.resubstitution.wrong.any():
        return None
    return Finding(
        code=CODE,
        severity=Severity.SERIOUS,
        title="interpolating learner under .632",
        message=(
            "the learner reproduces its training set without error, so optimism, .632 and .632+ "
            "are far too low (by .14 to .18 in our simulations); they are refused and the "
            "out-of-bag error is reported instead."
        ),
        remedy="Read the out-of-bag error, or use by='cv'.",
    )
