"""Training: one two-class problem from cases to a solution that was checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from referee.core.arrays import Floats
from referee.kernels.kernel import KernelOverflow
from referee.learners.svm.accuracy import ALLOWED, exact_slopes, restated, slope_errors
from referee.learners.svm.cache import RowCache, rows_of
from referee.learners.svm.cases import TOO_LARGE, Cases
from referee.learners.svm.problem import DualProblem, KernelRows
from referee.learners.svm.solution import Solution
from referee.learners.svm.solvers.scda import solve_by_scda
from referee.learners.svm.solvers.smo import solve_by_smo
from referee.learners.svm.solvers.working_set import solve_by_working_sets

_LARGEST = 1e30
"""Kernel values beyond which sums of them do not fit in single precision."""

_FEW_STEPS, _STEPS_A_CASE = 100_000, 30
"""Steps after which slopes are looked at for the first time."""

_ROUNDS = 3
"""How often a solution is taken up again because its slopes had drifted."""

__all__ = ["SOLVERS", "Settings", "train"]

SOLVERS: dict[str, Callable[..., Solution]] = {
    "working-set": solve_by_working_sets,
    "smo": solve_by_smo,
    "scda": solve_by_scda,
}
"""Solvers of the kernel dual by name."""


@dataclass(frozen=True)
class Settings:
    """How a problem is solved.

    Attributes
    ----------
    solver : str
        A name of `SOLVERS`.
    bias : bool
        Whether the rule has a bias that is not penalised.
    tol, max_iter, cache_mb, record
        See `SVM`.
    seed : int
        Of solvers with random orders.
    """

    solver: str = "working-set"
    bias: bool = True
    tol: float = 1e-3
    max_iter: int = 10_000_000
    cache_mb: float = 200.0
    record: bool = False
    seed: int = 0

    def rows(self, cases: Cases, dtype: type = np.float32) -> KernelRows:
        """Return the kernel rows of cases, within the budget."""
        # Shrinking keeps a second, narrower copy of the rows.
        share = 0.5 if self.solver == "smo" else 1.0
        return rows_of(cases, cache_mb=share * self.cache_mb, dtype=dtype)

    def solve(self, problem: DualProblem, start: Solution | None = None) -> Solution:
        """Run the solver."""
        options: dict[str, Any] = {"tol": self.tol, "max_iter": self.max_iter}
        if self.solver == "scda":
            options["random_state"] = self.seed
        return SOLVERS[self.solver](problem, record=self.record, start=start, **options)

    def go_on(self, problem: DualProblem, first: Solution) -> Solution:
        """Run the solver from a solution, with the steps that are left."""
        left = replace(self, max_iter=max(0, self.max_iter - first.iterations))
        later = left.solve(problem, first)
        both = first.trace is not None and later.trace is not None
        evaluations = later.kernel_evaluations
        if first.precision != later.precision:
            evaluations += first.kernel_evaluations
        return replace(
            later,
            iterations=first.iterations + later.iterations,
            kernel_evaluations=evaluations,
            trace=first.trace.then(later.trace) if both else None,  # type: ignore[union-attr, arg-type]
        )


def train(
    cases: Cases,
    y: Floats,
    bounds: Floats,
    settings: Settings,
    *,
    rows: KernelRows | None = None,
) -> Solution:
    """Solve the problem with kernel rows in single precision; again in double if need be.

    Parameters
    ----------
    cases : Cases
    y : array of float
        -1 or 1.
    bounds : array of float
        The upper ends of the coefficients.
    rows : KernelRows, optional
        Of the cases, if they are at hand.

    Returns
    -------
    Solution
        Where slopes from single precision were found to be off by more than a tenth of the
        tolerance, the second, which started from the first.
    """
    if isinstance(rows, RowCache):
        rows.remember()
    problem = DualProblem(rows or settings.rows(cases), y, bounds, settings.bias)
    if np.abs(problem.rows.diagonal).max() > _LARGEST:
        return _in_double(cases, y, bounds, settings)
    if problem.rows.store.dtype == np.float64:
        return _settled(problem, settings.solve(problem), settings)
    solution, errors = _in_single(problem, cases, settings)
    error = float(errors.max(initial=0.0))
    if error <= ALLOWED * settings.tol:
        return restated(problem, replace(solution, slope_error=error), cases, errors)
    if isinstance(problem.rows, RowCache):
        problem.rows.forget()  # before the rows in double precision take their place
    return _in_double(cases, y, bounds, settings, solution)


def _in_single(problem: DualProblem, cases: Cases, settings: Settings) -> tuple[Solution, Floats]:
    """Return a solution by rows in single precision, and the errors of its slopes.

    Slopes are looked at after some steps already: wrong ones may lead nowhere for millions more.
    """
    few = min(settings.max_iter, max(_FEW_STEPS, _STEPS_A_CASE * problem.n))
    solution = replace(settings, max_iter=few).solve(problem)
    if not solution.is_finite:
        return solution, np.array([np.inf])
    errors = slope_errors(problem, solution, cases)
    good = errors.max(initial=0.0) <= ALLOWED * settings.tol
    if solution.converged or solution.iterations < few or few == settings.max_iter or not good:
        return solution, errors
    solution = settings.go_on(problem, solution)
    return solution, slope_errors(problem, solution, cases)


def _in_double(
    cases: Cases,
    y: Floats,
    bounds: Floats,
    settings: Settings,
    first: Solution | None = None,
) -> Solution:
    """Solve with rows in double precision, from a first solution if it is better than none."""
    problem = DualProblem(settings.rows(cases, np.float64), y, bounds, settings.bias)
    if first is not None and first.is_finite:
        start = first.at(problem, exact_slopes(problem, first.signed), tol=settings.tol)
        if start.objective > 0:
            return _settled(problem, settings.go_on(problem, start), settings)
    spent = 0 if first is None else first.iterations
    left = replace(settings, max_iter=max(1, settings.max_iter - spent))
    solution = left.solve(problem)
    return _settled(problem, replace(solution, iterations=spent + solution.iterations), settings)


def _settled(problem: DualProblem, solution: Solution, settings: Settings) -> Solution:
    """Return a solution whose slopes have not drifted from what its coefficients give.

    Slopes are brought up to date with every step, and rounding adds up where values are large.
    """
    for _ in range(_ROUNDS):
        if not solution.is_finite:
            raise KernelOverflow(TOO_LARGE)
        slopes = exact_slopes(problem, solution.signed)
        drift = float(np.abs(slopes - solution.slopes).max())
        if drift <= ALLOWED * settings.tol:
            return solution
        solution = solution.at(problem, slopes, tol=settings.tol)
        if solution.converged or solution.iterations >= settings.max_iter:
            return solution
        solution = settings.go_on(problem, solution)
    return solution.at(problem, exact_slopes(problem, solution.signed), tol=settings.tol)
