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


def student_t(means: Floats, level: float = 0.95) -> Interval:
    """Return mean ± t s / sqrt(k) over k fold means (T4), flagged.

    Treats the folds as independent although their training sets overlap.

    Examples
    --------
    >>> i = student_t(np.array([0.09, 0.10, 0.11]))
    >>> round(i.low, 4), round(i.high, 4)
    (0.0752, 0.1248)
    """
    k = _count(means)
    spread = float(np.std(means, ddof=1)) / math.sqrt(k)
    flag = (
        "ignores that training sets overlap and covers less than it says; use corrected-t or "
        "effective-jeffreys"
    )
    return _around(means, spread, k, level, "student-t", flag)


def corrected_t(means: Floats, n_train: float, n_test: float, level: float = 0.95) -> Interval:
    """Return mean ± t s sqrt(1/J + n_test/n_train) over J splits (Nadeau and Bengio).

    Examples
    --------
    >>> i = corrected_t(np.array([0.09, 0.10, 0.11]), n_train=90, n_test=10)
    >>> round(i.low, 4), round(i.high, 4)
    (0.0713, 0.1287)
    """
    k = _count(means)
    if not (n_train > 0 and n_test > 0):
        raise InputError(f"n_train and n_test must be positive, got {n_train} and {n_test}")
    spread = float(np.std(means, ddof=1)) * math.sqrt(1 / k + n_test / n_train)
    return _around(means, spread, k, level, "corrected-t", "")


def _count(means: Floats) -> int:
    if len(means) < 2:
        raise InputError(
            f"a t interval needs at least 2 splits, got {len(means)}; "
            "use interval='clopper-pearson'"
        )
    return len(means)


def _around(means: Floats, spread: float, k: int, level: float, method: str, flag: str) -> Interval:
    half = float(stats.t.ppf((1 + check_level(level)) / 2, k - 1)) * spread
    centre = float(np.mean(means))
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
