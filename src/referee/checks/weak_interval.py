"""R010: an interval that is known to fall short of its level."""

from __future__ import annotations

from referee.checks.context import Context
from referee.core.results import Finding, Severity

__all__ = ["check"]

CODE = "R010"


def check(context: Context) -> Finding | None:
    """Report the flag of the error's interval."""
    i = context.interval
    if i is None or not i.flag:
        return None
    return Finding(
        code=CODE,
        severity=Severity.WARNING,
        title="weak interval",
        message=f"{i.method}: {i.flag}.",
        remedy="" if "by=" in i.flag else "Use interval='auto'.",
    )
