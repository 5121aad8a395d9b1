"""Functions of a reproducing kernel Hilbert space: f = sum_i a_i k(., x_i)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.core.arrays import Floats
from referee.errors import InputError
from referee.kernels.kernel import Kernel
from referee.kernels.points import checked_objects

__all__ = ["RkhsFunction", "section"]


@dataclass(frozen=True, eq=False)
class RkhsFunction:
    """A finite sum f = sum_i a_i k(., x_i), as in the proof of Moore and Aronszajn.

    Such functions can be added, scaled, evaluated and multiplied with one another: with
    g = sum_j b_j k(., z_j), <f, g> = sum_ij a_i b_j k(x_i, z_j). The reproducing property is
    f(x) = <k(x, .), f>; `section` makes k(x, .).

    Parameters
    ----------
    kernel : Kernel
        Without parameters that depend on the data; see `Kernel.resolved`.
    points : sequence
        The x_i: rows of a table, or whatever the kernel takes.
    weights : sequence of float
        The a_i.

    Examples
    --------
    >>> from referee.kernels import Polynomial
    >>> k = Polynomial(degree=2)
    >>> f = RkhsFunction(k, [[1.0], [2.0]], [1.0, -1.0])
    >>> f([[3.0]]).tolist()
    [-33.0]
    >>> section(k, [3.0]) @ f
    -33.0
    >>> f.norm
    3.3166...
    """

    kernel: Kernel
    points: tuple[Any, ...]
    weights: tuple[float, ...]

    def __init__(self, kernel: Kernel, points: Any, weights: Any) -> None:
        if not isinstance(kernel, Kernel):
            raise InputError(
                "must be a Kernel",
                argument="kernel",
                value=repr(kernel),
                remedy="wrap it in FromFunction",
            )
        where = checked_objects(points, "points")
        numbers = np.asarray(weights, dtype=np.float64)
        if numbers.shape != (len(where),) or not np.isfinite(numbers).all():
            raise InputError(
                f"must hold a finite number for each of the {len(where)} points",
                argument="weights",
                value=repr(weights),
            )
        if kernel != kernel.resolved(list(where)):
            raise InputError(
                f"{kernel!r} depends on the data",
                remedy="use kernel.resolved(X) of the training data",
            )
        object.__setattr__(self, "kernel", kernel)
        object.__setattr__(self, "points", where)
        object.__setattr__(self, "weights", tuple(float(a) for a in numbers))

    def __call__(self, X: Any) -> Floats:
        """Return f(x) for every row of X."""
        if not self.points:
            return np.zeros(len(checked_objects(X)))
        return np.asarray(self.kernel.gram(X, list(self.points)) @ np.array(self.weights))

    def __matmul__(self, other: RkhsFunction) -> float:
        """Return the inner product <f, g>."""
        self._check_same_space(other)
        if not self.points or not other.points:
            return 0.0
        K = self.kernel.gram(list(self.points), list(other.points))
        return float(np.array(self.weights) @ K @ np.array(other.weights))

    def __add__(self, other: RkhsFunction) -> RkhsFunction:
        self._check_same_space(other)
        return RkhsFunction(self.kernel, self.points + other.points, self.weights + other.weights)

    def __mul__(self, factor: float) -> RkhsFunction:
        return RkhsFunction(self.kernel, self.points, [factor * a for a in self.weights])

    def __rmul__(self, factor: float) -> RkhsFunction:
        return self * factor

    def __neg__(self) -> RkhsFunction:
        return self * -1.0

    def __sub__(self, other: RkhsFunction) -> RkhsFunction:
        return self + -other

    @property
    def norm(self) -> float:
        """The length of f: the root of <f, f>, 0 where rounding makes that negative."""
        return float(np.sqrt(max(self @ self, 0.0)))

    def distance(self, other: RkhsFunction) -> float:
        """Return the norm of f - g.

        Examples
        --------
        >>> from referee.kernels import Linear
        >>> section(Linear(), [3.0, 0.0]).distance(section(Linear(), [0.0, 4.0]))
        5.0
        """
        return (self - other).norm

    def __str__(self) -> str:
        return f"sum of {len(self.points)} weighted sections of {self.kernel}"

    def _check_same_space(self, other: RkhsFunction) -> None:
        if not isinstance(other, RkhsFunction) or other.kernel != self.kernel:
            theirs = getattr(other, "kernel", other)
            raise InputError(
                f"functions of different spaces cannot be combined: {self.kernel!r} and {theirs!r}",
                concerning="other",
            )


def section(kernel: Kernel, x: Any) -> RkhsFunction:
    """Return the function k(x, .), for which <k(x, .), f> = f(x).

    Examples
    --------
    >>> from referee.kernels import Linear
    >>> section(Linear(), [2.0])([[1.0], [5.0]]).tolist()
    [2.0, 10.0]
    """
    return RkhsFunction(kernel, [x], [1.0])
