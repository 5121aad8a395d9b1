"""Names for the arrays that travel along the line."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["Anything", "Codes", "Features", "Flags", "Floats", "Label", "Rows"]

Floats: TypeAlias = npt.NDArray[np.float64]
Flags: TypeAlias = npt.NDArray[np.bool_]

Rows: TypeAlias = npt.NDArray[np.intp]
"""Row numbers of a dataset, counted from 0."""

Codes: TypeAlias = npt.NDArray[np.intp]
"""Positions in a tuple of classes."""

Label: TypeAlias = Any
"""A class as the user names it: a string, an int, a bool ..."""

Features: TypeAlias = Any
"""Whatever a scikit-learn model takes as X: array, DataFrame (pandas, polars) or sparse matrix."""

Anything: TypeAlias = npt.NDArray[Any]
