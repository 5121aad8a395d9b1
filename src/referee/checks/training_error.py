"""R001: the training error is not a result (E1)."""

from __future__ import annotations

from referee.checks.context import Context
from referee.core.numbers import percent
from referee.core.results import Finding, Severity

__all__ = ["check"]

CODE = "R001"


def check(context: Context) -> Finding | None:
    """Report that every prediction was made for a case the model had been trained on."""
    p = context.predictions
    if p is None or len(p.unseen.case):
        return None
    trained = float(p.resubstitution.wrong.mean())
    return Finding(
        code=CODE,
        severity=Severity.SERIOUS,
        title="training error only",
        message=(
            f"the model was tested on the rows it was trained on; its training error of "
            f"{percent(trained)} tells (almost) nothing about new cases."
        ),
        remedy="Use by='auto', or keep rows aside.",
    )
