"""Friedman's test and its sharper form by Iman and Davenport: several models, several data sets.

References
----------
Friedman (1937), JASA 32. Iman and Davenport (1980), Communications in Statistics A9. Demšar (2006),
JMLR 7, section 3.2.
"""

from __future__ import annotations

import math

import numpy as np
from scipy import stats

from referee.core.arrays import Floats
from referee.core.results import Evidence, Target
from referee.errors import InputError

__all__ = ["average_ranks", "friedman", "iman_davenport"]

NULL = "all models rank alike over such data sets"
ASSUMPTIONS = ("data sets are independent", "ties share their ranks")


def average_ranks(scores: Floats, *, greater_is_better: bool) -> Floats:
    """Return each model's mean rank over the data sets; 1 is best, ties share their ranks.

    Parameters
    ----------
    scores : array of shape (data sets, models)
        One score, or loss, of each model on each data set.
    greater_is_better : bool
        Whether a large score is a good one.

    Examples
    --------
    >>> average_ranks(np.array([[0.9, 0.8, 0.7], [0.6, 0.6, 0.5]]), greater_is_better=True).tolist()
    [1.25, 1.75, 3.0]
    """
    return np.asarray(_ranks(scores, greater_is_better).mean(axis=0))


def friedman(
    scores: Floats, *, greater_is_better: bool = True, tie_correction: bool = True
) -> Evidence:
    """Test whether any of k models ranks differently, by chi-squared with k - 1 df.

    Parameters
    ----------
    scores : array of shape (data sets, models)
        One score, or loss, of each model on each data set.
    greater_is_better : bool
        Of no consequence for the p-value.
    tie_correction : bool
        Divide by the share of variance that ties leave, as scipy and R do; Demšar does not.

    Examples
    --------
    >>> scores = np.array([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.7, 0.8], [0.7, 0.6, 0.5]])
    >>> e = friedman(scores)
    >>> e.statistic, round(e.p_value, 4)
    (6.5, 0.0388)
    """
    ranks = _ranks(scores, greater_is_better)
    n, k = ranks.shape
    statistic = _chi_squared(ranks, tie_correction)
    return Evidence(
        test="friedman",
        statistic=statistic,
        p_value=float(stats.chi2.sf(statistic, k - 1)),
        null=NULL,
        n=n,
        target=Target.EXPECTED,
        assumptions=(*ASSUMPTIONS, "enough data sets for the chi-squared law; it is conservative"),
        df=k - 1,
    )


def iman_davenport(
    scores: Floats, *, greater_is_better: bool = True, tie_correction: bool = True
) -> Evidence:
    """Test whether any of k models ranks differently, by F with k - 1 and (k - 1)(N - 1) df.

    Parameters
    ----------
    scores, greater_is_better, tie_correction
        As in `friedman`, whose statistic is turned into F = (N - 1) χ² / (N (k - 1) - χ²).

    Notes
    -----
    Where all N data sets rank the models alike F is infinite; p is then the chance of that, the
    smallest that N data sets can give: one in k! for each data set after the first, fewer with
    ties.

    Examples
    --------
    >>> scores = np.array([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.7, 0.8], [0.7, 0.6, 0.5]])
    >>> e = iman_davenport(scores)
    >>> round(e.statistic, 4), round(e.p_value, 4)
    (13.0, 0.0066)
    """
    ranks = _ranks(scores, greater_is_better)
    n, k = ranks.shape
    alike = bool(np.all(ranks == ranks[0])) and bool(np.any(ranks != ranks[0, 0]))
    infinite = alike and (tie_correction or _orders(ranks[0]) == math.factorial(k))
    chi_squared = _chi_squared(ranks, tie_correction)
    f = math.inf if infinite else (n - 1) * chi_squared / (n * (k - 1) - chi_squared)
    p = _orders(ranks[0]) ** -(n - 1.0) if infinite else stats.f.sf(f, k - 1, (k - 1) * (n - 1))
    return Evidence(
        test="iman-davenport",
        statistic=float(f),
        p_value=float(p),
        null=NULL,
        n=n,
        target=Target.EXPECTED,
        assumptions=(*ASSUMPTIONS, "enough data sets for the F law"),
        df=k - 1,
        flag="all data sets rank the models alike; p is the smallest so many can give"
        if infinite
        else "",
    )


def _ranks(scores: Floats, greater_is_better: bool) -> Floats:
    s = np.asarray(scores, dtype=float)
    if s.ndim != 2 or s.shape[0] < 2 or s.shape[1] < 2:
        raise InputError(
            "scores must have a row for each of at least 2 data sets and a column for each of at "
            f"least 2 models, got shape {s.shape}"
        )
    bad = np.argwhere(~np.isfinite(s))
    if len(bad):
        row, column = bad[0]
        raise InputError(
            f"scores must be finite, got {s[row, column]} for data set {row}, model {column}; "
            "leave out the data set or the model"
        )
    # Rounding must not break ties: ten digits of a score are more than it has.
    rounded = np.round(s, 10)
    return np.asarray(stats.rankdata(-rounded if greater_is_better else rounded, axis=1))


def _chi_squared(ranks: Floats, tie_correction: bool) -> float:
    n, k = ranks.shape
    away = ranks.mean(axis=0) - (k + 1) / 2
    # Without ties the ranks of a data set have variance k (k + 1) / 12 (divisor k - 1).
    variance = float(np.var(ranks, axis=1, ddof=1).mean()) if tie_correction else k * (k + 1) / 12
    return n * float(np.sum(away**2)) / variance if variance > 0 else 0.0


def _orders(ranks: Floats) -> int:
    """Return how many orders models with these ties can be brought into."""
    _, ties = np.unique(ranks, return_counts=True)
    return math.factorial(len(ranks)) // math.prod(math.factorial(int(t)) for t in ties)
