"""R008: the model itself warned while it was fitted."""

from __future__ import annotations

import re

from referee.checks.check import Check
from referee.checks.context import Context
from referee.core.results import Finding, Severity

__all__ = ["FIT_WARNINGS", "check"]

_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)*(?:[eE][-+]?\d+)?")
"""Warnings that differ in numbers only are one."""

_LONGEST = 300


def check(context: Context) -> Finding | None:
    """Report what the model warned of, and in how many fits."""
    if not context.warned or context.plan is None:
        return None
    kinds: dict[str, list[str]] = {}
    for message in context.warned.elements():
        kinds.setdefault(_NUMBER.sub("#", message), []).append(message)
    alike = max(kinds.values(), key=len)
    times, text = min(len(alike), context.plan.fits), " ".join(alike[0].split())
    text = text if len(text) <= _LONGEST else text[:_LONGEST].rstrip() + " …"
    others = len(kinds) - 1
    more = ", with other numbers elsewhere" if len(set(alike)) > 1 else ""
    more += f" ({others} other warning{'s' if others > 1 else ''})" if others else ""
    return FIT_WARNINGS.finding(
        f"in {times} of {context.plan.fits} fits: {text}{more}",
    )


FIT_WARNINGS = Check(
    "R008",
    title="the model warned",
    compute=check,
    cause="The model raised warnings while it was fitted.",
    remedy="Heed it, or its numbers describe a model that was not trained as intended.",
    severities=(Severity.WARNING,),
    needs_data=True,
)
