"""Student's t over splits: the notes' own interval, and the one corrected for shared training rows.

References
----------
Mitchell (1997), Machine Learning, chapter 5. Nadeau and Bengio (2003), Machine Learning 52.
"""

from __future__ import annotations

import math

import numpy as np
from scipy import stats

from referee.core.arrays import Floats
from referee.core.results import Interval, Target, check_level
from referee.errors import InputError

__all__ = ["corrected_t", "student_t"]


def student_t(means: Floats, level: float = 0.95, *, weights: Floats | None = None) -> Interval:
    """Return mean ± t s / sqrt(k) over k fold means (T4), flagged.

    Folds of different sizes count by their `weights`.

    Treats the folds as independent although their training sets overlap.

    Examples
    --------
    >>> i = student_t(np.array([0.09, 0.10, 0.11]))
    >>> round(i.low, 4), round(i.high, 4)
    (0.0752, 0.1248)
    """
    k = _count(means)
    shares = _shares(weights, k)
    spread = _deviation(means, shares) / math.sqrt(k)
    flag = (
        "ignores that training sets overlap and covers less than it says; use corrected-t or "
        "effective-jeffreys"
    )
    return _around(means, shares, spread, level, "student-t", flag)


def corrected_t(
    means: Floats,
    n_train: float,
    n_test: float,
    level: float = 0.95,
    *,
    weights: Floats | None = None,
) -> Interval:
    """Return mean ± t s sqrt(1/J + n_test/n_train) over J splits (Nadeau and Bengio).

    Splits of different sizes count by their `weights`.

    Examples
    --------
    >>> i = corrected_t(np.array([0.09, 0.10, 0.11]), n_train=90, n_test=10)
    >>> round(i.low, 4), round(i.high, 4)
    (0.0713, 0.1287)
    """
    k = _count(means)
    if not (n_train > 0 and n_test > 0):
        raise InputError(f"n_train and n_test must be positive, got {n_train} and {n_test}")
    shares = _shares(weights, k)
    spread = _deviation(means, shares) * math.sqrt(1 / k + n_test / n_train)
    return _around(means, shares, spread, level, "corrected-t", "")


def _count(means: Floats) -> int:
    if len(means) < 2:
        raise InputError(
            f"a t interval needs at least 2 splits, got {len(means)}; "
            "use interval='clopper-pearson'"
        )
    return len(means)


def _shares(weights: Floats | None, k: int) -> Floats:
    return np.full(k, 1 / k) if weights is None else np.asarray(weights / np.sum(weights))


def _deviation(means: Floats, shares: Floats) -> float:
    """Return the standard deviation of fold means about their weighted mean."""
    if np.all(means == means[0]):
        return 0.0  # and not what rounding makes of it
    k, centre = len(means), float(shares @ means)
    return math.sqrt(k / (k - 1) * float(shares @ (means - centre) ** 2))


def _around(
    means: Floats, shares: Floats, spread: float, level: float, method: str, flag: str
) -> Interval:
    half = float(stats.t.ppf((1 + check_level(level)) / 2, len(means) - 1)) * spread
    centre = float(shares @ means)
    if spread == 0:
        flag = "all splits gave the same value, so the interval has no width; " + (
            flag or "use clopper-pearson on a test set"
        )
    return Interval(
        low=max(0.0, centre - half),
        high=min(1.0, centre + half),
        level=level,
        method=method,
        target=Target.EXPECTED,
        flag=flag,
    )
