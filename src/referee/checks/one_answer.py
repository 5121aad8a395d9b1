"""R011: the model gives one answer for all cases."""

from __future__ import annotations

import numpy as np

from referee.checks.check import Check
from referee.checks.context import Context
from referee.core.results import Finding, Severity

__all__ = ["ONE_ANSWER", "check"]


def check(context: Context) -> Finding | None:
    """Report predictions that are all of one class."""
    p = context.predictions
    if p is None or not len(p.unseen.case):
        return None
    answers = np.unique(p.unseen.predicted)
    if len(answers) > 1:
        return None
    return ONE_ANSWER.finding(
        f"every tested case was answered {p.classes[int(answers[0])]!r}.",
    )


ONE_ANSWER = Check(
    "R011",
    title="one answer for all",
    compute=check,
    cause="Every tested case was answered with the same class.",
    remedy="The model has learned nothing here; look at its features, weights and threshold.",
    severities=(Severity.WARNING,),
    spares_baselines=True,
)
