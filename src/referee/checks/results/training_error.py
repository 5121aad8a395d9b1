"""R001: the training error is not a result."""

from __future__ import annotations

from referee.checks.check import Check
from referee.checks.context import Context
from referee.core.results import Finding, Severity
from referee.core.showing.numbers import percent
from referee.errors import arg

__all__ = ["TRAINING_ERROR", "check"]


def check(context: Context) -> Finding | None:
    """Report that every prediction was made for a case the model had been trained on."""
    p = context.predictions
    if p is None or len(p.unseen.case):
        return None
    seen = p.resubstitution
    if p.numeric:
        trained = f"{float(abs(seen.residuals).mean()):.4g} (mean absolute)"
    else:
        trained = percent(float(seen.wrong.mean()))
    return TRAINING_ERROR.finding(
        (
            f"the model was tested on the rows it was trained on; its training error of "
            f"{trained} tells (almost) nothing about new cases."
        ),
    )


TRAINING_ERROR = Check(
    "R001",
    title="training error only",
    compute=check,
    cause=(
        "Every case was predicted by a model that had been trained on it. The training error "
        "tells (almost) nothing about new cases: a nearest-neighbour rule reaches 0 on any "
        "data without repeated features."
    ),
    remedy=lambda: f"Use {arg('by', 'auto')}, or keep rows aside.",
    severities=(Severity.SERIOUS,),
)
