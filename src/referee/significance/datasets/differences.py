"""Differences of two models over data sets, freed of rounding noise so that ties are ties."""

from __future__ import annotations

import numpy as np

from referee.core.arrays import Floats
from referee.errors import InputError

__all__ = ["checked_differences"]


def checked_differences(differences: Floats) -> Floats:
    """Return finite differences, those that differ by rounding only made equal.

    Examples
    --------
    >>> d = np.array([0.768 - 0.763, 0.931 - 0.936, 0.3 - (0.1 + 0.2)])
    >>> result = checked_differences(d)
    >>> bool(result[0] == -result[1]), bool(result[2] == 0)
    (True, True)
    """
    d = np.asarray(differences, dtype=float)
    if d.ndim != 1 or not len(d):
        raise InputError(
            "must be a list with one number for each data set",
            argument="differences",
            value=f"shape {d.shape}",
        )
    if not np.all(np.isfinite(d)):
        raise InputError("must be finite; found nan or infinity", argument="differences")
    scale = float(np.max(np.abs(d)))
    return np.asarray(np.round(d / scale, 10) * scale) if scale > 0 else d
