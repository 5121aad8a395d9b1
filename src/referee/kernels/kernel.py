"""What every kernel can do: values, rows for solvers, formulas and algebra."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np

from referee.core.arrays import Anything, Floats
from referee.errors import InputError
from referee.kernels.points import Precision, Side

if TYPE_CHECKING:
    from referee.kernels.rows import PreparedRows

__all__ = [
    "Kernel",
    "KernelOverflow",
    "checked_dtype",
    "checked_exponent",
    "checked_number",
    "fill",
    "finite_number",
]

_BAND = 256
"""Columns worked on at a time: with 512 rows a band of f32 values fits the second-level cache."""

_ROWS = 512
"""Rows of a kernel matrix worked on at a time."""


class KernelOverflow(InputError):
    """A kernel value is too large for the numbers it is computed in."""


class Kernel(ABC):
    """A positive definite function k(x, x') of two points.

    Kernels are values: frozen, compared by their parameters, hashable and picklable, so that they
    can be parameters of scikit-learn estimators. Kernels can be added, multiplied, scaled by a
    positive number, shifted by a number that is not negative, and put into `exp`; the result is a
    kernel again. ``str`` gives the formula, ``repr`` the Python.

    Examples
    --------
    >>> from referee.kernels import Gaussian, Linear
    >>> k = 2 * Linear() + Gaussian(gamma=0.5) * Linear()
    >>> print(k)
    2 <x, x'> + exp(-0.5 |x - x'|^2) <x, x'>
    >>> k
    2 * Linear() + Gaussian(gamma=0.5) * Linear()
    >>> k.gram([[0.0], [1.0]]).tolist()
    [[0.0, 0.0], [0.0, 3.0]]
    """

    def gram(
        self,
        X: Any,
        Z: Any = None,
        *,
        dtype: Any = np.float64,
        n_jobs: int = 1,
    ) -> Anything:
        """Return the matrix of k(x, z), rows of X against rows of Z (X itself by default).

        Parameters
        ----------
        X, Z : array-like of shape (n, d) and (m, d)
            Points; for `FromFunction` and `FeatureMap` lists of anything.
        dtype : {numpy.float64, numpy.float32}
            The precision it is computed in.
        n_jobs : int
            Threads. The values do not depend on it.

        Returns
        -------
        array of shape (n, m)
            Exactly symmetric where Z is not given.

        Examples
        --------
        >>> from referee.kernels import Polynomial
        >>> Polynomial(degree=2).gram([[1.0, 0.0]], [[1.0, 2.0], [0.0, 1.0]]).tolist()
        [[4.0, 1.0]]
        """
        precision = checked_dtype(dtype)
        kernel = self.resolved(X)
        left = kernel.side(kernel.checked(X, "X"), precision)
        if Z is None:
            return _symmetric(kernel, left, precision, n_jobs)
        right = kernel.side(kernel.checked(Z, "Z"), precision, like=left)
        out = np.empty((len(left), len(right)), dtype=precision)
        _in_threads(
            [(left.take(rows), right, out[rows]) for rows in _slices(len(left))], kernel, n_jobs
        )
        return out

    def diagonal(self, X: Any) -> Floats:
        """Return k(x, x) for every row of X.

        Examples
        --------
        >>> from referee.kernels import Linear
        >>> Linear().diagonal([[3.0, 4.0], [0.0, 1.0]]).tolist()
        [25.0, 1.0]
        """
        kernel = self.resolved(X)
        return np.asarray(kernel.own_values(kernel.checked(X, "X")), dtype=np.float64)

    def prepare(self, X: Any, dtype: Any = np.float64) -> PreparedRows:
        """Lay X out so that rows of its kernel matrix come fast; see `PreparedRows`.

        Examples
        --------
        >>> from referee.kernels import Linear
        >>> rows = Linear().prepare([[1.0], [2.0], [3.0]])
        >>> rows.block([2]).tolist(), rows.evaluations
        ([[3.0, 6.0, 9.0]], 3)
        """
        from referee.kernels.rows import PreparedRows

        return PreparedRows(self.resolved(X), X, checked_dtype(dtype))

    def resolved(self, X: Any) -> Kernel:
        """Return the kernel with parameters that depend on the data filled in."""
        return self

    @property
    @abstractmethod
    def formula(self) -> str:
        """The kernel as a formula in x and x'."""

    @abstractmethod
    def checked(self, X: Any, name: str = "X") -> Any:
        """Return the points as this kernel takes them, or raise an `InputError`."""

    @abstractmethod
    def side(self, points: Any, dtype: Precision, *, like: Any = None) -> Side:
        """Lay out checked points; ``like`` is the side they will meet."""

    @abstractmethod
    def band(self, left: Any, right: Any, out: Anything, start: int) -> None:
        """Fill columns start ... of out, which is C-contiguous, with the values of two sides."""

    @abstractmethod
    def own_values(self, points: Any) -> Floats:
        """Return k(x, x) of checked points."""

    def rounding(self, points: Any, dtype: Precision) -> float:
        """Bound, roughly, the absolute error of values among these points in this precision."""
        return float("nan")

    def __str__(self) -> str:
        return self.formula

    def __add__(self, other: Kernel | float) -> Kernel:
        from referee.kernels import algebra

        return algebra.added(self, other)

    def __radd__(self, other: float) -> Kernel:
        return self + other

    def __mul__(self, other: Kernel | float) -> Kernel:
        from referee.kernels import algebra

        return algebra.multiplied(self, other)

    def __rmul__(self, other: float) -> Kernel:
        return self * other

    def __truediv__(self, other: float) -> Kernel:
        return self * (1.0 / checked_number(other, "divisor", above=0))

    def __pow__(self, exponent: int) -> Kernel:
        from referee.kernels import algebra

        return algebra.raised(self, exponent)


def checked_dtype(dtype: Any) -> Precision:
    """Return numpy.float32 or numpy.float64."""
    for precision in (np.float64, np.float32):
        if np.dtype(dtype) == precision:
            return precision
    raise InputError("must be numpy.float64 or numpy.float32", argument="dtype", value=repr(dtype))


def checked_number(value: Any, name: str, *, above: float | None = None, least: float = 0) -> float:
    """Return a finite number above a bound, or at least as large as one."""
    number = finite_number(value)
    good = number is not None and (number > above if above is not None else number >= least)
    if number is None or not good:
        bound = f"be greater than {above:g}" if above is not None else f"be at least {least:g}"
        raise InputError(f"{name} must {bound}", concerning=name, value=repr(value))
    return number


def checked_exponent(value: Any, name: str) -> int:
    """Return a whole number of at least 1."""
    whole = isinstance(value, Integral) and not isinstance(value, (bool, np.bool_))
    if not whole or int(value) < 1:
        raise InputError(
            f"{name} must be a whole number of at least 1, got {value!r}; other powers of a "
            "kernel need not be kernels",
            concerning=name,
        )
    return int(value)


def finite_number(value: Any) -> float | None:
    """Return a finite number as a float, None where it is something else."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
        return None
    return float(value) if np.isfinite(float(value)) else None


def fill(kernel: Kernel, left: Side, right: Side, out: Anything, first: int = 0) -> None:
    """Fill out with the values of two sides, band by band, from a column on."""
    for start in range(first, len(right), _BAND):
        kernel.band(left, right.take(slice(start, start + _BAND)), out, start)


def _symmetric(kernel: Kernel, side: Side, dtype: Precision, n_jobs: int) -> Anything:
    """Compute the blocks on and above the diagonal, and mirror them."""
    from referee.kernels.loops import mirror

    out = np.empty((len(side), len(side)), dtype=dtype)

    def one(rows: slice) -> None:
        fill(kernel, side.take(rows), side, out[rows], rows.start)
        # Within a block, too: BLAS may round the two halves of a square differently.
        mirror(out, rows.start, min(rows.stop, len(side)))

    _run(one, list(_slices(len(side))), n_jobs)
    return out


def _in_threads(jobs: list[tuple[Side, Side, Anything]], kernel: Kernel, n_jobs: int) -> None:
    _run(lambda job: fill(kernel, *job), jobs, n_jobs)


def _run(work: Any, jobs: list[Any], n_jobs: int) -> None:
    if n_jobs == 1 or len(jobs) < 2:
        for job in jobs:
            work(job)
        return
    with ThreadPoolExecutor(n_jobs) as pool:
        list(pool.map(work, jobs))


def _slices(n: int) -> Iterator[slice]:
    for start in range(0, n, _ROWS):
        yield slice(start, start + _ROWS)
