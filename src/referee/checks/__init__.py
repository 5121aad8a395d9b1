"""What should be known before a number is used; one file per finding, each with a stable code."""

from __future__ import annotations

from collections.abc import Callable

from referee.checks import (
    empty_columns,
    fit_warnings,
    groups,
    interpolation,
    one_answer,
    order,
    overlap,
    small_class,
    small_test,
    training_error,
    weak_interval,
)
from referee.checks.context import Context
from referee.core.results import Finding, Severity

__all__ = ["CATALOGUE", "Context", "check_all"]

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
)

CATALOGUE: dict[str, Callable[[Context], Finding | None]] = {m.CODE: m.check for m in _MODULES}
"""Code -> check."""

_WEIGHT = {Severity.SERIOUS: 0, Severity.WARNING: 1, Severity.NOTE: 2}


def check_all(context: Context) -> tuple[Finding, ...]:
    """Run every check; the most serious findings come first."""
    found = [f for check in CATALOGUE.values() if (f := check(context)) is not None]
    return tuple(sorted(found, key=lambda f: (_WEIGHT[f.severity], f.code)))
