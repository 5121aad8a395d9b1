"""R008: the model itself warned while it was fitted."""

from __future__ import annotations

from referee.checks.context import Context
from referee.core.results import Finding, Severity

__all__ = ["check"]

CODE = "R008"
_LONGEST = 160


def check(context: Context) -> Finding | None:
    """Report what the model warned of, and in how many fits."""
    if not context.warned or context.plan is None:
        return None
    message, times = context.warned.most_common(1)[0]
    text = " ".join(message.split())
    text = text if len(text) <= _LONGEST else text[:_LONGEST].rstrip() + " …"
    others = len(context.warned) - 1
    more = f" ({others} other warning{'s' if others > 1 else ''})" if others else ""
    return Finding(
        code=CODE,
        severity=Severity.WARNING,
        title="the model warned",
        message=f"in {times} of {context.plan.fits} fits: {text}{more}",
        remedy="Heed it, or its numbers describe a model that was not trained as intended.",
    )
