"""A Trace: objective and gap along the course of a solver."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from referee.core.arrays import Floats, Rows
from referee.learners.svm.problem import DualProblem

__all__ = ["Recorder", "Trace"]


@dataclass(frozen=True, eq=False)
class Trace:
    """The course of a solver, a value for every time it looked.

    Where a fit went on in double precision, objective and gap are computed anew at that step, so
    that two entries have the same number of steps and may differ by what single precision lost.

    Attributes
    ----------
    iterations : array of int
        Steps on one or two coefficients.
    kernel_evaluations : array of int
        Kernel values computed; rows kept in memory cost none.
    objective : array of float
        The dual objective, which rises.
    gap : array of float
        The least primal objective so far minus the dual one, which falls.

    Examples
    --------
    >>> Trace(np.array([0, 5]), np.array([0, 9]), np.array([0.0, 2.0]), np.array([3.0, 1.0])).gap
    array([3., 1.])
    """

    iterations: Rows
    kernel_evaluations: Rows
    objective: Floats
    gap: Floats

    def then(self, later: Trace) -> Trace:
        """Return this course and one that went on from its end.

        Examples
        --------
        >>> one = Trace(np.array([0, 5]), np.array([0, 9]), np.array([0.0, 2.0]), np.ones(2))
        >>> one.then(one).iterations
        array([ 0,  5,  5, 10])
        """
        return Trace(
            np.concatenate([self.iterations, self.iterations[-1] + later.iterations]),
            np.concatenate(
                [self.kernel_evaluations, self.kernel_evaluations[-1] + later.kernel_evaluations]
            ),
            np.concatenate([self.objective, later.objective]),
            np.concatenate([self.gap, later.gap]),
        )


@dataclass(eq=False)
class Recorder:
    """Takes down objective and gap; does nothing unless it is asked to."""

    problem: DualProblem
    on: bool
    _iterations: list[int] = field(default_factory=list)
    _evaluations: list[int] = field(default_factory=list)
    _objective: list[float] = field(default_factory=list)
    _gap: list[float] = field(default_factory=list)
    _least: float = np.inf

    def note(self, iterations: int, signed: Floats, slopes: Floats) -> None:
        """Take down where the solver is, given the slopes of all cases."""
        if not self.on:
            return
        problem = self.problem
        value = problem.objective(signed, slopes)
        primal = problem.primal(signed, slopes, problem.intercept(signed, slopes))
        self._least = min(self._least, primal)
        self._iterations.append(iterations)
        self._evaluations.append(problem.rows.evaluations)
        self._objective.append(value)
        self._gap.append(max(0.0, self._least - value))

    def trace(self) -> Trace | None:
        """Return what was taken down."""
        if not self.on:
            return None
        return Trace(
            np.array(self._iterations, dtype=np.intp),
            np.array(self._evaluations, dtype=np.intp),
            np.array(self._objective),
            np.array(self._gap),
        )
