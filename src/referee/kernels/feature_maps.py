"""Explicit feature maps of small kernels: phi with <phi(x), phi(x')> = k(x, x')."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from referee.core.arrays import Floats
from referee.errors import InputError
from referee.kernels.algebra import Product, Scaled, Shifted, Sum
from referee.kernels.given import FeatureMap
from referee.kernels.histograms import HistogramIntersection
from referee.kernels.inner_products import Linear, Polynomial
from referee.kernels.kernel import Kernel
from referee.kernels.points import checked_histograms, checked_numbers

__all__ = ["MAPS_OF_TWICE_THE_PRODUCT", "ExplicitMap", "explicit_map"]

_LARGEST = 100_000


@dataclass(frozen=True)
class ExplicitMap:
    """A feature map with names for its coordinates.

    Attributes
    ----------
    kernel : Kernel
        The kernel it is a map of.
    features : int
        How many numbers a point has.
    names : tuple of str
        The coordinates as formulas, x1 the first feature.

    Examples
    --------
    >>> phi = explicit_map(Polynomial(degree=2), 2)
    >>> phi.names
    ('1', '1.414 x1', '1.414 x2', 'x1^2', '1.414 x1 x2', 'x2^2')
    >>> x, z = [[1.0, 2.0]], [[3.0, 1.0]]
    >>> (phi(x) @ phi(z).T).round(9).tolist(), phi.kernel.gram(x, z).tolist()
    ([[36.0]], [[36.0]])
    """

    kernel: Kernel
    features: int
    names: tuple[str, ...]
    images: Callable[[Floats], Floats]

    def __call__(self, X: Any) -> Floats:
        """Return phi(x) for every row of X."""
        table = checked_numbers(X)
        if table.shape[1] != self.features:
            raise InputError(
                f"must have {self.features} columns", argument="X", value=str(table.shape[1])
            )
        return self.images(table)

    def __len__(self) -> int:
        return len(self.names)


def _root_two_x(x: Any) -> list[float]:
    return [math.sqrt(2) * x[0]]


def _x_minus_x(x: Any) -> list[float]:
    return [x[0], -x[0]]


def _x_zero_x(x: Any) -> list[float]:
    return [x[0], 0.0, x[0]]


MAPS_OF_TWICE_THE_PRODUCT: dict[str, FeatureMap] = {
    "sqrt(2) x": FeatureMap(_root_two_x),
    "(x, -x)": FeatureMap(_x_minus_x),
    "(x, 0, x)": FeatureMap(_x_zero_x),
}
"""Three feature maps of k(x, x') = 2 x x': a kernel does not determine its map."""


def explicit_map(kernel: Kernel, features: int, *, largest: int | None = None) -> ExplicitMap:
    """Return a feature map of a kernel on tables with that many features.

    Known are Linear, Polynomial, FeatureMap, HistogramIntersection of whole numbers, and sums,
    products, scalings and shifts of these. The map is not unique: turning it changes nothing.

    Parameters
    ----------
    kernel : Kernel
    features : int
        The number of columns, at least 1.
    largest : int, optional
        For HistogramIntersection: the largest count. Each bin becomes a row of ones, as many as
        its count, then zeros (unary code).

    Examples
    --------
    >>> phi = explicit_map(HistogramIntersection(), 2, largest=3)
    >>> phi([[2, 0], [1, 3]]).astype(int).tolist()
    [[1, 1, 0, 0, 0, 0], [1, 0, 0, 1, 1, 1]]
    >>> len(explicit_map(Linear() * Linear() + 1, 3))
    10
    """
    if not isinstance(features, int) or features < 1:
        raise InputError(
            "must be a whole number of at least 1", argument="features", value=repr(features)
        )
    names, images = _map_of(kernel, features, largest)
    return ExplicitMap(kernel, features, names, images)


def _map_of(
    kernel: Kernel, d: int, largest: int | None
) -> tuple[tuple[str, ...], Callable[[Floats], Floats]]:
    if isinstance(kernel, Linear):
        return tuple(f"x{j + 1}" for j in range(d)), lambda X: X
    if isinstance(kernel, Polynomial):
        return _polynomial(kernel, d)
    if isinstance(kernel, HistogramIntersection):
        return _unary(d, largest)
    if isinstance(kernel, FeatureMap):
        width = kernel.checked(np.zeros((1, d))).shape[1]
        return tuple(f"phi{j + 1}(x)" for j in range(width)), kernel.checked
    if isinstance(kernel, (Sum, Product)):
        return _of_two(kernel, d, largest)
    if isinstance(kernel, (Scaled, Shifted)):
        return _of_one(kernel, d, largest)
    raise InputError(
        f"no finite feature map of {kernel!r} is known",
        remedy=(
            "use Linear, Polynomial, FeatureMap, HistogramIntersection, or sums, products, "
            "scalings and shifts of them"
        ),
    )


def _polynomial(kernel: Polynomial, d: int) -> tuple[tuple[str, ...], Callable[[Floats], Floats]]:
    """Expand (c + s <x, x'>)^p: a monomial's weight is the root of its multinomial coefficient."""
    p = int(kernel.degree)
    count = math.comb(d + p, p) if kernel.offset else math.comb(d + p - 1, p)
    _check_size(count)
    monomials = list(_monomials(kernel, d))
    weights = np.array([w for w, _ in monomials])
    names = tuple(_monomial_name(w, e) for w, e in monomials)

    def images(X: Floats) -> Floats:
        columns = [
            np.prod([X[:, j] for j in e], axis=0) if e else np.ones(len(X)) for _, e in monomials
        ]
        return np.asarray(np.column_stack(columns) * weights)

    return names, images


def _monomials(kernel: Polynomial, d: int) -> Iterator[tuple[float, tuple[int, ...]]]:
    p = int(kernel.degree)
    for order in range(0 if kernel.offset else p, p + 1):
        common = math.comb(p, order) * kernel.offset ** (p - order) * kernel.scale**order
        for exponents in combinations_with_replacement(range(d), order):
            orders = [exponents.count(j) for j in set(exponents)]
            ways = math.factorial(order) // math.prod(math.factorial(m) for m in orders)
            yield math.sqrt(common * ways), exponents


def _monomial_name(weight: float, exponents: tuple[int, ...]) -> str:
    powers = [
        f"x{j + 1}" + (f"^{exponents.count(j)}" if exponents.count(j) > 1 else "")
        for j in sorted(set(exponents))
    ]
    if weight != 1 or not powers:
        powers.insert(0, f"{weight:.4g}")
    return " ".join(powers)


def _unary(d: int, largest: int | None) -> tuple[tuple[str, ...], Callable[[Floats], Floats]]:
    if not isinstance(largest, int) or largest < 1:
        raise InputError(
            "HistogramIntersection has a finite feature map for counts up to a bound only",
            remedy=f"give largest, a whole number of at least 1, got {largest!r}",
        )
    _check_size(d * largest)
    steps = np.arange(largest)
    names = tuple(f"[x{j + 1} > {m}]" for j in range(d) for m in steps)

    def images(X: Floats) -> Floats:
        counts = checked_histograms(X)
        bad = (counts != np.floor(counts)) | (counts > largest)
        if bad.any():
            row, column = np.argwhere(bad)[0]
            raise InputError(
                f"must hold whole numbers up to largest={largest}, got {counts[row, column]} in "
                f"row {row}, column {column}",
                argument="X",
            )
        return (counts[:, :, None] > steps).reshape(len(counts), -1).astype(np.float64)

    return names, images


def _of_two(
    kernel: Sum | Product, d: int, largest: int | None
) -> tuple[tuple[str, ...], Callable[[Floats], Floats]]:
    """Put the maps of a sum side by side; of a product, multiply every pair of coordinates."""
    first, one = _map_of(kernel.first, d, largest)
    second, two = _map_of(kernel.second, d, largest)
    if isinstance(kernel, Sum):
        return first + second, lambda X: np.hstack([one(X), two(X)])
    _check_size(len(first) * len(second))
    names = tuple(f"{a} {b}" for a in first for b in second)
    return names, lambda X: (one(X)[:, :, None] * two(X)[:, None, :]).reshape(len(X), -1)


def _of_one(
    kernel: Scaled | Shifted, d: int, largest: int | None
) -> tuple[tuple[str, ...], Callable[[Floats], Floats]]:
    names, images = _map_of(kernel.kernel, d, largest)
    if isinstance(kernel, Scaled):
        root = math.sqrt(kernel.factor)
        return tuple(f"{root:.4g} {n}" for n in names), lambda X: root * images(X)
    root = math.sqrt(kernel.constant)
    return (*names, f"{root:.4g}"), lambda X: np.hstack([images(X), np.full((len(X), 1), root)])


def _check_size(size: int) -> None:
    if size > _LARGEST:
        raise InputError(
            f"the feature map would have {size} coordinates, more than {_LARGEST}; that is what "
            "kernels are for: use gram",
            concerning="kernel",
        )
