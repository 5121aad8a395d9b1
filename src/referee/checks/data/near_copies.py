"""R015: test cases that stand, nearly the same, in the training set."""

from __future__ import annotations

import numpy as np

from referee.checks.check import Check
from referee.checks.context import Context
from referee.checks.data.likeness import alike
from referee.checks.data.overlap import copies_by, row_identity
from referee.core.arrays import Flags
from referee.core.predictions import Predictions
from referee.core.results import Finding, Severity
from referee.core.showing.numbers import percent
from referee.errors import arg

__all__ = ["NEAR_COPIES", "check"]

_MANY = 0.05


def check(context: Context) -> Finding | None:
    """Report tested cases with a near-copy, but no exact one, among their training rows."""
    if context.data is None or context.plan is None:
        return None
    data, plan = context.data, context.plan
    codes = alike(data.X)
    identity = row_identity(data.X)
    if codes.max() == identity.max():  # as many kinds: codes are whole numbers without a gap
        return None
    tested, near = copies_by(codes, data, plan)
    near &= ~copies_by(identity, data, plan)[1]
    rows = np.flatnonzero(near)
    if not rows.size:
        return None
    share = rows.size / tested.sum()
    return NEAR_COPIES.finding(
        severity=Severity.WARNING if share >= _MANY else Severity.NOTE,
        message=(
            f"{rows.size} of {tested.sum()} tested cases ({percent(share)}) are nearly the same "
            f"as a row their model was trained on ({data.name_rows(rows)})"
            f"{_without(context.predictions, near)}."
        ),
        rows=tuple(int(r) for r in rows[:5]),
    )


def _without(predictions: Predictions | None, near: Flags) -> str:
    """Say what the error would be without these cases, where predictions are known."""
    if predictions is None or len(predictions.truth) != len(near):
        return ""
    unseen = predictions.unseen
    others = ~near[unseen.case]
    if not others.any() or not len(unseen.case):
        return ""
    if unseen.numeric:
        off = abs(unseen.residuals)
        return (
            f"; the mean absolute error is {off.mean():.4g} with them and {off[others].mean():.4g} "
            "without"
        )
    whole, rest = unseen.wrong.mean(), unseen.wrong[others].mean()
    return f"; the error is {percent(whole)} with them and {percent(rest)} without"


NEAR_COPIES = Check(
    "R015",
    title="near-copies of test cases in the training set",
    compute=check,
    cause=(
        "Tested cases are nearly the same, but not exactly, as a row their model was trained on; "
        "a warning from 5 % of them on."
    ),
    remedy=lambda: (
        f"Look at them: rows entered twice belong to one group (pass {arg('groups')}) or are "
        "dropped; different cases that merely look alike may stay."
    ),
    severities=(Severity.NOTE, Severity.WARNING),
    needs_data=True,
)
