"""Kernels of inner products: linear and polynomial."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.core.arrays import Anything, Floats
from referee.kernels.kernel import Kernel, checked_exponent, checked_number
from referee.kernels.points import Precision, Vectors, checked_numbers

__all__ = ["Linear", "Polynomial"]


class _InnerProduct(Kernel):
    def checked(self, X: Any, name: str = "X") -> Floats:
        return checked_numbers(X, name)

    def side(self, points: Floats, dtype: Precision, *, like: Vectors | None = None) -> Vectors:
        return Vectors.of(points, dtype, like=like)

    def rounding(self, points: Floats, dtype: Precision) -> float:
        largest = float(_norms(points).max(initial=0.0))
        return float(np.finfo(dtype).eps) * math.sqrt(points.shape[1]) * largest


@dataclass(frozen=True)
class Linear(_InnerProduct):
    """The inner product <x, x'>.

    Examples
    --------
    >>> print(Linear())
    <x, x'>
    >>> Linear().gram([[1.0, 2.0]], [[3.0, 4.0]]).tolist()
    [[11.0]]
    """

    @property
    def formula(self) -> str:
        """The kernel as a formula in x and x'."""
        return "<x, x'>"

    def band(self, left: Vectors, right: Vectors, out: Anything, start: int) -> None:
        """Multiply."""
        np.matmul(left.values, right.values.T, out=out[:, start : start + len(right)])

    def own_values(self, points: Floats) -> Floats:
        """Return squared norms."""
        return _norms(points)


@dataclass(frozen=True)
class Polynomial(_InnerProduct):
    """The polynomial kernel (offset + scale <x, x'>)^degree.

    Parameters
    ----------
    degree : int
        At least 1.
    scale : float
        Positive; scikit-learn's gamma.
    offset : float
        Not negative; scikit-learn's coef0.

    Examples
    --------
    >>> print(Polynomial(degree=3))
    (1 + <x, x'>)^3
    >>> Polynomial(degree=3).gram([[1.0]], [[2.0]]).tolist()
    [[27.0]]
    """

    degree: int = 3
    scale: float = 1.0
    offset: float = 1.0

    def __post_init__(self) -> None:
        checked_exponent(self.degree, "degree")
        checked_number(self.scale, "scale", above=0)
        checked_number(self.offset, "offset")

    @property
    def formula(self) -> str:
        """The kernel as a formula in x and x'."""
        product = "<x, x'>" if self.scale == 1 else f"{self.scale:g} <x, x'>"
        base = f"{self.offset:g} + {product}" if self.offset else product
        return f"({base})^{self.degree}"

    def band(self, left: Vectors, right: Vectors, out: Anything, start: int) -> None:
        """Multiply, then raise to the power."""
        from referee.kernels.loops import power

        m = len(right)
        np.matmul(left.values, right.values.T, out=out[:, start : start + m])
        power(out, start, m, float(self.scale), float(self.offset), int(self.degree))

    def own_values(self, points: Floats) -> Floats:
        """Return powers of squared norms."""
        return np.asarray((self.offset + self.scale * _norms(points)) ** self.degree)

    def rounding(self, points: Floats, dtype: Precision) -> float:
        """Bound the error of a product and what the power makes of it."""
        base = self.offset + self.scale * float(_norms(points).max(initial=0.0))
        slope = self.degree * base ** (self.degree - 1)
        own = float(np.finfo(dtype).eps) * self.degree * base**self.degree
        return slope * self.scale * super().rounding(points, dtype) + own


def _norms(points: Floats) -> Floats:
    return np.asarray(np.einsum("ij,ij->i", points, points))
