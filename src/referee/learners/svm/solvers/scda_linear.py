"""Stochastic coordinate dual ascent for linear machines: O(d) a step, dense or sparse."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from referee.core.arrays import Floats
from referee.learners.svm.solution import Solution
from referee.learners.svm.solvers.linear_steps import (
    BOUND,
    RIDGE,
    SIGN,
    SQUARE,
    VALUE,
    linear_epoch,
)
from referee.learners.svm.solvers.pair_steps import FLAT
from referee.learners.svm.trace import Trace

__all__ = ["LinearProblem", "solve_linear"]


@dataclass(frozen=True, eq=False)
class LinearProblem:
    r"""A linear support vector machine without a free bias.

    .. math:: \min_w \tfrac12 |w|^2 + \sum_i u_i \max(0, 1 - y_i \langle w, x_i \rangle)^p

    with p = 1 (hinge) or 2 (squared hinge). Its dual is max sum(alpha) - |w|^2 / 2 -
    sum(ridge alpha^2) / 2 with w = sum alpha_i y_i x_i, 0 <= alpha_i <= u_i and no ridge for the
    hinge, no upper bound and ridge_i = 1 / (2 u_i) for its square.

    Attributes
    ----------
    X : array or CSR matrix of shape (n, d)
    y : array of float, shape (n,)
        -1 or 1.
    bounds : array of float, shape (n,)
        The u_i.
    squared : bool
        Whether the hinge is squared.
    constant : float
        The value of one more feature, the same for all rows, whose weight times this value is the
        intercept; 0 for none. The intercept is penalised like the other weights.
    """

    X: Any
    y: Floats
    bounds: Floats
    squared: bool = False
    constant: float = 1.0

    @property
    def sparse(self) -> bool:
        """Whether the rows are sparse."""
        return hasattr(self.X, "indptr")

    @property
    def ridge(self) -> Floats:
        """What the squared hinge adds to the diagonal."""
        return 0.5 / self.bounds if self.squared else np.zeros(len(self.y))

    @property
    def ends(self) -> Floats:
        """The upper ends of the coefficients."""
        return np.full(len(self.y), np.inf) if self.squared else self.bounds

    def squares(self) -> Floats:
        """Return |x|^2 + ridge of all rows."""
        if self.sparse:
            own = np.asarray(self.X.multiply(self.X).sum(axis=1)).ravel()
        else:
            own = np.einsum("ij,ij->i", self.X, self.X)
        return np.maximum(own + self.constant**2 + self.ridge, FLAT)

    def slopes(self, weights: Floats) -> Floats:
        """Return y - <w, x>."""
        return np.asarray(self.y - self.X @ weights[:-1] - self.constant * weights[-1])

    def dual(self, alpha: Floats, weights: Floats) -> float:
        """Return the dual objective."""
        return float(alpha.sum() - 0.5 * (weights @ weights) - 0.5 * (self.ridge @ alpha**2))

    def primal(self, weights: Floats, slopes: Floats) -> float:
        """Return the primal objective."""
        hinge = np.maximum(0.0, self.y * slopes)
        return float(0.5 * weights @ weights + self.bounds @ (hinge**2 if self.squared else hinge))

    def violation(self, alpha: Floats, slopes: Floats) -> float:
        """Return the largest projected slope."""
        rise = self.y * slopes - self.ridge * alpha
        up, down = rise[alpha < self.ends], -rise[alpha > 0]
        return max(0.0, float(up.max(initial=0.0)), float(down.max(initial=0.0)))


def solve_linear(
    problem: LinearProblem,
    *,
    tol: float = 1e-4,
    max_iter: int = 1000,
    record: bool = False,
    random_state: int | np.random.Generator = 0,
) -> tuple[Solution, Floats]:
    """Solve a linear problem by steps on single coefficients; return the solution and the weights.

    Problem: `LinearProblem`. Update: see `linear_epoch`; every epoch has its own random order, and
    coefficients held at an end of their box are left out until the others have converged.
    Reference: C.-J. Hsieh et al. (2008), A dual coordinate descent method for large-scale linear
    SVM, ICML.

    Parameters
    ----------
    tol : float
        Where to stop: at this difference of the largest and the smallest projected slope of an
        epoch over all coefficients, as in liblinear, if the violation is no larger either.
    max_iter : int
        Epochs after which to stop anyhow.
    record : bool
        Whether to keep a trace, with an entry an epoch.
    random_state : int or Generator
        Of the orders.

    Examples
    --------
    >>> x = np.array([[-2.0], [-1.0], [1.0], [3.0]])
    >>> problem = LinearProblem(x, np.array([-1.0, -1.0, 1.0, 1.0]), np.ones(4))
    >>> solution, weights = solve_linear(problem, tol=1e-9)
    >>> np.abs(weights.round(6)).tolist(), round(solution.objective, 6)
    ([1.0, 0.0], 0.5)
    """
    random = np.random.default_rng(random_state)
    n, d = problem.X.shape
    rows, cases, weights = _rows(problem), _cases(problem), np.zeros(d + 1)
    order, limits = np.arange(n), np.array([np.inf, -np.inf])
    state = random.integers(1, 2**63, size=1, dtype=np.uint64)
    course = _Course(problem, record)
    course.note(0, cases[:, VALUE], weights)
    active, steps, epochs = n, 0, 0
    while epochs < max_iter:
        steps, epochs = steps + active, epochs + 1
        left = linear_epoch(*rows, problem.constant, cases, weights, order, active, limits, state)
        course.note(steps, cases[:, VALUE], weights)
        near = left == 0 or limits[0] - limits[1] <= tol
        # Slopes met during an epoch are older than the weights at its end.
        if near and active == n and _violation(problem, cases, weights) <= tol:
            break
        active = left
        if near:
            active, limits[0], limits[1] = n, np.inf, -np.inf
    alpha = cases[:, VALUE].copy()
    solution = _solution(problem, alpha, weights, steps, tol, course.trace())
    return replace(solution, epochs=epochs), weights


def _violation(problem: LinearProblem, cases: Floats, weights: Floats) -> float:
    return problem.violation(cases[:, VALUE], problem.slopes(weights))


def _rows(problem: LinearProblem) -> tuple[Any, Any, Any, Any]:
    X = problem.X
    if not problem.sparse:
        return X, None, None, None
    # Places that cannot be negative spare the loops a check. Those of columns and of rows may come
    # in different widths, with many entries or from the user's own hand.
    kind = np.uint32 if X.indices.itemsize == 4 else np.uint64
    wide = X.indptr.itemsize > X.indices.itemsize and X.indptr[-1] > np.iinfo(kind).max
    return None, X.data, X.indices.view(kind), X.indptr.astype(np.uint64 if wide else kind)


def _cases(problem: LinearProblem) -> Floats:
    """Return what a step needs of each case, a cache line each."""
    cases = np.zeros((len(problem.y), 8))
    cases[:, SIGN], cases[:, BOUND] = problem.y, problem.ends
    cases[:, RIDGE], cases[:, SQUARE] = problem.ridge, problem.squares()
    return cases


def _solution(
    problem: LinearProblem,
    alpha: Floats,
    weights: Floats,
    steps: int,
    tol: float,
    trace: Trace | None,
) -> Solution:
    slopes = problem.slopes(weights)
    objective = problem.dual(alpha, weights)
    violation = problem.violation(alpha, slopes)
    return Solution(
        alpha=alpha,
        signed=alpha * problem.y,
        intercept=float(weights[-1] * problem.constant),
        objective=objective,
        gap=max(0.0, problem.primal(weights, slopes) - objective),
        violation=violation,
        iterations=steps,
        kernel_evaluations=0,
        converged=bool(violation <= tol),
        solver="scda-linear",
        precision="double",
        trace=trace,
        slopes=slopes,
    )


class _Course:
    """Takes down objective and gap of a linear machine."""

    def __init__(self, problem: LinearProblem, on: bool) -> None:
        self._problem = problem
        self._on = on
        self._noted: list[tuple[int, float, float]] = []
        self._least = np.inf

    def note(self, steps: int, alpha: Floats, weights: Floats) -> None:
        if not self._on:
            return
        p = self._problem
        value = p.dual(alpha, weights)
        self._least = min(self._least, p.primal(weights, p.slopes(weights)))
        self._noted.append((steps, value, max(0.0, self._least - value)))

    def trace(self) -> Trace | None:
        if not self._on:
            return None
        steps, objective, gap = (np.array(column) for column in zip(*self._noted, strict=True))
        return Trace(steps, np.zeros_like(steps), objective, gap)
