"""Kernels of distances: Gaussian and Laplacian."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from referee.core.arrays import Anything, Floats
from referee.errors import InputError
from referee.kernels.kernel import Kernel, checked_number
from referee.kernels.points import (
    Bins,
    Precision,
    Selection,
    Vectors,
    check_width,
    checked_numbers,
    column_medians,
)

__all__ = ["Gaussian", "Laplacian", "checked_gamma", "gamma_of"]


_LOST = 1e-12
"""How wrong a Gaussian value may be before it is computed anew, in double precision."""


def checked_gamma(gamma: Any, *, by_data: bool = True) -> None:
    """Raise unless gamma is positive or, where it may depend on the data, "scale" or "auto"."""
    if by_data and gamma in ("scale", "auto"):
        return
    if isinstance(gamma, str):
        known = "positive, 'scale' or 'auto'" if by_data else "a positive number"
        raise InputError(f"must be {known}", argument="gamma", value=repr(gamma))
    checked_number(gamma, "gamma", above=0)


def gamma_of(gamma: float | str, X: Floats) -> float:
    """Return gamma for these data: "scale" is 1 / (d Var X), "auto" 1 / d, as in scikit-learn."""
    if not isinstance(gamma, str):
        return float(gamma)
    d = max(int(X.shape[1]), 1)
    if gamma == "auto":
        return 1.0 / d
    with np.errstate(over="ignore"):
        spread = float(X.var()) if X.size else 0.0
    factor = 1.0 / (d * spread) if spread else 1.0
    if not 0 < factor < np.inf:
        raise InputError(
            f"gamma='scale' is 1 / (d Var X), {factor:g} for these features",
            remedy="scale them, or give a number",
        )
    return factor


class _Distance(Kernel):
    gamma: float | str

    def resolved(self, X: Any) -> Kernel:
        if not isinstance(self.gamma, str):
            return self
        return replace(self, gamma=gamma_of(self.gamma, self.checked(X)))  # type: ignore[type-var]

    def checked(self, X: Any, name: str = "X") -> Floats:
        return checked_numbers(X, name)

    def own_values(self, points: Floats) -> Floats:
        return np.ones(len(points))

    @property
    def _rate(self) -> str:
        if isinstance(self.gamma, str):
            return f"gamma[{self.gamma}]"
        return "" if self.gamma == 1 else f"{self.gamma:g}"


@dataclass(frozen=True)
class _Centred:
    """Rows of numbers about a centre: short vectors lose fewer digits in their distances."""

    vectors: Vectors
    centre: Floats
    points: Floats | None
    """The rows as they came, for distances of vectors that are long; None in single precision."""

    def __len__(self) -> int:
        return len(self.vectors)

    def take(self, rows: Selection) -> _Centred:
        points = None if self.points is None else self.points[rows]
        return _Centred(self.vectors.take(rows), self.centre, points)


@dataclass(frozen=True)
class Gaussian(_Distance):
    """The Gaussian kernel exp(-gamma |x - x'|^2); gamma is the lecture notes' lambda.

    Parameters
    ----------
    gamma : float or {"scale", "auto"}
        Positive. "scale" is 1 / (d Var X), "auto" 1 / d, both from the training data.

    Notes
    -----
    Squared distances come from norms and a matrix product, of rows about the median of each
    column. In double precision, pairs of rows so far from it that a value might be off by more than
    1e-12 are computed anew from differences: a value does not depend on other rows beyond that. In
    single precision the error is a few units of rounding times gamma times the squared length of
    the rows, and that of the exponential, about 1e-7.

    Examples
    --------
    >>> print(Gaussian(gamma=0.5))
    exp(-0.5 |x - x'|^2)
    >>> Gaussian(gamma=0.5).gram([[0.0]], [[0.0], [2.0]]).round(4).tolist()
    [[1.0, 0.1353]]
    >>> Gaussian().resolved([[0.0], [2.0]])
    Gaussian(gamma=1.0)
    """

    gamma: float | str = "scale"

    def __post_init__(self) -> None:
        checked_gamma(self.gamma)

    @property
    def formula(self) -> str:
        """The kernel as a formula in x and x'."""
        return f"exp(-{self._rate} |x - x'|^2)".replace("(- ", "(-")

    def side(self, points: Floats, dtype: Precision, *, like: _Centred | None = None) -> _Centred:
        """Lay out rows about their median, or about that of the side they will meet."""
        if like is not None:
            check_width(len(like.centre), points.shape[1])
            centre = like.centre
        else:
            # A mean would follow a single row that lies far away, and short vectors become long.
            centre = column_medians(points) if len(points) else np.zeros(points.shape[1])
        kept = points if dtype is np.float64 else None
        return _Centred(Vectors.of(points - centre, dtype), centre, kept)

    def band(self, left: _Centred, right: _Centred, out: Anything, start: int) -> None:
        """Multiply, then exponentiate."""
        from referee.kernels.loops import gaussian, gaussian_anew

        one, other = left.vectors, right.vectors
        products = one.values @ other.values.T
        gaussian(products, one.norms, other.norms, float(self.gamma), out, start)
        if left.points is None or right.points is None or not products.size:
            return
        reach = _LOST / (4 * float(np.finfo(np.float64).eps) * float(self.gamma))
        if one.norms.max() + other.norms.max() > reach:
            norms = one.norms, other.norms
            gaussian_anew(left.points, right.points, *norms, float(self.gamma), reach, out, start)

    def rounding(self, points: Floats, dtype: Precision) -> float:
        """Bound the error of a squared distance, times gamma, and that of the exponential."""
        largest = float(self.side(points, np.float64).vectors.norms.max(initial=0.0))
        eps = float(np.finfo(dtype).eps)
        products = min(1.0, eps * (2 + 4 * float(self.gamma) * largest))
        if dtype is np.float32:
            return products
        return min(products, _LOST + eps * (4 + int(points.shape[1])))


@dataclass(frozen=True)
class Laplacian(_Distance):
    """The Laplacian kernel exp(-gamma sum_j |x_j - x'_j|).

    Parameters
    ----------
    gamma : float or {"scale", "auto"}
        Positive. "scale" is 1 / (d Var X), "auto" 1 / d, both from the training data.

    Examples
    --------
    >>> print(Laplacian(gamma=2.0))
    exp(-2 |x - x'|_1)
    >>> Laplacian(gamma=1.0).gram([[0.0, 0.0]], [[1.0, -1.0]]).round(4).tolist()
    [[0.1353]]
    """

    gamma: float | str = "auto"

    def __post_init__(self) -> None:
        checked_gamma(self.gamma)

    @property
    def formula(self) -> str:
        """The kernel as a formula in x and x'."""
        return f"exp(-{self._rate} |x - x'|_1)".replace("(- ", "(-")

    def side(self, points: Floats, dtype: Precision, *, like: Bins | None = None) -> Bins:
        """Lay out rows for the loop."""
        return Bins.of(points, dtype, like=like)

    def band(self, left: Bins, right: Bins, out: Anything, start: int) -> None:
        """Sum absolute differences, then exponentiate."""
        from referee.kernels.loops import decay, manhattan

        manhattan(left.values, np.ascontiguousarray(right.values.T), out, start)
        decay(out, start, len(right), float(self.gamma))

    def rounding(self, points: Floats, dtype: Precision) -> float:
        """Bound the error of rounding the data and of the sum, times gamma."""
        largest = float(np.abs(points).sum(axis=1).max(initial=0.0))
        return min(1.0, float(np.finfo(dtype).eps) * (2 + 4 * float(self.gamma) * largest))
