"""What the tests of 5 x 2-fold cross-validation share.

References
----------
Dietterich (1998), Approximate statistical tests, Neural Computation 10. Alpaydin (1999), Combined
5 x 2 cv F test, Neural Computation 11.
"""

from __future__ import annotations

import numpy as np

from referee.core.arrays import Floats
from referee.errors import InputError, arg
from referee.significance.comparison_test import ComparisonSituation

__all__ = [
    "ASSUMPTIONS",
    "FLAG_SAME",
    "NULL",
    "checked_differences",
    "five_by_two_refusal",
    "variances",
]

NULL = "both learners err equally often when trained on samples of half this size"
ASSUMPTIONS = (
    "both learners went through the same 5 random halvings, each half tested by the other",
    "trained on half the cases, so it speaks about half as many",
)
FLAG_SAME = (
    "the two folds of every halving gave the same difference, so its variance cannot be told"
)


def variances(d: Floats) -> Floats:
    """Return the variance of each halving's two differences."""
    # (a - m)² + (b - m)² = (a - b)² / 2, and exactly 0 where a = b.
    return np.asarray((d[:, 0] - d[:, 1]) ** 2 / 2)


def checked_differences(differences: Floats) -> Floats:
    """Return finite differences of 5 halvings by 2 folds."""
    d = np.asarray(differences, dtype=float)
    if d.shape != (5, 2):
        raise InputError(
            f"must have shape (5, 2), 5 halvings by 2 folds, got {d.shape}; {arg('by', '5x2')} "
            "makes such splits",
            argument="differences",
        )
    if not np.all(np.isfinite(d)):
        raise InputError("must be finite; found nan or infinity", argument="differences")
    return d


def five_by_two_refusal(name: str, situation: ComparisonSituation) -> str | None:
    """Say why one of the tests may not be used: another plan, or a rope (no interval)."""
    if (situation.fits, situation.repetitions, situation.partition) != (10, 5, True):
        return f"the 5x2cv tests need 5 repetitions of 2 folds; use {arg('by', '5x2')}"
    if situation.rope > 0:
        return (
            f"{arg('significance', name)} has no interval to hold against a rope; use "
            f"{arg('significance', 'corrected-t')}"
        )
    return None
