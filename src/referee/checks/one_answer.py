"""R011: the model gives one answer for all cases."""

from __future__ import annotations

import numpy as np

from referee.checks.context import Context
from referee.core.results import Finding, Severity

__all__ = ["check"]

CODE = "R011"


def check(context: Context) -> Finding | None:
    """Report predictions that are all of one class."""
    p = context.predictions
    if p is None or not len(p.unseen.case):
        return None
    answers = np.unique(p.unseen.predicted)
    if len(answers) > 1:
        return None
    return Finding(
        code=CODE,
        severity=Severity.WARNING,
        title="one answer for all",
        message=f"every tested case was answered {p.classes[int(answers[0])]!r}.",
        remedy="The model has learned nothing here; look at its features, weights and threshold.",
    )
