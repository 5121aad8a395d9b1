"""R011: the model gives one answer for all cases."""

from __future__ import annotations

import numpy as np

from referee.checks.check import Check
from referee.checks.context import Context
from referee.core.results import Finding, Severity

__all__ = ["ONE_ANSWER", "check"]


def check(context: Context) -> Finding | None:
    """Report predictions that are all the same."""
    p = context.predictions
    if p is None or not len(p.unseen.case):
        return None
    unseen = p.unseen
    plain = p.numeric or p.label_sets is not None
    columns = None if plain else np.flatnonzero(unseen.cell_counts.sum(axis=0))
    answers = np.unique(unseen.predicted) if columns is None else columns
    if len(answers) > 1:
        return None
    answer = f"{answers[0]:g}" if p.numeric else repr(p.classes[int(answers[0])])
    return ONE_ANSWER.finding(f"every tested case was answered {answer}.")


ONE_ANSWER = Check(
    "R011",
    title="one answer for all",
    compute=check,
    cause="Every tested case was answered with the same class, or the same quantity.",
    remedy="The model has learned nothing here; look at its features, weights and threshold.",
    severities=(Severity.WARNING,),
    spares_baselines=True,
)
