"""R018: leave-one-out turns the majority against the case that is left out."""

from __future__ import annotations

import numpy as np

from referee.checks.check import Check
from referee.checks.context import Context
from referee.core.results import Finding, Severity
from referee.core.showing.numbers import percent
from referee.errors import arg

__all__ = ["MIRRORED_MAJORITY", "check"]

_NEARLY_ALL, _TOO_MUCH = 0.95, 0.2


def check(context: Context) -> Finding | None:
    """Report answers that follow the majority of the others, where each case shifts that."""
    p, plan = context.predictions, context.plan
    if p is None or plan is None or not plan.leaves_one_out or p.numeric or not len(p.unseen.case):
        return None
    unseen = p.unseen
    truth = unseen.truth[unseen.case]
    counts = np.bincount(p.truth, minlength=len(p.classes))
    # A case that is left out is missing among its own class, so a tie is broken against it.
    others = np.broadcast_to(counts, (len(truth), len(counts))).copy()
    others[np.arange(len(truth)), truth] -= 1
    follows = others[np.arange(len(truth)), unseen.predicted] == others.max(axis=1)
    error, guessing = float(np.mean(unseen.wrong)), 1 - float(counts.max() / counts.sum())
    if follows.mean() < _NEARLY_ALL or error - guessing < _TOO_MUCH:
        return None
    return MIRRORED_MAJORITY.finding(
        f"the answers follow the majority of the other cases, and leaving a case out turns that "
        f"against it: {percent(error)} wrong, where always giving one answer errs on "
        f"{percent(guessing)}.",
    )


MIRRORED_MAJORITY = Check(
    "R018",
    title="leave-one-out mirrors the majority",
    compute=check,
    cause="A model that answers with the majority errs on every case of a balanced table when it "
    "is left out: its class is then in the minority. The error of leave-one-out says nothing here.",
    remedy=lambda: f"Use stratified folds, {arg('by', '10x10')}.",
    severities=(Severity.SERIOUS,),
)
