"""CHECKS: every check by its code. A new one is an object in its file and one line here."""

from __future__ import annotations

from referee.checks.check import Check
from referee.checks.empty_columns import EMPTY_COLUMNS
from referee.checks.fit_warnings import FIT_WARNINGS
from referee.checks.groups import GROUPS
from referee.checks.interpolation import INTERPOLATION
from referee.checks.leak import LEAK
from referee.checks.near_copies import NEAR_COPIES
from referee.checks.no_better import NO_BETTER
from referee.checks.one_answer import ONE_ANSWER
from referee.checks.order import ORDER
from referee.checks.overlap import OVERLAP
from referee.checks.reversed_scores import REVERSED_SCORES
from referee.checks.small_class import SMALL_CLASS
from referee.checks.small_test import SMALL_TEST
from referee.checks.training_error import TRAINING_ERROR
from referee.checks.weak_interval import WEAK_INTERVAL
from referee.core.method import Catalogue

__all__ = ["CHECKS"]

CHECKS: Catalogue[Check] = Catalogue(
    Check,
    "finding",
    "dismiss",
    (
        TRAINING_ERROR,
        OVERLAP,
        GROUPS,
        ORDER,
        SMALL_CLASS,
        SMALL_TEST,
        INTERPOLATION,
        FIT_WARNINGS,
        EMPTY_COLUMNS,
        WEAK_INTERVAL,
        ONE_ANSWER,
        REVERSED_SCORES,
        LEAK,
        NO_BETTER,
        NEAR_COPIES,
    ),
)
"""In the order of their codes."""
