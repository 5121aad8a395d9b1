"""R010: an interval that is known to fall short of its level."""

from __future__ import annotations

from referee.checks.check import Check
from referee.checks.context import Context
from referee.core.results import Finding, Severity
from referee.errors import arg

__all__ = ["WEAK_INTERVAL", "check"]


def check(context: Context) -> Finding | None:
    """Report the flag of the error's interval."""
    i = context.interval
    if i is None or not i.flag:
        return None
    return WEAK_INTERVAL.finding(
        f"{i.method}: {i.flag}.",
        remedy="" if any(way in i.flag for way in (arg("by", "10x10"), "test over")) else None,
    )


WEAK_INTERVAL = Check(
    "R010",
    title="weak interval",
    compute=check,
    cause="The interval is known to fall short of its level here.",
    remedy=lambda: f"Use {arg('interval', 'auto')}.",
    severities=(Severity.WARNING,),
)
