"""5 × 2-fold cross-validation tests: Dietterich's t and Alpaydin's F.

References
----------
Dietterich (1998), Approximate statistical tests, Neural Computation 10. Alpaydin (1999), Combined
5 × 2 cv F test, Neural Computation 11.
"""

from __future__ import annotations

import math

import numpy as np
from scipy import stats

from referee.core.arrays import Floats
from referee.core.results import Evidence, Target
from referee.errors import InputError
from referee.significance.contrast import Contrast

__all__ = ["five_by_two_contrast", "five_by_two_f", "five_by_two_t"]

NULL = "both learners err equally often when trained on samples of half this size"
ASSUMPTIONS = (
    "both learners went through the same 5 random halvings, each half tested by the other",
    "trained on half the cases, so it speaks about half as many",
)
FLAG_T = (
    "rests on the difference of one fold of ten, so another order of the folds gives another p; "
    "of equal learners it declares 7 % different at the 5 % level, up to 13 % (simulated); use "
    "calibrated-t"
)
FLAG_F = (
    "of equal learners it declares 8 % different at the 5 % level, up to 16 % (simulated); use "
    "calibrated-t"
)
FLAG_SAME = (
    "the two folds of every halving gave the same difference, so its variance cannot be told"
)


def five_by_two_t(differences: Floats, *, n: int | None = None) -> Evidence:
    """Test whether two learners differ by Dietterich's t with 5 degrees of freedom, flagged.

    Examples
    --------
    >>> d = np.array([[0.02, 0.01], [0.03, -0.01], [0.0, 0.02], [0.01, 0.01], [0.02, 0.0]])
    >>> e = five_by_two_t(d)
    >>> round(e.statistic, 4), round(e.p_value, 4)
    (1.2649, 0.2617)
    """
    return five_by_two_contrast(differences, n=n).evidence()


def five_by_two_contrast(differences: Floats, *, n: int | None = None) -> Contrast:
    """Return the first fold's difference with the root mean of the 5 halvings' variances.

    Parameters
    ----------
    differences : array of shape (5, 2)
        Loss of the first learner minus loss of the second: a row for each halving, a column for
        each of its two folds.
    n : int, optional
        The number of cases, for the record; the 10 folds where it is not given.
    """
    d = _checked(differences)
    variance = float(np.mean(_variances(d)))
    flag = FLAG_T if variance > 0 or d[0, 0] == 0 else f"{FLAG_SAME}; {FLAG_T}"
    return Contrast(
        value=float(d[0, 0]),
        se=math.sqrt(variance),
        df=5,
        test="5x2cv-t",
        null=NULL,
        n=d.size if n is None else n,
        target=Target.EXPECTED,
        assumptions=ASSUMPTIONS,
        flag=flag,
    )


def five_by_two_f(differences: Floats, *, n: int | None = None) -> Evidence:
    """Test whether two learners differ by Alpaydin's F with 10 and 5 degrees of freedom, flagged.

    All ten differences count, and the order of the folds does not. Where nothing varied within
    halvings F is 0 and p is 1 if all differences are 0, infinite and 0 otherwise.

    Examples
    --------
    >>> d = np.array([[0.02, 0.01], [0.03, -0.01], [0.0, 0.02], [0.01, 0.01], [0.02, 0.0]])
    >>> e = five_by_two_f(d)
    >>> round(e.statistic, 4), round(e.p_value, 4)
    (1.0, 0.5349)
    """
    d = _checked(differences)
    above, below = float(np.sum(d**2)), 2 * float(np.sum(_variances(d)))
    statistic = above / below if below > 0 else (math.inf if above > 0 else 0.0)
    return Evidence(
        test="5x2cv-f",
        statistic=statistic,
        p_value=float(stats.f.sf(statistic, 10, 5)),
        null=NULL,
        n=d.size if n is None else n,
        target=Target.EXPECTED,
        assumptions=ASSUMPTIONS,
        df=5,
        flag=f"{FLAG_SAME}; {FLAG_F}" if math.isinf(statistic) else FLAG_F,
    )


def _variances(d: Floats) -> Floats:
    # (a - m)² + (b - m)² = (a - b)² / 2, and exactly 0 where a = b.
    return np.asarray((d[:, 0] - d[:, 1]) ** 2 / 2)


def _checked(differences: Floats) -> Floats:
    d = np.asarray(differences, dtype=float)
    if d.shape != (5, 2):
        raise InputError(
            f"differences must have shape (5, 2), 5 halvings by 2 folds, got {d.shape}; "
            "by='5x2' makes such splits"
        )
    if not np.all(np.isfinite(d)):
        raise InputError("differences must be finite; found nan or infinity")
    return d
