"""Several tests at once: p-values adjusted so that the family keeps its level.

References
----------
Holm (1979), Scandinavian Journal of Statistics 6. Hochberg (1988), Biometrika 75. Benjamini and
Hochberg (1995), Journal of the Royal Statistical Society B 57.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt
from scipy import stats

from referee.core.arrays import Floats
from referee.errors import InputError

__all__ = ["CATALOGUE", "benjamini_hochberg", "hochberg", "holm"]


def holm(p: npt.ArrayLike) -> Floats:
    """Return p-values adjusted by Holm's step-down: family-wise error, however tests depend.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03, 0.005]).round(3).tolist()
    [0.03, 0.06, 0.06, 0.02]
    """
    values = _checked(p)
    order = np.argsort(values, kind="stable")
    factors = np.arange(len(values), 0, -1)
    return _restored(np.maximum.accumulate(values[order] * factors), order)


def hochberg(p: npt.ArrayLike) -> Floats:
    """Return p-values adjusted by Hochberg's step-up: family-wise error of independent tests.

    Tests may depend positively, too.

    Examples
    --------
    >>> hochberg([0.01, 0.04, 0.03, 0.005]).round(3).tolist()
    [0.03, 0.04, 0.04, 0.02]
    """
    values = _checked(p)
    order = np.argsort(values, kind="stable")[::-1]
    factors = np.arange(1, len(values) + 1)
    return _restored(np.minimum.accumulate(values[order] * factors), order)


def benjamini_hochberg(p: npt.ArrayLike) -> Floats:
    """Return p-values adjusted for the false discovery rate of independent tests.

    Examples
    --------
    >>> benjamini_hochberg([0.01, 0.04, 0.03, 0.005]).round(3).tolist()
    [0.02, 0.04, 0.04, 0.02]
    """
    values = _checked(p)
    return np.asarray(stats.false_discovery_control(values)) if len(values) else values


CATALOGUE: Mapping[str, Callable[[npt.ArrayLike], Floats]] = {
    "holm": holm,
    "hochberg": hochberg,
    "benjamini-hochberg": benjamini_hochberg,
}


def _checked(p: npt.ArrayLike) -> Floats:
    values = np.asarray(p, dtype=float)
    if values.ndim != 1:
        raise InputError(f"p must be a list of p-values, got shape {values.shape}")
    bad = np.flatnonzero(~((values >= 0) & (values <= 1)))
    if bad.size:
        raise InputError(
            f"p must hold numbers between 0 and 1, got {values[bad[0]]} at position {bad[0]}; "
            "leave out tests that gave no p-value"
        )
    return values


def _restored(adjusted: Floats, order: npt.NDArray[np.intp]) -> Floats:
    result = np.empty(len(adjusted))
    result[order] = np.minimum(adjusted, 1.0)
    return result
