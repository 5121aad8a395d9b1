"""R007: an estimate that leans on the training error of a learner that has none."""

from __future__ import annotations

from referee.checks.check import Check
from referee.checks.context import Context
from referee.core.results import Finding, Severity
from referee.errors import arg

__all__ = ["INTERPOLATION", "check", "interpolates"]


def interpolates(training_error: float, unseen_error: float) -> bool:
    """Tell whether a learner's training error is below a tenth of its error on unseen cases.

    A few contradictory copies keep even a nearest-neighbour rule from a training error of 0.

    Examples
    --------
    >>> interpolates(0.0, 0.2), interpolates(0.0006, 0.0163), interpolates(0.1, 0.2)
    (True, True, False)
    """
    return training_error == 0 or training_error < 0.1 * unseen_error


def check(context: Context) -> Finding | None:
    """Report .632, .632+ or the optimism estimate asked of an interpolating learner."""
    p = context.predictions
    if p is None or not context.uses_training_error or not len(p.resubstitution.case):
        return None
    if not interpolates(float(p.resubstitution.wrong.mean()), float(p.unseen.wrong.mean())):
        return None
    return INTERPOLATION.finding(
        (
            "the learner (all but) reproduces its training set, so optimism, .632 and .632+ "
            "are far too low; they are refused and the out-of-bag error is reported instead."
        ),
    )


INTERPOLATION = Check(
    "R007",
    title="interpolating learner under .632",
    compute=check,
    cause=(
        "The training error is below a tenth of the error on unseen cases, so that optimism, "
        ".632 and .632+ are far too low."
    ),
    remedy=lambda: f"Read the out-of-bag error, or use {arg('by', 'cv')}.",
    severities=(Severity.WARNING,),
)
