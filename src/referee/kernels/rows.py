"""Rows of a kernel matrix on demand, which is all that solvers ask for."""

from __future__ import annotations

from typing import Any

import numpy as np

from referee.core.arrays import Anything, Floats
from referee.kernels.kernel import Kernel, fill
from referee.kernels.points import Precision

__all__ = ["PreparedRows"]


class PreparedRows:
    """The kernel matrix of some points, computed row by row as it is asked for.

    Made by `Kernel.prepare`. Points are checked, copied and laid out once; a block of rows is then
    a matrix product and one pass over it.

    Attributes
    ----------
    kernel : Kernel
        The kernel, with parameters that depend on the data filled in.
    diagonal : array of shape (n,)
        k(x, x), in double precision.
    evaluations : int
        How many kernel values were computed so far.
    rounding : float
        About how large the absolute error of a value can be in this precision; nan where the
        kernel does not know.

    Examples
    --------
    >>> from referee.kernels import Gaussian
    >>> rows = Gaussian(gamma=1.0).prepare([[0.0], [1.0], [2.0]], np.float32)
    >>> rows.block([0, 2]).round(3).tolist() == np.float32(
    ...     [[1, 0.368, 0.018], [0.018, 0.368, 1]]
    ... ).tolist()
    True
    >>> rows.against([[1.0]]).shape, rows.evaluations
    ((1, 3), 9)
    """

    def __init__(self, kernel: Kernel, X: Any, dtype: Precision) -> None:
        points = kernel.checked(X, "X")
        self.kernel = kernel
        self.dtype = dtype
        self._side = kernel.side(points, dtype)
        self.diagonal: Floats = np.asarray(kernel.own_values(points), dtype=np.float64)
        self.evaluations = 0
        self.rounding = kernel.rounding(points, dtype)

    def __len__(self) -> int:
        return len(self._side)

    def block(self, indices: Any, *, out: Anything | None = None) -> Anything:
        """Return the rows with these numbers, of shape (len(indices), n).

        Parameters
        ----------
        indices : array-like of int
        out : array, optional
            C-contiguous, of the precision of these rows; filled and returned.
        """
        chosen = np.asarray(indices, dtype=np.intp)
        left = self._side.take(chosen)
        if out is None:
            out = np.empty((len(chosen), len(self)), dtype=self.dtype)
        fill(self.kernel, left, self._side, out)
        self.evaluations += out.size
        return out

    def against(self, Z: Any, name: str = "Z") -> Anything:
        """Return k(z, x) of new points with all prepared ones, of shape (len(Z), n).

        Messages about bad points call them by their name.
        """
        left = self.kernel.side(self.kernel.checked(Z, name), self.dtype, like=self._side)
        out = np.empty((len(left), len(self)), dtype=self.dtype)
        fill(self.kernel, left, self._side, out)
        self.evaluations += out.size
        return out
