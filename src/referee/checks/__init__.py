"""What should be known before a number is used; one file per finding, each with a stable code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from referee.checks import (
    empty_columns,
    fit_warnings,
    groups,
    interpolation,
    leak,
    near_copies,
    no_better,
    one_answer,
    order,
    overlap,
    reversed_scores,
    small_class,
    small_test,
    training_error,
    weak_interval,
)
from referee.checks.context import Context
from referee.core.results import Finding, Severity
from referee.errors import InputError, nearest

__all__ = ["CATALOGUE", "NEED_DATA", "Context", "check_all", "in_order"]

_MODULES = (
    training_error,
    overlap,
    groups,
    order,
    small_class,
    small_test,
    interpolation,
    fit_warnings,
    empty_columns,
    weak_interval,
    one_answer,
    reversed_scores,
    leak,
    no_better,
    near_copies,
)

CATALOGUE: dict[str, Callable[[Context], Finding | None]] = {m.CODE: m.check for m in _MODULES}
"""Code -> check."""

NEED_DATA = frozenset(
    m.CODE
    for m in (overlap, groups, order, small_class, fit_warnings, empty_columns, leak, near_copies)
)
"""Codes of what only the data, or the fits, can show; predictions and plan show the others."""

_WEIGHT = {Severity.SERIOUS: 0, Severity.WARNING: 1, Severity.NOTE: 2}


def check_all(context: Context, dismissed: Sequence[str] = ()) -> tuple[Finding, ...]:
    """Run every check; the most serious findings come first.

    Findings whose codes are dismissed stay in the list, as notes that say so.
    """
    unknown = next((code for code in dismissed if code not in CATALOGUE), None)
    if unknown is not None:
        raise InputError(f"finding {unknown!r} is unknown{nearest(unknown, CATALOGUE)}")
    found = [f for check in CATALOGUE.values() if (f := check(context)) is not None]
    found = [
        replace(f, severity=Severity.NOTE, title=f"{f.title} (dismissed)")
        if f.code in dismissed
        else f
        for f in found
    ]
    return in_order(found)


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings with the most serious first."""
    return tuple(sorted(findings, key=lambda f: (_WEIGHT[f.severity], f.code)))
