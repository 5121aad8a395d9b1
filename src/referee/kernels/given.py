"""Kernels the user gives: a feature map, a function of two points, a matrix of values."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.core.arrays import Anything, Floats, Rows
from referee.errors import InputError
from referee.kernels.kernel import Kernel, KernelOverflow
from referee.kernels.points import (
    Objects,
    Precision,
    Selection,
    Vectors,
    checked_numbers,
    checked_objects,
)

__all__ = [
    "ASYMMETRY",
    "FeatureMap",
    "FromFunction",
    "Precomputed",
    "check_matrix",
    "sides_of_values",
]

ASYMMETRY = 1e-6
"""Of the largest value: what matrices computed in single precision may differ by."""


_CHECKED = 64
"""Rows of a matrix whose symmetry is checked at a time."""


@dataclass(frozen=True)
class FeatureMap(Kernel):
    """The kernel <phi(x), phi(x')> of a feature map, which may be a function into the numbers.

    Parameters
    ----------
    phi : callable
        Takes one point (a row of a table, or anything) and returns a number or a vector of
        numbers, always of one length. Define it with ``def`` in a module if the kernel is to be
        pickled.

    Examples
    --------
    >>> def phi(x):
    ...     return [x[0], -x[0]]
    >>> k = FeatureMap(phi)
    >>> print(k)
    <phi(x), phi(x')>
    >>> k.gram([[3.0]], [[4.0]]).tolist()
    [[24.0]]
    >>> FeatureMap(len).gram(["cat", "horse"]).tolist()
    [[9.0, 15.0], [15.0, 25.0]]
    """

    phi: Callable[[Any], Any]

    def __post_init__(self) -> None:
        if not callable(self.phi):
            raise InputError(
                "must be a function of one point", argument="phi", value=repr(self.phi)
            )

    @property
    def formula(self) -> str:
        """The kernel as a formula in x and x'."""
        name = name_of(self.phi, "phi")
        return f"<{name}(x), {name}(x')>"

    def checked(self, X: Any, name: str = "X") -> Floats:
        """Map the points, and check what comes out."""
        images = [self._image(x, i, name) for i, x in enumerate(checked_objects(X, name))]
        for i, image in enumerate(images):
            if image.shape != images[0].shape:
                raise InputError(
                    "must return vectors of one length",
                    argument="phi",
                    value=(
                        f"{len(images[0])} numbers for point 0 of {name} and {len(image)} "
                        f"for point {i}"
                    ),
                )
        return np.stack(images) if images else np.empty((0, 0))

    def _image(self, x: Any, i: int, name: str) -> Floats:
        value = self.phi(x)
        try:
            image = np.atleast_1d(np.asarray(value, dtype=np.float64))
        except (TypeError, ValueError) as error:
            raise InputError(
                "must return a number or a vector of numbers",
                argument="phi",
                value=f"{value!r} for point {i} of {name}",
            ) from error
        if image.ndim != 1 or not np.isfinite(image).all():
            raise InputError(
                "must return a number or a vector of finite numbers",
                argument="phi",
                value=f"{value!r} for point {i} of {name}",
            )
        return image

    def side(self, points: Floats, dtype: Precision, *, like: Vectors | None = None) -> Vectors:
        """Lay out the mapped points."""
        if like is not None and len(like) and len(points):
            _check_lengths(like.values.shape[1], points.shape[1])
        return Vectors.of(points, dtype)

    def band(self, left: Vectors, right: Vectors, out: Anything, start: int) -> None:
        """Multiply."""
        np.matmul(left.values, right.values.T, out=out[:, start : start + len(right)])

    def own_values(self, points: Floats) -> Floats:
        """Return squared norms."""
        return np.asarray(np.einsum("ij,ij->i", points, points))

    def rounding(self, points: Floats, dtype: Precision) -> float:
        """Bound the error of an inner product."""
        largest = float(self.own_values(points).max(initial=0.0))
        return float(np.finfo(dtype).eps) * math.sqrt(points.shape[1]) * largest


@dataclass(frozen=True)
class FromFunction(Kernel):
    """A kernel given as a function of two points of any kind; nothing checks that it is one.

    `is_positive_definite` searches for points at which it fails.

    Parameters
    ----------
    function : callable
        Takes two points and returns a number. Every value is computed, also k(x', x) after
        k(x, x'). Define it with ``def`` in a module if the kernel is to be pickled.

    Examples
    --------
    >>> def common_letters(x, z):
    ...     return len(set(x) & set(z))
    >>> k = FromFunction(common_letters)
    >>> print(k)
    common_letters(x, x')
    >>> k.gram(["cat", "tack", "dog"]).tolist()
    [[3.0, 3.0, 0.0], [3.0, 4.0, 0.0], [0.0, 0.0, 3.0]]
    """

    function: Callable[[Any, Any], Any]

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise InputError("must take two points", argument="function", value=repr(self.function))

    @property
    def formula(self) -> str:
        """The kernel as a formula in x and x'."""
        return f"{name_of(self.function, 'k')}(x, x')"

    def gram(self, X: Any, Z: Any = None, *, dtype: Any = np.float64, n_jobs: int = 1) -> Anything:
        """Return the matrix of values; unlike other kernels' it is as symmetric as the function."""
        return super().gram(X, X if Z is None else Z, dtype=dtype, n_jobs=n_jobs)

    def checked(self, X: Any, name: str = "X") -> tuple[Any, ...]:
        """Return the points."""
        return checked_objects(X, name)

    def side(self, points: tuple[Any, ...], dtype: Precision, *, like: Any = None) -> Objects:
        """Return the points."""
        return Objects(points)

    def band(self, left: Objects, right: Objects, out: Anything, start: int) -> None:
        """Call the function for every pair."""
        for i, x in enumerate(left.values):
            for j, z in enumerate(right.values):
                out[i, start + j] = self._value(x, z)

    def own_values(self, points: tuple[Any, ...]) -> Floats:
        """Call the function for every point and itself."""
        return np.array([self._value(x, x) for x in points], dtype=np.float64)

    def _value(self, x: Any, z: Any) -> float:
        value = self.function(x, z)
        try:
            number = float(value)
        except (TypeError, ValueError) as error:
            raise InputError(
                f"{name_of(self.function, 'the function')} must return a number",
                value=f"{value!r} for {x!r} and {z!r}",
            ) from error
        if not np.isfinite(number):
            raise KernelOverflow(
                f"{name_of(self.function, 'the function')} must return finite numbers, got "
                f"{number} for {x!r} and {z!r}"
            )
        return number


@dataclass(frozen=True)
class _MatrixSide:
    """Rows of a kernel matrix; numbers are those of the points, None for new ones."""

    values: Anything
    numbers: Rows | None

    def __len__(self) -> int:
        return len(self.values)

    def take(self, rows: Selection) -> _MatrixSide:
        numbers = None if self.numbers is None else self.numbers[rows]
        return _MatrixSide(self.values[rows], numbers)


@dataclass(frozen=True)
class _Columns:
    """The points that the columns of a kernel matrix stand for."""

    numbers: Rows

    def __len__(self) -> int:
        return len(self.numbers)

    def take(self, rows: Selection) -> _Columns:
        return _Columns(self.numbers[rows])


def sides_of_values(K: Floats) -> tuple[_MatrixSide, _Columns]:
    """Return the two sides whose kernel values, by `Precomputed`, are the given ones."""
    return _MatrixSide(K, None), _Columns(np.arange(K.shape[1]))


@dataclass(frozen=True)
class Precomputed(Kernel):
    """Kernel values computed beforehand: X is the kernel matrix of the training points.

    As in scikit-learn, new points are given by the matrix of their values with the training
    points, a row for each.

    Examples
    --------
    >>> rows = Precomputed().prepare([[2.0, 1.0], [1.0, 3.0]])
    >>> rows.block([1]).tolist(), rows.against([[0.5, 0.25]]).tolist()
    ([[1.0, 3.0]], [[0.5, 0.25]])
    >>> Precomputed().gram([[2.0, 1.0], [0.0, 3.0]])
    Traceback (most recent call last):
    ...
    referee.errors.InputError: X must be a symmetric kernel matrix, got 1.0 in row 0, column 1 ...
    """

    @property
    def formula(self) -> str:
        """The kernel as a formula in x and x'."""
        return "K[x, x']"

    def checked(self, X: Any, name: str = "X") -> Floats:
        """Return a table of numbers."""
        return checked_numbers(X, name)

    def side(
        self, points: Floats, dtype: Precision, *, like: _MatrixSide | None = None
    ) -> _MatrixSide:
        """Check that a matrix of training points is square and symmetric, one of new ones wide."""
        if like is None:
            check_matrix(points)
            return _MatrixSide(np.ascontiguousarray(points, dtype), np.arange(len(points)))
        n = like.values.shape[1]
        if points.shape[1] != n:
            raise InputError(
                f"Z must hold the kernel values of new points with all {n} training points, a "
                "column for each",
                value=f"{points.shape[1]} columns",
            )
        return _MatrixSide(np.ascontiguousarray(points, dtype), None)

    def band(
        self, left: _MatrixSide, right: _MatrixSide | _Columns, out: Anything, start: int
    ) -> None:
        """Copy."""
        if right.numbers is None:
            raise InputError(
                "Precomputed knows no values among new points",
                remedy=(
                    "use gram(K) for the training matrix and prepare(K).against(Z) for the "
                    "values of new points with it"
                ),
            )
        out[:, start : start + len(right)] = left.values[:, right.numbers]

    def own_values(self, points: Floats) -> Floats:
        """Return the diagonal."""
        _check_square(points)
        return np.asarray(np.diagonal(points)).copy()

    def rounding(self, points: Floats, dtype: Precision) -> float:
        """Return half a unit of the largest value; in double precision nothing is rounded."""
        if dtype is np.float64:
            return 0.0
        return float(np.finfo(dtype).eps) * float(np.abs(points).max(initial=0.0)) / 2


def name_of(function: Any, otherwise: str) -> str:
    """Return the name of a function as it appears in formulas."""
    name = getattr(function, "__name__", otherwise)
    return otherwise if name == "<lambda>" else str(name)


def _check_lengths(trained: int, new: int) -> None:
    if trained != new:
        raise InputError(
            "phi must return vectors of one length",
            value=f"{trained} numbers for points of X and {new} for points of Z",
        )


def check_matrix(K: Floats) -> None:
    """Raise unless a kernel matrix of training points is square and symmetric."""
    _check_square(K)
    _check_symmetric(K)


def _check_square(K: Floats) -> None:
    if K.shape[0] != K.shape[1]:
        raise InputError(
            f"X must be a square kernel matrix, got shape {K.shape}; values of new points with "
            "training points are given when predicting",
            concerning="X",
        )


def _check_symmetric(K: Floats) -> None:
    """Look block by block, so that no second matrix is made."""
    n = len(K)
    allowed = ASYMMETRY * max((float(np.abs(row).max()) for row in K), default=0.0)
    for start in range(0, n, _CHECKED):
        apart = np.abs(K[start : start + _CHECKED] - K[:, start : start + _CHECKED].T)
        if apart.max() > allowed:
            i, j = np.unravel_index(apart.argmax(), apart.shape)
            i = i + start
            raise InputError(
                f"X must be a symmetric kernel matrix, got {K[i, j]} in row {i}, column {j} and "
                f"{K[j, i]} in row {j}, column {i}",
                concerning="X",
            )
