"""Kernels of histograms: intersection, chi-squared and its exponential."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.core.arrays import Anything, Floats
from referee.kernels.distances import checked_gamma
from referee.kernels.kernel import Kernel, KernelOverflow
from referee.kernels.points import Bins, Precision, checked_histograms

__all__ = ["ChiSquared", "ExpChiSquared", "HistogramIntersection"]


class _Histogram(Kernel):
    def checked(self, X: Any, name: str = "X") -> Floats:
        return checked_histograms(X, name)

    def side(self, points: Floats, dtype: Precision, *, like: Bins | None = None) -> Bins:
        largest = float(np.finfo(dtype).max) / (4 * max(1, points.shape[1]))
        if points.size and points.max() > largest:
            raise KernelOverflow(
                f"kernels of histograms overflow in {np.dtype(dtype)}: X or Z holds "
                f"{points.max():g}, more than {largest:.3g}; scale the features down"
            )
        return Bins.of(points, dtype, like=like)

    def rounding(self, points: Floats, dtype: Precision) -> float:
        largest = float(points.sum(axis=1).max(initial=0.0))
        return float(np.finfo(dtype).eps) * (3 + math.sqrt(points.shape[1])) * largest


@dataclass(frozen=True)
class HistogramIntersection(_Histogram):
    """The histogram intersection kernel sum_j min(x_j, x'_j), for numbers that are not negative.

    Examples
    --------
    >>> print(HistogramIntersection())
    sum_j min(x_j, x'_j)
    >>> HistogramIntersection().gram([[3.0, 1.0]], [[2.0, 5.0]]).tolist()
    [[3.0]]
    """

    @property
    def formula(self) -> str:
        """The kernel as a formula in x and x'."""
        return "sum_j min(x_j, x'_j)"

    def band(self, left: Bins, right: Bins, out: Anything, start: int) -> None:
        """Sum minima."""
        from referee.kernels.loops import intersection

        intersection(left.values, np.ascontiguousarray(right.values.T), out, start)

    def own_values(self, points: Floats) -> Floats:
        """Return the sums of the bins."""
        return np.asarray(points.sum(axis=1))


@dataclass(frozen=True)
class ChiSquared(_Histogram):
    """The chi-squared kernel sum_j x_j x'_j / (x_j + x'_j), for numbers that are not negative.

    A bin that is empty in both histograms counts 0 (the lecture notes leave 0 / 0 open).

    Notes
    -----
    scikit-learn's ``additive_chi2_kernel`` is another function, -sum_j (x_j - x'_j)^2 /
    (x_j + x'_j). With s and s' the sums of the bins it equals 4 k(x, x') - s - s', which is not
    positive definite (only conditionally so). Elsewhere 2 x x' / (x + x') is called the
    chi-squared kernel: that is ``2 * ChiSquared()``.

    Examples
    --------
    >>> print(ChiSquared())
    sum_j x_j x'_j / (x_j + x'_j)
    >>> ChiSquared().gram([[3.0, 0.0]], [[1.0, 0.0]]).tolist()
    [[0.75]]
    """

    @property
    def formula(self) -> str:
        """The kernel as a formula in x and x'."""
        return "sum_j x_j x'_j / (x_j + x'_j)"

    def band(self, left: Bins, right: Bins, out: Anything, start: int) -> None:
        """Sum fractions."""
        _chi_squared(left, right, False, out, start)

    def own_values(self, points: Floats) -> Floats:
        """Return half the sums of the bins."""
        return np.asarray(points.sum(axis=1) / 2)


@dataclass(frozen=True)
class ExpChiSquared(_Histogram):
    """The kernel exp(-gamma sum_j (x_j - x'_j)^2 / (x_j + x'_j)).

    A bin that is empty in both histograms counts 0 (the lecture notes leave 0 / 0 open). This is
    scikit-learn's ``chi2_kernel``.

    Parameters
    ----------
    gamma : float
        Positive.

    Examples
    --------
    >>> print(ExpChiSquared(gamma=0.5))
    exp(-0.5 sum_j (x_j - x'_j)^2 / (x_j + x'_j))
    >>> ExpChiSquared(gamma=1.0).gram([[3.0, 0.0]], [[1.0, 0.0]]).round(4).tolist()
    [[0.3679]]
    """

    gamma: float = 1.0

    def __post_init__(self) -> None:
        checked_gamma(self.gamma, by_data=False)

    @property
    def formula(self) -> str:
        """The kernel as a formula in x and x'."""
        rate = "" if self.gamma == 1 else f"{self.gamma:g} "
        return f"exp(-{rate}sum_j (x_j - x'_j)^2 / (x_j + x'_j))"

    def band(self, left: Bins, right: Bins, out: Anything, start: int) -> None:
        """Sum fractions, then exponentiate."""
        from referee.kernels.loops import decay

        _chi_squared(left, right, True, out, start)
        decay(out, start, len(right), float(self.gamma))

    def own_values(self, points: Floats) -> Floats:
        """Return ones."""
        return np.ones(len(points))

    def rounding(self, points: Floats, dtype: Precision) -> float:
        """Bound the error of the sum, times gamma, and that of the exponential."""
        eps = float(np.finfo(dtype).eps)
        return min(1.0, 2 * eps + self.gamma * super().rounding(points, dtype))


def _chi_squared(left: Bins, right: Bins, squared: bool, out: Anything, start: int) -> None:
    from referee.kernels.loops import chi_squared

    columns = np.ascontiguousarray(right.values.T)
    chi_squared(left.values, columns, squared, min(left.at_once, right.at_once), out, start)
