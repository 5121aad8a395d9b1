"""Equivalence and non-inferiority: are two models as good as the same, for a stated margin?

The difference is error(first) - error(second), lower is better. Non-inferiority of the first model
to a margin m is shown by rejecting "difference >= m"; equivalence within a rope r by rejecting both
"difference >= r" and "difference <= -r" (two one-sided tests, TOST), so its p is the larger one.

For paired 0/1 losses the outcomes are ordered by Tango's score against the shifted null.
The normal law of that score is not enough: by complete enumeration its one-sided size at .05 over
margins .01 to .2 reaches .071 (n = 30), .058 (n = 100), .053 (n = 1000) and .052 (n = 5000). So p
is the largest chance of so low a score over every law on the margin, which keeps the size at or
below the level for all n; above 20 000 cases the normal law serves (.0508 there).

References
----------
Schuirmann (1987), J. Pharmacokinetics and Biopharmaceutics 15. Tango (1998), Statistics in Medicine
17. Liu, Hsueh, Hsieh and Chen (2002), Statistics in Medicine 21. Hsueh, Liu and Chen (2001),
Biometrics 57.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import scipy
from scipy import special

from referee.core.arrays import Codes, Floats
from referee.core.results import Evidence
from referee.errors import InputError
from referee.intervals.difference.paired import tango_score
from referee.measures.formulas.paired_counts import PairedCounts
from referee.significance.contrast import Contrast
from referee.significance.unpaired.supremum import log_ways, peak

__all__ = [
    "equivalence",
    "equivalence_of",
    "largest_chance",
    "non_inferiority",
    "non_inferiority_of",
]

LARGEST_EXACT = 20_000
"""With more cases than this the score form is used: by then it is right, and exact is slow."""

ASSUMPTIONS = (
    "the cases are independent draws from one population",
    "both models, and the margin, were fixed before the cases were seen",
)


def non_inferiority(counts: PairedCounts, margin: float) -> Evidence:
    """Test that the first model errs at most `margin` more often than the second.

    Parameters
    ----------
    counts : PairedCounts
        Whole counts give the exact unconditional test up to 20 000 cases. Fractions, as from
        ``counts.scaled(n_effective)`` for grouped cases, and more cases give the score form.
    margin : float
        The largest difference that does not matter, above 0.

    Examples
    --------
    >>> counts = PairedCounts(870, 30, 32, 68)
    >>> e = non_inferiority(counts, 0.03)
    >>> e.test, round(e.p_value, 4)
    ('non-inferiority-exact', 0.0005)
    """
    _check(margin, "margin")
    return _evidence("non-inferiority", counts, margin, *_one_sided(counts, margin))


def equivalence(counts: PairedCounts, rope: float) -> Evidence:
    """Test that the errors of both models differ by less than `rope`, whichever is better.

    Parameters
    ----------
    counts : PairedCounts
        As in :func:`non_inferiority`.
    rope : float
        The region of practical equivalence is from -rope to rope; above 0.

    Examples
    --------
    >>> counts = PairedCounts(870, 30, 32, 68)
    >>> round(equivalence(counts, 0.03).p_value, 4)
    0.0005
    >>> equivalence(counts.swapped, 0.03).p_value == equivalence(counts, 0.03).p_value
    True
    """
    _check(rope, "rope")
    below, above = _one_sided(counts, rope), _one_sided(counts.swapped, rope)
    # The weaker side speaks; where both p are the same, the one whose score is nearer the null.
    if (below[1], below[0]) >= (above[1], above[0]):
        return _evidence("equivalence", counts, rope, *below)
    return _evidence("equivalence", counts, rope, -above[0], above[1])


def non_inferiority_of(contrast: Contrast, margin: float) -> Evidence:
    """Test difference < margin with the t or z that a contrast carries.

    Examples
    --------
    >>> c = Contrast(value=0.0, se=0.01, df=math.inf, test="z", null="equal", n=400)
    >>> round(non_inferiority_of(c, 0.02).p_value, 4)
    0.0228
    """
    _check(margin, "margin", math.inf)
    evidence = contrast.evidence(margin, "less")
    return _of_contrast("non-inferiority", contrast, evidence, margin)


def equivalence_of(contrast: Contrast, rope: float) -> Evidence:
    """Test -rope < difference < rope by two one-sided tests with a contrast's t or z.

    Examples
    --------
    >>> c = Contrast(value=0.005, se=0.01, df=math.inf, test="z", null="equal", n=400)
    >>> round(equivalence_of(c, 0.02).p_value, 4)
    0.0668
    """
    _check(rope, "rope", math.inf)
    sides = contrast.evidence(rope, "less"), contrast.evidence(-rope, "greater")
    evidence = max(sides, key=lambda side: side.p_value)
    return _of_contrast("equivalence", contrast, evidence, rope)


def _one_sided(counts: PairedCounts, margin: float) -> tuple[float, float]:
    """Return z and p of difference >= margin against difference < margin."""
    z = float(tango_score(counts.first_right, counts.second_right, counts.n, margin))
    if not _exact(counts):
        return z, float(scipy.stats.norm.cdf(z))
    n = int(counts.n)
    return z, largest_chance(_by_score(z, n, margin), n, margin)


def _exact(counts: PairedCounts) -> bool:
    cells = (counts.both_right, counts.first_right, counts.second_right, counts.both_wrong)
    return counts.n <= LARGEST_EXACT and all(float(cell).is_integer() for cell in cells)


def _by_score(z: float, n: int, margin: float) -> Callable[[Codes, float], Floats]:
    """Return P(score <= z | b): for each b the region holds every c up to a bound."""
    stairs = _staircase(z, n, margin)

    def tail(b: Codes, given: float) -> Floats:
        bound = stairs[b]
        return np.where(bound < 0, 0.0, special.bdtr(np.maximum(bound, 0), n - b, given))

    return tail


def largest_chance(tail: Callable[[Codes, float], Floats], n: int, margin: float) -> float:
    """Return the supremum of a region's chance over every law whose difference is the margin.

    `tail` is its probability given each b, and the share of c among the n - b others: the chance is
    a sum over b of a binomial term times such a tail.
    """
    ways = log_ways(n)
    reach = (1 - margin) / 2  # the share of b, when that of c is margin more

    def chance(share: float) -> float:
        spread = 9 * math.sqrt(n * share * (1 - share)) + 40  # less than 1e-15 lies outside
        b = np.arange(max(0, int(n * share - spread)), min(n, int(n * share + spread) + 1) + 1)
        weight = np.exp(ways[b] + special.xlogy(b, share) + special.xlog1py(n - b, -share))
        return float(weight @ tail(b, min(1.0, (share + margin) / (1 - share))))

    def chances(angles: Floats) -> Floats:
        return np.array([chance(share) for share in reach * np.sin(angles) ** 2])

    steps = max(128, math.ceil(2 * math.pi * math.sqrt(n)))
    return min(1.0, peak(chances, 0.0, math.pi / 2, steps))


def _staircase(z: float, n: int, margin: float) -> Codes:
    """Return for each b the largest c whose score is at most z, or -1; the score grows with c."""
    b = np.arange(n + 1)
    left, right = np.full(n + 1, -1), n - b
    limit = z + 1e-9 * max(1.0, abs(z)) if math.isfinite(z) else z
    while np.any(left < right):
        middle = (left + right + 1) // 2
        inside = tango_score(b, middle, n, margin) <= limit
        left, right = np.where(inside, middle, left), np.where(inside, right, middle - 1)
    return left


def _check(value: float, name: str, largest: float = 1.0) -> None:
    if not 0 < value < largest:
        below = " and below 1" if largest == 1 else ""
        raise InputError(
            f"{name} must be above 0{below}, got {value}; it is the difference in error that "
            "would not matter, for example 0.01",
            concerning=name,
        )


def _null(test: str, margin: float) -> str:
    if test == "equivalence":
        return f"the errors of the models differ by {margin:g} or more on new cases"
    return f"the first model errs more often than the second by {margin:g} or more on new cases"


def _evidence(test: str, counts: PairedCounts, margin: float, z: float, p: float) -> Evidence:
    exact = _exact(counts)
    return Evidence(
        test=f"{test}-{'exact' if exact else 'score'}",
        statistic=z,
        p_value=p,
        null=_null(test, margin),
        n=int(counts.n),
        alternative="two-sided" if test == "equivalence" else "less",
        assumptions=ASSUMPTIONS if exact else (*ASSUMPTIONS, "enough cases for a normal law"),
    )


def _of_contrast(test: str, contrast: Contrast, evidence: Evidence, margin: float) -> Evidence:
    flag = contrast.flag
    p = evidence.p_value
    if contrast.se == 0:
        # Nothing varied, so nothing tells how far the difference may be from what was seen.
        p, flag = 1.0, "; ".join(f for f in ("nothing varied, so nothing is shown", flag) if f)
    return replace(
        evidence,
        test=f"{test}-{contrast.test}",
        p_value=p,
        null=_null(test, margin),
        alternative="two-sided" if test == "equivalence" else "less",
        flag=flag,
    )
