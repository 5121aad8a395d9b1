"""Bounds: how far an approximate search may be off."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from referee.errors import InputError

__all__ = ["EXACT", "Bound"]

_KINDS = ("relative", "additive")


@dataclass(frozen=True)
class Bound:
    """What a search promises of the r-th distance d'' it returns, d' being the true r-th one.

    Attributes
    ----------
    eps : float
        0 for exact search.
    kind : {"relative", "additive"}
        d'' <= (1 + eps) d', or d'' <= d' + eps; for every rank r.

    Examples
    --------
    >>> print(Bound(0.1))
    each distance is at most 1.1 times the true one of its rank
    >>> Bound(0.5, "additive").allows([2.4, 2.6], [2.0, 2.0]).tolist()
    [True, False]
    """

    eps: float = 0.0
    kind: str = "relative"

    @classmethod
    def of(cls, eps: Any, kind: Any) -> Bound:
        """Return the bound, checked."""
        if not isinstance(eps, Real) or not 0 <= float(eps) < np.inf:
            raise InputError(
                "must be a finite number of at least 0", argument="eps", value=repr(eps)
            )
        if kind not in _KINDS:
            raise InputError("bound must be 'relative' or 'additive'", value=repr(kind))
        return cls(float(eps), str(kind))

    def allows(self, distance: Any, true: Any) -> Any:
        """Tell which distances keep the promise."""
        exact = np.asarray(true)
        most = exact + self.eps if self.kind == "additive" else exact * (1 + self.eps)
        return np.asarray(distance) <= most

    def __repr__(self) -> str:
        return "exact" if self.eps == 0 else f"Bound({self.eps:g}, {self.kind!r})"

    def __str__(self) -> str:
        if self.eps == 0:
            return "exact"
        if self.kind == "additive":
            return f"each distance exceeds the true one of its rank by at most {self.eps:g}"
        return f"each distance is at most {1 + self.eps:g} times the true one of its rank"


EXACT = Bound()
