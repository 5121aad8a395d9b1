"""What sums, products, scalings, shifts and exponentials make of kernels: kernels again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.core.arrays import Anything, Floats
from referee.errors import InputError
from referee.kernels.given import Precomputed, sides_of_values
from referee.kernels.kernel import Kernel, KernelOverflow, checked_exponent, finite_number
from referee.kernels.points import Pair, Precision, Side

__all__ = [
    "Exponential",
    "Product",
    "Scaled",
    "Shifted",
    "Sum",
    "added",
    "exp",
    "multiplied",
    "of_matrix",
    "parts",
    "raised",
    "takes_matrix",
]


def added(kernel: Kernel, other: Any) -> Kernel:
    """Return kernel + other, a kernel or a number that is not negative."""
    if isinstance(other, Kernel):
        return Sum(kernel, other)
    constant = _number(other, "added to")
    if constant < 0:
        raise InputError(
            f"a constant added to a kernel must be at least 0, got {other!r}: the difference need "
            "not be positive definite",
            concerning="other",
        )
    return Shifted(kernel, constant) if constant else kernel


def multiplied(kernel: Kernel, other: Any) -> Kernel:
    """Return kernel * other, a kernel or a positive number."""
    if isinstance(other, Kernel):
        return Product(kernel, other)
    factor = _number(other, "multiplied with")
    if factor <= 0:
        raise InputError(
            f"a kernel may be scaled by a number greater than 0 only, got {other!r}: the result "
            "would not be a positive definite kernel",
            concerning="other",
        )
    return Scaled(kernel, factor) if factor != 1 else kernel


def raised(kernel: Kernel, exponent: Any) -> Kernel:
    """Return kernel ** exponent, a product of equal kernels."""
    power = kernel
    for _ in range(checked_exponent(exponent, "the exponent of a kernel") - 1):
        power = Product(power, kernel)
    return power


def exp(kernel: Kernel) -> Kernel:
    """Return the kernel exp(k).

    Examples
    --------
    >>> from referee.kernels import Linear
    >>> print(exp(2 * Linear()))
    exp(2 <x, x'>)
    >>> exp(Linear()).gram([[1.0]], [[0.0], [1.0]]).round(3).tolist()
    [[1.0, 2.718]]
    """
    if not isinstance(kernel, Kernel):
        raise InputError(
            "kernels.exp takes a kernel", value=repr(kernel), remedy="for numbers use numpy.exp"
        )
    return Exponential(kernel)


class _OfOne(Kernel):
    kernel: Kernel

    def checked(self, X: Any, name: str = "X") -> Any:
        return self.kernel.checked(X, name)

    def side(self, points: Any, dtype: Precision, *, like: Any = None) -> Side:
        return self.kernel.side(points, dtype, like=like)


class _OfTwo(Kernel):
    first: Kernel
    second: Kernel

    def __post_init__(self) -> None:
        if takes_matrix(self.first) != takes_matrix(self.second):
            raise InputError(
                "Precomputed takes kernel matrices where other kernels take points, so that they "
                "cannot be combined",
                remedy="compute the other matrix with gram and combine the matrices",
            )

    def resolved(self, X: Any) -> Kernel:
        return type(self)(self.first.resolved(X), self.second.resolved(X))  # type: ignore[call-arg]

    def checked(self, X: Any, name: str = "X") -> tuple[Any, Any]:
        return self.first.checked(X, name), self.second.checked(X, name)

    def side(self, points: tuple[Any, Any], dtype: Precision, *, like: Any = None) -> Pair:
        one, two = (None, None) if like is None else (like.first, like.second)
        return Pair(
            self.first.side(points[0], dtype, like=one),
            self.second.side(points[1], dtype, like=two),
        )

    def _both(
        self, left: Pair, right: Pair, out: Anything, start: int
    ) -> tuple[Anything, Anything]:
        """Return two bands: one of out, filled with the first kernel, and one of the second."""
        self.first.band(left.first, right.first, out, start)
        other = np.empty((len(left), len(right)), dtype=out.dtype)
        self.second.band(left.second, right.second, other, 0)
        return out[:, start : start + len(right)], other


@dataclass(frozen=True, repr=False)
class Sum(_OfTwo):
    """k1 + k2."""

    first: Kernel
    second: Kernel

    def __repr__(self) -> str:
        loose = isinstance(self.second, (Sum, Shifted))
        return (
            f"{self.first!r} + ({self.second!r})" if loose else f"{self.first!r} + {self.second!r}"
        )

    @property
    def formula(self) -> str:
        """The kernel as a formula in x and x'."""
        return f"{self.first.formula} + {self.second.formula}"

    def band(self, left: Pair, right: Pair, out: Anything, start: int) -> None:
        """Add."""
        band, other = self._both(left, right, out, start)
        band += other

    def own_values(self, points: tuple[Any, Any]) -> Floats:
        """Add."""
        return self.first.own_values(points[0]) + self.second.own_values(points[1])

    def rounding(self, points: tuple[Any, Any], dtype: Precision) -> float:
        """Add."""
        both = self.first.rounding(points[0], dtype) + self.second.rounding(points[1], dtype)
        return both + _unit(self, points, dtype)


@dataclass(frozen=True, repr=False)
class Product(_OfTwo):
    """k1 k2."""

    first: Kernel
    second: Kernel

    def __repr__(self) -> str:
        return f"{_python_factor(self.first)} * {_python_factor(self.second, right=True)}"

    @property
    def formula(self) -> str:
        """The kernel as a formula in x and x'."""
        return f"{_factor(self.first)} {_factor(self.second)}"

    def band(self, left: Pair, right: Pair, out: Anything, start: int) -> None:
        """Multiply."""
        band, other = self._both(left, right, out, start)
        band *= other

    def own_values(self, points: tuple[Any, Any]) -> Floats:
        """Multiply."""
        return self.first.own_values(points[0]) * self.second.own_values(points[1])

    def rounding(self, points: tuple[Any, Any], dtype: Precision) -> float:
        """Weight the error of each by the largest value of the other."""
        one = self.first.rounding(points[0], dtype) * _largest(self.second, points[1])
        two = self.second.rounding(points[1], dtype) * _largest(self.first, points[0])
        return one + two + _unit(self, points, dtype)


@dataclass(frozen=True, repr=False)
class Scaled(_OfOne):
    """A kernel times a positive number."""

    kernel: Kernel
    factor: float

    def __repr__(self) -> str:
        return f"{_python_number(self.factor)} * {_python_factor(self.kernel, right=True)}"

    @property
    def formula(self) -> str:
        """The kernel as a formula in x and x'."""
        scaled = _factor(self.kernel)
        inner = f"({scaled})" if isinstance(self.kernel, Scaled) else scaled
        return f"{self.factor:g} {inner}"

    def resolved(self, X: Any) -> Kernel:
        """Resolve the kernel that is scaled."""
        return Scaled(self.kernel.resolved(X), self.factor)

    def band(self, left: Any, right: Any, out: Anything, start: int) -> None:
        """Scale."""
        self.kernel.band(left, right, out, start)
        out[:, start : start + len(right)] *= out.dtype.type(self.factor)

    def own_values(self, points: Any) -> Floats:
        """Scale."""
        return self.factor * self.kernel.own_values(points)

    def rounding(self, points: Any, dtype: Precision) -> float:
        """Scale."""
        return self.factor * self.kernel.rounding(points, dtype) + _unit(self, points, dtype)


@dataclass(frozen=True, repr=False)
class Shifted(_OfOne):
    """A kernel plus a number that is not negative."""

    kernel: Kernel
    constant: float

    def __repr__(self) -> str:
        return f"{self.kernel!r} + {_python_number(self.constant)}"

    @property
    def formula(self) -> str:
        """The kernel as a formula in x and x'."""
        return f"{self.kernel.formula} + {self.constant:g}"

    def resolved(self, X: Any) -> Kernel:
        """Resolve the kernel that is shifted."""
        return Shifted(self.kernel.resolved(X), self.constant)

    def band(self, left: Any, right: Any, out: Anything, start: int) -> None:
        """Add."""
        self.kernel.band(left, right, out, start)
        out[:, start : start + len(right)] += out.dtype.type(self.constant)

    def own_values(self, points: Any) -> Floats:
        """Add."""
        return self.constant + self.kernel.own_values(points)

    def rounding(self, points: Any, dtype: Precision) -> float:
        """Return the error of the kernel, and of the sum."""
        return self.kernel.rounding(points, dtype) + _unit(self, points, dtype)


@dataclass(frozen=True, repr=False)
class Exponential(_OfOne):
    """exp(k); beyond the range of numbers it is infinite, and refused."""

    kernel: Kernel

    def __repr__(self) -> str:
        return f"exp({self.kernel!r})"

    @property
    def formula(self) -> str:
        """The kernel as a formula in x and x'."""
        return f"exp({self.kernel.formula})"

    def resolved(self, X: Any) -> Kernel:
        """Resolve the kernel in the exponent."""
        return Exponential(self.kernel.resolved(X))

    def band(self, left: Any, right: Any, out: Anything, start: int) -> None:
        """Exponentiate."""
        self.kernel.band(left, right, out, start)
        band = out[:, start : start + len(right)]
        largest = float(band.max(initial=-np.inf))
        if largest >= np.log(np.finfo(out.dtype).max):
            raise KernelOverflow(
                f"exp(k) overflows in {out.dtype}: k reaches {largest:g}; scale the features or "
                "the kernel down" + (", or use dtype=float64" if out.dtype == np.float32 else "")
            )
        np.exp(band, out=band)

    def own_values(self, points: Any) -> Floats:
        """Exponentiate."""
        with np.errstate(over="ignore"):
            return np.asarray(np.exp(self.kernel.own_values(points)))

    def rounding(self, points: Any, dtype: Precision) -> float:
        """Weight the error of the exponent by the largest value."""
        with np.errstate(over="ignore"):
            largest = float(np.exp(_largest(self.kernel, points)))
        return largest * (self.kernel.rounding(points, dtype) + 2 * float(np.finfo(dtype).eps))


def parts(kernel: Kernel) -> Iterator[Kernel]:
    """Yield the kernels that a sum, product and so on is made of.

    Examples
    --------
    >>> from referee.kernels import Gaussian, Linear
    >>> list(parts(2 * Gaussian(gamma=1.0) + exp(Linear())))
    [Gaussian(gamma=1.0), Linear()]
    """
    if isinstance(kernel, _OfTwo):
        yield from parts(kernel.first)
        yield from parts(kernel.second)
    elif isinstance(kernel, _OfOne):
        yield from parts(kernel.kernel)
    else:
        yield kernel


def takes_matrix(kernel: Kernel) -> bool:
    """Whether a kernel takes kernel matrices in the place of points."""
    return any(part == Precomputed() for part in parts(kernel))


def of_matrix(kernel: Kernel, K: Floats) -> Floats:
    """Return what a kernel made of `Precomputed` makes of given values; K itself if nothing.

    Examples
    --------
    >>> of_matrix(2 * Precomputed() + 1, np.array([[3.0, 0.5]])).tolist()
    [[7.0, 2.0]]
    """
    if not isinstance(kernel, _OfOne | _OfTwo):
        return K
    out = np.empty(K.shape)
    kernel.band(*_sides_of_values(kernel, K), out, 0)
    return out


def _sides_of_values(kernel: Kernel, K: Floats) -> tuple[Side, Side]:
    """Lay out given values for every part of a kernel."""
    if isinstance(kernel, _OfOne):
        return _sides_of_values(kernel.kernel, K)
    if isinstance(kernel, _OfTwo):
        one, two = _sides_of_values(kernel.first, K), _sides_of_values(kernel.second, K)
        return Pair(one[0], two[0]), Pair(one[1], two[1])
    return sides_of_values(K)


def _largest(kernel: Kernel, points: Any) -> float:
    """Return the largest k(x, x), which no value of a kernel exceeds."""
    return float(kernel.own_values(points).max(initial=0.0))


def _unit(kernel: Kernel, points: Any, dtype: Precision) -> float:
    """Return what one more operation may round away."""
    return float(np.finfo(dtype).eps) * _largest(kernel, points)


def _number(value: Any, done: str) -> float:
    number = finite_number(value)
    if number is None:
        raise InputError(f"a kernel can be {done} a kernel or a finite number", value=repr(value))
    return number


def _factor(kernel: Kernel) -> str:
    loose = isinstance(kernel, (Sum, Shifted)) or kernel.formula.startswith("sum_j")
    return f"({kernel.formula})" if loose else kernel.formula


def _python_factor(kernel: Kernel, *, right: bool = False) -> str:
    loose = (Sum, Shifted, Scaled, Product) if right else (Sum, Shifted)
    return f"({kernel!r})" if isinstance(kernel, loose) else repr(kernel)


def _python_number(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)
