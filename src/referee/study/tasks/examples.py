"""The Gaussian tasks of the lecture notes and of Fukunaga's book."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

from referee.core.arrays import Floats
from referee.errors import InputError
from referee.study.tasks.gaussian_task import GaussianTask

__all__ = ["EXAMPLES", "fukunaga_I_I", "separation_for", "two_normals"]

EXAMPLES: dict[int, GaussianTask] = {
    1: GaussianTask(
        [[0.5, 0.3], [0.3, 0.7]],
        [
            [[0.011875, -0.016238], [-0.016238, 0.030625]],
            [[0.011875, 0.016238], [0.016238, 0.030625]],
        ],
        [65 / 120, 55 / 120],
        classes=(-1, 1),
    ),
    2: GaussianTask(
        [[0.5, 0.3], [0.4, 0.8]],
        [
            [[0.00398011, -0.00730159], [-0.00730159, 0.0385199]],
            [[0.09, 0.0], [0.0, 0.0049]],
        ],
        [65 / 120, 55 / 120],
        classes=(-1, 1),
    ),
    3: GaussianTask(
        [[0.6, 0.3], [0.3, 0.7]],
        [0.09 * np.eye(2), 0.0016 * np.eye(2)],
        [11 / 12, 1 / 12],
        classes=(-1, 1),
    ),
}
"""Examples 1 to 3 of note 003, with classes -1 and 1: .034547, .019880 and .016168."""


def two_normals(s: float, d: int = 1) -> GaussianTask:
    """Return two classes at -s and +s on the first axis, of unit covariance, equally likely.

    The Bayes error is erfc(s / sqrt 2) / 2, whatever the dimension.

    Parameters
    ----------
    s : float
        Not negative.
    d : int
        The number of features.

    Examples
    --------
    >>> round(two_normals(1.0, d=20).bayes_risk().value, 6)
    0.158655
    """
    if not (np.isfinite(s) and s >= 0):
        raise InputError("must be a finite number of at least 0", argument="s", value=str(s))
    return GaussianTask(np.outer([-s, s], _first_axis(d)), np.eye(d))


def separation_for(bayes_error: float) -> float:
    """Return the s at which `two_normals` has this Bayes error.

    Examples
    --------
    >>> round(separation_for(0.1), 5)
    1.28155
    >>> separation_for(0.5)
    Traceback (most recent call last):
    ...
    referee.errors.InputError: bayes_error must lie strictly between 0 and 1/2, got 0.5; two equally
    likely classes can always be told apart with an error of 1/2
    """
    if not 0 < bayes_error < 0.5:
        hint = (
            f"write {bayes_error / 100:g} for {bayes_error:g} %"
            if 1 <= bayes_error < 50
            else "two equally likely classes can always be told apart with an error of 1/2"
        )
        raise InputError(
            "must lie strictly between 0 and 1/2",
            argument="bayes_error",
            value=str(bayes_error),
            remedy=hint,
        )
    return float(-ndtri(bayes_error))


def fukunaga_I_I(d: int = 8, distance: float = 2.56) -> GaussianTask:  # noqa: N802
    """Return Fukunaga's data I-I: unit covariances, means 2.56 apart, a Bayes error of 10 %.

    Examples
    --------
    >>> round(fukunaga_I_I().bayes_risk().value, 5)
    0.10027
    """
    return GaussianTask(np.outer([0.0, distance], _first_axis(d)), np.eye(d))


def _first_axis(d: int) -> Floats:
    if not isinstance(d, (int, np.integer)) or d < 1:
        raise InputError("must be a whole number of at least 1", argument="d", value=repr(d))
    return np.asarray(np.eye(1, d)[0])
