"""A shared kernel matrix: one for all splits of a plan, the same to the last bit as each one's own.

Kernel values are computed in double precision and rounded to single. Two computations of a value,
in blocks of different shapes, may differ in their last bits in double precision, and after
rounding only where the value lies on the edge between two floats. Such pairs of cases are known
here; a split that trains on one gets a matrix of its own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from referee.core.arrays import Features, Floats, Rows
from referee.core.machine.compiling import compiled
from referee.kernels import Kernel
from referee.learners.svm.cache import GivenRows, whole
from referee.learners.svm.cases import cases_of
from referee.learners.svm.solvers.slope_update import cut_square

__all__ = ["SharedKernel"]

_BLOCK = 256

_SAFETY = 16.0
"""Times the largest difference that was measured."""

_PROBED, _PROBES = 150, 2
"""Cases among which differences are measured, and how often."""

_MOST = 10_000
"""Pairs on an edge beyond which sharing is given up."""


@dataclass(frozen=True, eq=False)
class SharedKernel:
    """The kernel matrix of all cases of a plan.

    Attributes
    ----------
    kernel : Kernel
        With all parameters.
    X : array
        The features of all cases.
    K : array of float32 or None
        The whole matrix; None where it is not worth sharing.
    edges : array of int, shape (m, 2)
        The pairs of cases whose value might be rounded otherwise.
    """

    kernel: Kernel
    X: Features
    K: npt.NDArray[np.float32] | None
    edges: Rows

    @classmethod
    def of(cls, kernel: Kernel, X: Features) -> SharedKernel:
        """Compute the matrix and find the pairs on an edge."""
        n = len(X)
        prepared = kernel.prepare(X, np.float64)
        K = np.empty((n, n), dtype=np.float32)
        noise = _noise(kernel, X, prepared)
        edges, count = np.empty((_MOST, 2), dtype=np.intp), 0
        for start in range(0, n, _BLOCK):
            values = prepared.block(np.arange(start, min(start + _BLOCK, n)))
            count = _round(values, K, start, *noise, edges, count)
            if count > _MOST:
                return cls(kernel, X, None, edges[:0])
        return cls(kernel, X, K, edges[:count])

    def rows(self, train: Rows) -> GivenRows:
        """Return the kernel rows of some cases, as a fit on them alone would have them."""
        diagonal = np.asarray(self.kernel.diagonal(self.X[train]), dtype=float)
        n = len(train)
        if self.K is None or self._touches(train):
            K = whole(cases_of(self.kernel, self.X[train]), np.float32)
        else:
            K = np.empty((n, n), dtype=np.float32)
            cut_square(self.K, train, train, K)
        return GivenRows(K, diagonal, evaluations=n * n)

    def _touches(self, train: Rows) -> bool:
        trained = np.zeros(len(self.X), dtype=bool)
        trained[train] = True
        return bool((trained[self.edges[:, 0]] & trained[self.edges[:, 1]]).any())


def _noise(kernel: Kernel, X: Features, prepared: Any) -> tuple[float, float]:
    """Return more than values differ by when computed among other cases, as measured on some.

    Two bounds, one of differences and one of their ratios to the values; both hold.
    """
    absolute, relative = 0.0, 0.0
    for first in range(_PROBES):
        rows = np.arange(first, len(X), max(1, len(X) // _PROBED))
        alone = kernel.gram(X[rows])
        apart = np.abs(prepared.block(rows)[:, rows] - alone)
        absolute = max(absolute, float(apart.max(initial=0.0)))
        shares = apart[apart > 0] / np.maximum(np.abs(alone[apart > 0]), 1e-300)
        relative = max(relative, float(shares.max(initial=0.0)))
    return _SAFETY * absolute, _SAFETY * relative


@compiled
def _round(
    values: Floats,
    K: Any,
    start: int,
    absolute: float,
    relative: float,
    edges: Rows,
    count: int,
) -> int:
    """Round values into K; note, from `count` on, the places where rounding might turn."""
    for i in range(values.shape[0]):
        row, out = values[i], K[start + i]
        for j in range(values.shape[1]):
            value = row[j]
            out[j] = value
            off, size = abs(value - out[j]), abs(value)
            noise = min(absolute, relative * size) + 2.0**-51 * size
            # Half the distance to the next float lies between these parts of the value.
            if off < size * 2.0**-26 - noise:
                continue
            _, exponent = math.frexp(np.float64(out[j]))
            half = math.ldexp(1.0, exponent - 25)
            # Below a power of two floats lie closer, so that its lower edge is nearer by half.
            if abs(half - off) <= noise or abs(half / 2 - off) <= noise:
                if count == len(edges):
                    return count + 1
                edges[count, 0], edges[count, 1] = start + i, j
                count += 1
    return count
