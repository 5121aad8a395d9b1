"""CHECKS: every check by its code. A new one is an object in its file and one line here."""

from __future__ import annotations

from referee.checks.check import Check
from referee.checks.data.empty_columns import EMPTY_COLUMNS
from referee.checks.data.groups import GROUPS
from referee.checks.data.leak import LEAK
from referee.checks.data.near_copies import NEAR_COPIES
from referee.checks.data.order import ORDER
from referee.checks.data.overlap import OVERLAP
from referee.checks.data.repeated_ids import REPEATED_IDS
from referee.checks.data.small_class import SMALL_CLASS
from referee.checks.results.fit_warnings import FIT_WARNINGS
from referee.checks.results.interpolation import INTERPOLATION
from referee.checks.results.mirrored_majority import MIRRORED_MAJORITY
from referee.checks.results.no_better import NO_BETTER
from referee.checks.results.one_answer import ONE_ANSWER
from referee.checks.results.reversed_scores import REVERSED_SCORES
from referee.checks.results.serial_losses import SERIAL_LOSSES
from referee.checks.results.small_test import SMALL_TEST
from referee.checks.results.training_error import TRAINING_ERROR
from referee.checks.results.weak_interval import WEAK_INTERVAL
from referee.core.method import Catalogue, load_offers

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
        REPEATED_IDS,
        SERIAL_LOSSES,
        MIRRORED_MAJORITY,
    ),
)
"""In the order of their codes."""

load_offers(CHECKS)
