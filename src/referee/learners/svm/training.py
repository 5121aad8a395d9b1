"""Training: one two-class problem from cases to a solution that was checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from referee.core.arrays import Floats
from referee.learners.svm.accuracy import ALLOWED, exact_slopes, restated, slope_errors
from referee.learners.svm.cache import RowCache, rows_of
from referee.learners.svm.cases import Cases
from referee.learners.svm.problem import DualProblem, KernelRows
from referee.learners.svm.scda import solve_by_scda
from referee.learners.svm.smo import solve_by_smo
from referee.learners.svm.solution import Solution
from referee.learners.svm.working_set import solve_by_working_sets

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
    solution = settings.solve(problem)
    if problem.rows.store.dtype == np.float64:
        return solution
    errors = slope_errors(problem, solution, cases)
    error = float(errors.max(initial=0.0))
    if error <= ALLOWED * settings.tol:
        return restated(problem, replace(solution, slope_error=error), cases, errors)
    if isinstance(problem.rows, RowCache):
        problem.rows.forget()  # before the rows in double precision take their place
    return _in_double(cases, y, bounds, settings, solution)


def _in_double(
    cases: Cases, y: Floats, bounds: Floats, settings: Settings, first: Solution
) -> Solution:
    """Go on from a solution with rows in double precision, with the steps that are left."""
    exact = DualProblem(settings.rows(cases, np.float64), y, bounds, settings.bias)
    start = replace(first, slopes=exact_slopes(exact, first.signed))
    left = replace(settings, max_iter=max(0, settings.max_iter - first.iterations))
    better = left.solve(exact, start)
    both = first.trace is not None and better.trace is not None
    return replace(
        better,
        iterations=first.iterations + better.iterations,
        kernel_evaluations=first.kernel_evaluations + better.kernel_evaluations,
        trace=first.trace.then(better.trace) if both else None,  # type: ignore[union-attr, arg-type]
    )
