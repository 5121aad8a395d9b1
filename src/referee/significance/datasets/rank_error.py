"""The standard error of a difference of two average ranks."""

from __future__ import annotations

import math

from referee.errors import InputError

__all__ = ["rank_se"]


def rank_se(k: int, n: int) -> float:
    """Return sqrt(k (k + 1) / 6 n) for k models ranked on n data sets.

    Examples
    --------
    >>> round(rank_se(4, 14), 3)
    0.488
    """
    if k < 2 or n < 2:
        raise InputError("ranks need at least 2 models and 2 data sets", value=f"{k} and {n}")
    return math.sqrt(k * (k + 1) / (6 * n))
