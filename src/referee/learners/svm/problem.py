"""A dual problem: what every solver of support vector machines is given."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from referee.core.arrays import Floats, Rows

__all__ = ["DualProblem", "KernelRows"]


class KernelRows(Protocol):
    """Rows of a kernel matrix, all of them at hand or made when they are asked for.

    Attributes
    ----------
    store : array of shape (slots, n)
        The rows that are at hand.
    slot : array of int, shape (n,)
        Where in the store the row of a case is, -1 where it is not.
    diagonal : array of float, shape (n,)
    evaluations : int
        Kernel values computed so far.
    """

    store: npt.NDArray[Any]
    slot: Rows
    diagonal: Floats

    @property
    def evaluations(self) -> int:
        """Kernel values computed so far."""

    def fetch(self, rows: Rows) -> None:
        """Bring rows into the store, at most as many as it has slots."""


@dataclass(frozen=True, eq=False)
class DualProblem:
    r"""The dual of the soft-margin support vector machine.

    With signed coefficients b_i = y_i alpha_i it reads

    .. math:: \max_b \; y'b - \tfrac12 b'Kb
       \quad\text{subject to}\quad 0 \le y_i b_i \le u_i,

    and, where there is a bias, sum(b) = 0. The largest slope that may still be followed,
    v = y - K b, decides optimality: b_i may rise below its upper end, fall above its lower one.

    Attributes
    ----------
    rows : KernelRows
        Of the kernel matrix K.
    y : array of float, shape (n,)
        -1 or 1.
    bounds : array of float, shape (n,)
        The u_i: C times the weights of the case and of its class.
    bias : bool
        Whether the rule has a bias that is not penalised; the source of sum(b) = 0.

    Examples
    --------
    >>> from referee.learners.svm.cache import GivenRows
    >>> K = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> p = DualProblem(GivenRows(K), np.array([1.0, -1.0]), np.ones(2), bias=True)
    >>> p.objective(np.array([1.0, -1.0]), np.zeros(2))
    1.0
    """

    rows: KernelRows
    y: Floats
    bounds: Floats
    bias: bool

    @property
    def n(self) -> int:
        """The number of cases."""
        return len(self.y)

    @cached_property
    def low(self) -> Floats:
        """The lower ends of the signed coefficients."""
        return np.where(self.y > 0, 0.0, -self.bounds)

    @cached_property
    def high(self) -> Floats:
        """The upper ends of the signed coefficients."""
        return np.where(self.y > 0, self.bounds, 0.0)

    def objective(self, signed: Floats, slopes: Floats) -> float:
        """Return the dual objective at signed coefficients, given the slopes v = y - K b there."""
        return float(0.5 * (signed @ self.y + signed @ slopes))

    def steepest(self, signed: Floats, slopes: Floats) -> tuple[float, float]:
        """Return the largest slope that may be followed upwards, the smallest one downwards."""
        up, down = slopes[signed < self.high], slopes[signed > self.low]
        return (float(up.max()) if up.size else -np.inf, float(down.min()) if down.size else np.inf)

    def violation(self, signed: Floats, slopes: Floats) -> float:
        """Return by how much the conditions of Karush, Kuhn and Tucker are violated."""
        up, down = self.steepest(signed, slopes)
        value = up - down if self.bias else max(up, -down)
        return np.inf if np.isnan(value) else max(0.0, value)

    def intercept(self, signed: Floats, slopes: Floats) -> float:
        """Return the bias: the mean slope of the cases on the margin, as libsvm has it."""
        if not self.bias:
            return 0.0
        free = (signed > self.low) & (signed < self.high)
        if free.any():
            return float(slopes[free].mean())
        up, down = self.steepest(signed, slopes)
        return float((up + down) / 2) if np.isfinite(up + down) else 0.0

    def primal(self, signed: Floats, slopes: Floats, intercept: float) -> float:
        """Return |w|^2 / 2 + sum u_i max(0, 1 - y_i f(x_i)) at the same point."""
        hinge = np.maximum(0.0, self.y * (slopes - intercept))
        return float(0.5 * signed @ (self.y - slopes) + self.bounds @ hinge)
