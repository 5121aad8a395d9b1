"""A Solution: the coefficients a solver found, and what vouches for them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from referee.core.arrays import Floats, Rows
from referee.learners.svm.problem import DualProblem
from referee.learners.svm.trace import Trace

__all__ = ["Solution"]


@dataclass(frozen=True, eq=False)
class Solution:
    """Where a solver of a dual problem stopped.

    Attributes
    ----------
    alpha : array of shape (n,)
        Between 0 and the bounds.
    signed : array of shape (n,)
        alpha times the sign of the class: the coefficients of the rule.
    intercept : float
        The bias of the rule, 0 where the problem has none.
    objective : float
        The dual objective, to be maximised.
    gap : float
        The primal objective minus the dual one; no better solution has a dual objective above
        ``objective + gap``.
    violation : float
        The largest violation of the conditions of Karush, Kuhn and Tucker.
    iterations : int
        Steps on one or two coefficients.
    kernel_evaluations : int
        Kernel values computed.
    converged : bool
        Whether the violation is within the tolerance.
    solver : str
        What it was found by.
    precision : str
        Of the kernel rows, "single" or "double".
    trace : Trace or None
        The course, if it was recorded.
    slopes : array of shape (n,)
        y minus the values of the rule, bias aside, at the training cases.
    slope_error : float
        How far the slopes were off where they were computed anew in double precision.
    epochs : int
        Passes over the cases, of linear machines; 0 for others.
    """

    alpha: Floats
    signed: Floats
    intercept: float
    objective: float
    gap: float
    violation: float
    iterations: int
    kernel_evaluations: int
    converged: bool
    solver: str
    precision: str
    trace: Trace | None
    slopes: Floats
    slope_error: float = 0.0
    epochs: int = 0

    @classmethod
    def of(
        cls,
        problem: DualProblem,
        signed: Floats,
        slopes: Floats,
        *,
        tol: float,
        iterations: int,
        solver: str,
        trace: Trace | None = None,
    ) -> Solution:
        """Return a solution with all that follows from the coefficients and the slopes."""
        return cls(
            alpha=np.abs(signed),
            signed=signed,
            iterations=iterations,
            kernel_evaluations=problem.rows.evaluations,
            solver=solver,
            precision="single" if problem.rows.store.dtype == np.float32 else "double",
            trace=trace,
            slopes=slopes,
            **_claims(problem, signed, slopes, tol),
        )

    def at(self, problem: DualProblem, slopes: Floats, *, tol: float) -> Solution:
        """Return the same coefficients with all that follows from other, better slopes."""
        return replace(self, slopes=slopes, **_claims(problem, self.signed, slopes, tol))

    @property
    def is_finite(self) -> bool:
        """Whether no number was lost to overflow."""
        return bool(np.isfinite(self.objective) and np.isfinite(self.slopes).all())

    @property
    def support(self) -> Rows:
        """The cases with a coefficient, in order."""
        return np.flatnonzero(self.alpha)


def _claims(problem: DualProblem, signed: Floats, slopes: Floats, tol: float) -> dict[str, Any]:
    """Return what follows from coefficients and slopes; no number, no certificate."""
    intercept = problem.intercept(signed, slopes)
    objective = problem.objective(signed, slopes)
    violation = problem.violation(signed, slopes)
    gap = problem.primal(signed, slopes, intercept) - objective
    return {
        "intercept": intercept,
        "objective": objective,
        "gap": np.inf if np.isnan(gap) else max(0.0, gap),
        "violation": violation,
        "converged": bool(violation <= tol),
    }
