"""Measures of probabilities: log loss, Brier score, and the reliability curve.

References
----------
Brier (1950), Monthly Weather Review 78. DeGroot and Fienberg (1983), The Statistician 32.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.core.arrays import Codes, Flags, Floats, Rows
from referee.core.labels.labels import rows_text
from referee.errors import InputError

__all__ = [
    "ReliabilityCurve",
    "brier_losses",
    "check_between_0_and_1",
    "checked_probabilities",
    "log_losses",
    "reliability_curve",
]


def checked_probabilities(probabilities: Floats, rows: Rows | None = None) -> Floats:
    """Return probabilities, one column per class, or say which row is none.

    `rows` are the numbers the user knows the rows by, where some were left out.

    Examples
    --------
    >>> checked_probabilities(np.array([[0.2, 0.8], [0.5, 1.5]]))
    Traceback (most recent call last):
    ...
    referee.errors.InputError: y_score must hold probabilities between 0 and 1 here, got 1.5 in \
row 1; scores of other kinds serve rankings only
    """
    check_between_0_and_1(probabilities, rows)
    sums = probabilities.sum(axis=1)
    off = np.flatnonzero(np.abs(sums - 1) > 1e-3)
    if off.size:
        raise InputError(
            "must hold probabilities of a case that sum to 1",
            argument="y_score",
            value=f"{sums[off[0]]:g}",
            place=str(_row(off[0], rows)),
        )
    return probabilities


def check_between_0_and_1(probabilities: Floats, rows: Rows | None = None) -> None:
    """Name the first row with a value that is no probability."""
    if not probabilities.size or (probabilities.min() >= 0 and probabilities.max() <= 1):
        return
    outside = np.flatnonzero(((probabilities < 0) | (probabilities > 1)).any(axis=1))
    if outside.size:
        row = probabilities[outside[0]]
        value = row[(row < 0) | (row > 1)][0]
        raise InputError(
            "must hold probabilities between 0 and 1 here",
            argument="y_score",
            value=f"{value:g}",
            place=str(_row(outside[0], rows)),
            remedy="scores of other kinds serve rankings only",
        )


def _row(at: int, rows: Rows | None) -> str:
    return rows_text([at if rows is None else rows[at]])


def log_losses(truth: Codes, probabilities: Floats) -> Floats:
    """Return -log of the probability each case's true class was given.

    Probabilities of 0 are raised to the smallest step above 0, as in scikit-learn, so that one
    sure mistake does not make everything infinite.

    Examples
    --------
    >>> log_losses(np.array([1]), np.array([[0.5, 0.5]])).round(4).tolist()
    [0.6931]
    """
    given = probabilities[np.arange(len(truth)), truth]
    tiny = np.finfo(probabilities.dtype).eps
    return np.asarray(-np.log(np.clip(given, tiny, 1 - tiny)))


def brier_losses(truth: Codes, probabilities: Floats) -> Floats:
    """Return each case's squared distance from the truth, halved for two classes.

    So for two classes it is (p - y)², and for more the sum over the classes.

    Examples
    --------
    >>> brier_losses(np.array([1]), np.array([[0.3, 0.7]])).round(4).tolist()
    [0.09]
    """
    k = probabilities.shape[1]
    distance = np.sum((probabilities - np.eye(k)[truth]) ** 2, axis=1)
    return np.asarray(distance / 2 if k == 2 else distance)


@dataclass(frozen=True, eq=False)
class ReliabilityCurve:
    """How often cases turn out positive, by the probability they were given.

    Attributes
    ----------
    predicted, observed : arrays of float
        Mean probability and share of positives in each bin.
    positives, sizes : arrays of int
        Counts in each bin, from which intervals follow.
    """

    predicted: Floats
    observed: Floats
    positives: Codes
    sizes: Codes


def reliability_curve(positive: Flags, probability: Floats, bins: int = 10) -> ReliabilityCurve:
    """Return the curve over bins of (nearly) equal numbers of cases; ties stay together.

    Examples
    --------
    >>> curve = reliability_curve(np.array([False, True] * 50), np.full(100, 0.5))
    >>> curve.observed.tolist(), curve.sizes.tolist()
    ([0.5], [100])
    """
    if bins < 1:
        raise InputError("must be at least 1", argument="bins", value=str(bins))
    edges = np.quantile(probability, np.linspace(0, 1, bins + 1)[1:-1])
    where = np.searchsorted(np.unique(edges), probability, side="left")
    used, bin_of = np.unique(where, return_inverse=True)
    sizes = np.bincount(bin_of, minlength=len(used))
    hits = np.bincount(bin_of, weights=positive, minlength=len(used))
    return ReliabilityCurve(
        predicted=np.bincount(bin_of, weights=probability) / sizes,
        observed=hits / sizes,
        positives=hits.astype(np.intp),
        sizes=sizes,
    )
