"""Inferiority: does a model err more often than another, by more than a margin?

The other side of non-inferiority (see `equivalence`): rejecting "difference <= margin" shows that
the first model is worse by more than what would not matter. Outcomes are ordered by Tango's score
against the margin, and p is the largest chance of so high a score over every law on the margin, so
the size is at most the level for all n; above 20 000 cases the normal law serves.

References
----------
Tango (1998), Statistics in Medicine 17. Hsueh, Liu and Chen (2001), Biometrics 57.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import scipy
from scipy import special

from referee.core.arrays import Codes, Floats
from referee.core.results import Evidence
from referee.errors import InputError
from referee.intervals.difference.paired import tango_score
from referee.measures.formulas.paired_counts import PairedCounts
from referee.significance.paired.equivalence import (
    ASSUMPTIONS,
    LARGEST_EXACT,
    largest_chance,
)

__all__ = ["inferiority"]


def inferiority(pairs: PairedCounts, margin: float) -> Evidence:
    """Test that the first model errs more often than the second by more than `margin`.

    Parameters
    ----------
    pairs : PairedCounts
        Whole counts; exact up to 20 000 cases, the score form above.
    margin : float
        The largest difference that does not matter, above 0.

    Examples
    --------
    >>> e = inferiority(PairedCounts(800, 10, 90, 100), 0.05)
    >>> e.test, round(e.p_value, 4)
    ('inferiority-exact', 0.0008)
    """
    if not 0 < margin < 1:
        raise InputError(
            "margin must be above 0 and below 1",
            concerning="margin",
            value=str(margin),
            remedy="for example 0.01",
        )
    n = int(pairs.n)
    z = float(tango_score(pairs.first_right, pairs.second_right, n, margin))
    exact = n <= LARGEST_EXACT
    p = (
        largest_chance(_by_score(z, n, margin), n, margin)
        if exact
        else float(scipy.stats.norm.sf(z))
    )
    return Evidence(
        test=f"inferiority-{'exact' if exact else 'score'}",
        statistic=z,
        p_value=p,
        null=f"the first model errs at most {margin:g} more often than the second on new cases",
        n=n,
        alternative="greater",
        assumptions=ASSUMPTIONS if exact else (*ASSUMPTIONS, "enough cases for a normal law"),
    )


def _by_score(z: float, n: int, margin: float) -> Callable[[Codes, float], Floats]:
    """Return P(score >= z | b): for each b the region holds every c from a bound on."""
    stairs = _staircase(z, n, margin)

    def tail(b: Codes, given: float) -> Floats:
        first = stairs[b]
        some = (first > 0) & (first <= n - b)
        chance = np.where(first == 0, 1.0, 0.0)
        chance[some] = special.bdtrc(first[some] - 1, n - b[some], given)
        return chance

    return tail


def _staircase(z: float, n: int, margin: float) -> Codes:
    """Return for each b the smallest c whose score is at least z, n - b + 1 for none."""
    b = np.arange(n + 1)
    left, right = np.zeros(n + 1, dtype=np.intp), n - b + 1
    limit = z - 1e-9 * max(1.0, abs(z)) if math.isfinite(z) else z
    while np.any(left < right):
        middle = (left + right) // 2
        inside = tango_score(b, np.minimum(middle, n - b), n, margin) >= limit
        left, right = np.where(inside, left, middle + 1), np.where(inside, middle, right)
    return left
