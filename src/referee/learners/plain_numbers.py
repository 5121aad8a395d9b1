"""Plain numbers: features as the models themselves would compute with them, or not at all."""

from __future__ import annotations

from typing import Any

import numpy as np

from referee.core.arrays import Features, Floats
from referee.core.shared_work import SteppedAside

__all__ = ["numbers_of"]


def numbers_of(X: Features) -> Floats:
    """Return features as float64, which is what the models would compute with.

    Raises
    ------
    SteppedAside
        For sparse matrices, text, single precision, missing values and the like.
    """
    if hasattr(X, "tocsr"):
        raise SteppedAside("X is sparse")
    if hasattr(X, "dtypes") and not all(_is_number(t) for t in np.atleast_1d(X.dtypes)):
        raise SteppedAside("X has columns that are not plain numbers")
    values = np.asarray(X)
    if values.ndim != 2 or not _is_number(values.dtype):
        raise SteppedAside(f"X is of type {values.dtype}")
    values = np.ascontiguousarray(values, dtype=float)
    # Sums of squares must stay finite, too.
    if not np.abs(values).max() < 1e100:
        raise SteppedAside("X is not finite")
    return values


def _is_number(dtype: Any) -> bool:
    return str(dtype).lower() in ("float64", "int64", "int32", "int16", "int8", "uint8")
