"""Adjustment: how p-values are raised for the number of tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar, cast

import numpy as np
import numpy.typing as npt

from referee.core.arrays import Floats
from referee.core.method import Method, answered
from referee.errors import InputError

__all__ = ["Adjustment", "checked_p_values", "restored"]


@dataclass(frozen=True)
class Adjustment(Method):
    """A way to raise p-values for the number of tests.

    Attributes
    ----------
    compute : callable
        From p-values to adjusted ones, in the same order.
    family_wise : bool
        Whether it bounds the probability of any false rejection, as rank intervals need it; if
        not, only the share of false ones among the rejections.

    Examples
    --------
    >>> bonferroni = Adjustment("bonferroni", title="Bonferroni's method",
    ...                         compute=lambda p: np.minimum(1.0, len(p) * np.asarray(p)))
    >>> bonferroni.compute([0.01, 0.4]).tolist()
    [0.02, 0.8]
    """

    listed_in: ClassVar[str] = "referee.significance.catalogue:ADJUSTMENTS"

    _: KW_ONLY
    compute: Callable[[npt.ArrayLike], Floats]
    family_wise: bool = True

    def raised(self, p: npt.ArrayLike) -> Floats:
        """Return adjusted p-values, once there is one for each and none is smaller than it was."""
        given = np.asarray(p, dtype=float)
        what = f"adjustment {self.name!r}"
        got = answered(self, what, lambda: np.asarray(self.compute(p), dtype=float))
        if got.shape != given.shape or not np.all((got >= given - 1e-12) & (got <= 1)):
            raise InputError(
                f"{what} must return a p-value for each, none smaller than it was",
                concerning="adjust",
                value=repr(got.tolist()),
            )
        return cast("Floats", got)


def checked_p_values(p: npt.ArrayLike) -> Floats:
    """Return p-values as an array, refusing what is none."""
    values = np.asarray(p, dtype=float)
    if values.ndim != 1:
        raise InputError("must be a list of p-values", argument="p", value=f"shape {values.shape}")
    bad = np.flatnonzero(~((values >= 0) & (values <= 1)))
    if bad.size:
        raise InputError(
            "must hold numbers between 0 and 1",
            argument="p",
            value=f"{values[bad[0]]} at position {bad[0]}",
            remedy="leave out tests that gave no p-value",
        )
    return values


def restored(adjusted: Floats, order: npt.NDArray[np.intp]) -> Floats:
    """Return adjusted p-values, at most 1, in the order they were given in."""
    result = np.empty(len(adjusted))
    result[order] = np.minimum(adjusted, 1.0)
    return result
