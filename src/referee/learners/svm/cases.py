"""Training cases as a kernel sees them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from referee.core.arrays import Features, Floats, Rows
from referee.kernels import Kernel
from referee.kernels.algebra import of_matrix, takes_matrix
from referee.kernels.kernel import KernelOverflow, fill
from referee.kernels.points import column_medians

__all__ = ["TOO_LARGE", "Cases", "MatrixCases", "cases_of", "finite_diagonal"]

TOO_LARGE = (
    "kernel values are too large for numbers in double precision; scale the features, or choose a "
    "kernel of smaller values"
)


class Cases(Protocol):
    """Cases whose kernel values can be asked for."""

    @property
    def n(self) -> int:
        """The number of cases."""

    def diagonal(self) -> Floats:
        """Return the kernel of every case with itself."""

    def lengths(self) -> Floats:
        """Return how far out every case lies: its kernel values lose digits with that."""

    def between(self, rows: Rows, columns: Rows) -> Floats:
        """Return kernel values in double precision."""

    def blocks(self, dtype: type) -> Any:
        """Return what makes rows of the kernel matrix in some precision."""

    def upper(self) -> Any:
        """Return what makes rows start to stop of the matrix, from the diagonal on."""

    def some(self, rows: Rows) -> Cases:
        """Return some of the cases."""


class BlockOfRows:
    """Makes rows of a kernel matrix, where they are wanted or in memory that is used again."""

    def __init__(self, prepared: Any, dtype: type) -> None:
        self._prepared = prepared
        self._spare: npt.NDArray[Any] = np.empty((0, len(prepared)), dtype=dtype)

    def __call__(self, rows: Rows, out: npt.NDArray[Any] | None = None) -> npt.NDArray[Any]:
        """Return rows of the matrix; without `out`, valid until the next call."""
        if out is None:
            if len(self._spare) < len(rows):
                shape = (len(rows), self._spare.shape[1])
                self._spare = np.empty(shape, dtype=self._spare.dtype)
            out = self._spare[: len(rows)]
        block: npt.NDArray[Any] = self._prepared.block(rows, out=out)
        return block


@dataclass(frozen=True, eq=False)
class FeatureCases:
    """Cases that have features."""

    kernel: Kernel
    X: Features

    @property
    def n(self) -> int:
        return len(self.X)

    def diagonal(self) -> Floats:
        return np.asarray(self.kernel.diagonal(self.X), dtype=float)

    def lengths(self) -> Floats:
        X = np.asarray(self.X)
        if X.ndim != 2 or X.dtype.kind != "f":
            return np.abs(self.diagonal())
        return np.asarray(((X - column_medians(X)) ** 2).sum(axis=1))

    def between(self, rows: Rows, columns: Rows) -> Floats:
        return np.asarray(self.kernel.gram(self.X[rows], self.X[columns], dtype=np.float64))

    def blocks(self, dtype: type) -> Any:
        return BlockOfRows(self.kernel.prepare(self.X, dtype), dtype)

    def upper(self) -> Any:
        kernel, n = self.kernel, self.n
        side = kernel.side(kernel.checked(self.X), np.float64)
        spare = np.empty(0)

        def part(start: int, stop: int) -> Floats:
            nonlocal spare
            size = (stop - start) * (n - start)
            spare = spare if len(spare) >= size else np.empty(size)
            out = spare[:size].reshape(stop - start, n - start)
            fill(kernel, side.take(slice(start, stop)), side.take(slice(start, n)), out)
            return out

        return part

    def some(self, rows: Rows) -> Cases:
        return FeatureCases(self.kernel, self.X[rows])


@dataclass(frozen=True, eq=False)
class MatrixCases:
    """Cases whose kernel matrix was given."""

    K: Floats

    @property
    def n(self) -> int:
        """The number of cases."""
        return len(self.K)

    def diagonal(self) -> Floats:
        """Return the diagonal."""
        return np.ascontiguousarray(np.diagonal(self.K), dtype=float)

    def lengths(self) -> Floats:
        """Return the size of the diagonal."""
        return np.abs(self.diagonal())

    def between(self, rows: Rows, columns: Rows) -> Floats:
        """Cut out values."""
        return np.asarray(self.K[np.ix_(rows, columns)])

    def blocks(self, dtype: type) -> Any:
        """Return what copies rows, in some precision."""

        def block(rows: Rows, out: npt.NDArray[Any] | None = None) -> npt.NDArray[Any]:
            values: npt.NDArray[Any] = self.K[rows].astype(dtype)
            if out is not None:
                out[:] = values
            return values

        return block

    def upper(self) -> Any:
        """Return what cuts out rows from the diagonal on."""
        return lambda start, stop: self.K[start:stop, start:]

    def some(self, rows: Rows) -> Cases:
        """Cut out some of the cases."""
        return MatrixCases(self.K[np.ix_(rows, rows)])


def finite_diagonal(cases: Cases) -> Floats:
    """Return the diagonal, which bounds all other values of a kernel, or raise if it overflows."""
    with np.errstate(over="ignore"):
        diagonal = cases.diagonal()
    if not np.isfinite(diagonal).all():
        raise KernelOverflow(TOO_LARGE)
    return diagonal


def cases_of(kernel: Kernel, X: Features) -> Cases:
    """Return cases by their features, or by their matrix where the kernel is precomputed."""
    if takes_matrix(kernel):
        return MatrixCases(of_matrix(kernel, np.asarray(X, dtype=float)))
    return FeatureCases(kernel, X)
