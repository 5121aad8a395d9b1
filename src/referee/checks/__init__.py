"""What should be known before a number is used; one file per finding, each with a stable code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from referee.checks.catalogue import CHECKS
from referee.checks.check import Check
from referee.checks.context import Context
from referee.core.method import load_offers
from referee.core.results import Finding, Severity

__all__ = ["CHECKS", "Check", "Context", "check_all", "in_order", "needs_data"]

_WEIGHT = {Severity.SERIOUS: 0, Severity.WARNING: 1, Severity.NOTE: 2}


def check_all(context: Context, dismissed: Sequence[str] = ()) -> tuple[Finding, ...]:
    """Run every check; the most serious findings come first.

    Findings whose codes are dismissed stay in the list, as notes that say so.
    """
    for code in dismissed:
        CHECKS.named(code)
    findings = [f for check in CHECKS.values() if (f := check.compute(context)) is not None]
    return in_order(
        replace(f, severity=Severity.NOTE, title=f"{f.title} (dismissed)")
        if f.code in dismissed
        else f
        for f in findings
    )


def needs_data(finding: Finding) -> bool:
    """Tell whether only the data, or the fits, could show a finding."""
    return finding.code in CHECKS and CHECKS[finding.code].needs_data


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings with the most serious first."""
    return tuple(sorted(findings, key=lambda f: (_WEIGHT[f.severity], f.code)))


load_offers(CHECKS)
