"""Sequential minimal optimisation: two coefficients at a time, no stored kernel matrix."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.core.arrays import Floats, Rows
from referee.learners.svm.problem import DualProblem, KernelRows
from referee.learners.svm.solution import Solution
from referee.learners.svm.solvers.box_steps import box_steps
from referee.learners.svm.solvers.pair_steps import pair_steps
from referee.learners.svm.solvers.shrinking import ActiveRows, still_active
from referee.learners.svm.solvers.slope_update import update_slopes
from referee.learners.svm.trace import Recorder

__all__ = ["solve_by_smo"]

_PERIOD = 1000
"""Steps between two looks at what can be shrunk."""

_WORTH = 0.8
"""Shrink when no more than this share of the cases stays."""

_NEAR = 10.0
"""All cases come back once, when the violation is this many tolerances."""


@dataclass(eq=False)
class _State:
    """Coefficients and slopes; slopes are up to date on the active cases alone."""

    problem: DualProblem
    signed: Floats
    slopes: Floats
    active: Rows
    rows: KernelRows
    settled: tuple[Floats, Floats]
    """Coefficients and slopes when all slopes were last up to date."""

    @property
    def whole(self) -> bool:
        return len(self.active) == self.problem.n

    def shrink(self) -> None:
        """Leave out the cases that are held at an end of their box."""
        p, at = self.problem, self.active
        part = DualProblem(self.rows, p.y[at], p.bounds[at], p.bias)
        stay = still_active(part, self.signed[at], self.slopes[at])
        if stay.sum() > _WORTH * len(at) or stay.sum() < 2:
            return
        if self.whole:
            self.settled = self.signed.copy(), self.slopes.copy()
        self.active = at[stay]
        self.rows = ActiveRows(p.rows, self.active)

    def unshrink(self) -> None:
        """Bring back all cases, with the slopes that they have by now."""
        if self.whole:
            return
        p = self.problem
        others = np.setdiff1d(np.arange(p.n), self.active)
        before, slopes = self.settled
        moves = self.signed - before
        moved = np.flatnonzero(moves)
        width = len(p.rows.store)
        for start in range(0, len(moved), width):
            some = moved[start : start + width]
            p.rows.fetch(some)
            update_slopes(p.rows.store, p.rows.slot[some], moves[some], slopes)
        self.slopes[others] = slopes[others]
        self.active, self.rows = np.arange(p.n), p.rows

    def advance(self, tol: float, most: int) -> int:
        """Take steps among the active cases until their violation is within `tol`."""
        steps_on = pair_steps if self.problem.bias else box_steps
        at = self.active
        signed, slopes = self.signed[at], self.slopes[at]
        low, high = self.problem.low[at], self.problem.high[at]
        done = 0
        while True:
            rows = self.rows
            steps, missing = steps_on(
                rows.store, rows.slot, rows.diagonal, signed, low, high, slopes, tol, most - done
            )
            done += int(steps)
            if missing < 0:
                break
            rows.fetch(np.array([missing]))
        self.signed[at], self.slopes[at] = signed, slopes
        return done

    def violation(self) -> float:
        p, at = self.problem, self.active
        part = DualProblem(self.rows, p.y[at], p.bounds[at], p.bias)
        return part.violation(self.signed[at], self.slopes[at])


def solve_by_smo(
    problem: DualProblem,
    *,
    tol: float = 1e-3,
    max_iter: int = 10_000_000,
    record: bool = False,
    start: Solution | None = None,
) -> Solution:
    """Solve a dual problem by steps on two coefficients.

    Problem: `DualProblem`, with or without a bias. Update: see `pair_steps` and `box_steps`, which
    choose pairs to second order; kernel rows are made when a pair needs them and kept while the
    cache has room. Cases held at an end of their box are left out for a while (shrinking) and all
    are looked at again before the end. References: J. Platt (1998), Sequential minimal
    optimization, MSR-TR-98-14; R.-E. Fan, P.-H. Chen, C.-J. Lin (2005), Working set selection using
    second order information, JMLR 6.

    Parameters
    ----------
    tol, max_iter, record, start
        As in `solve_by_working_sets`. The trace has an entry for every thousand steps while all
        cases take part, and one for the end.

    Examples
    --------
    >>> from referee.learners.svm.cache import GivenRows
    >>> x = np.array([-2.0, -1.0, 1.0, 3.0])
    >>> problem = DualProblem(GivenRows(np.outer(x, x)), np.sign(x), np.ones(4), bias=True)
    >>> solve_by_smo(problem).alpha.tolist()
    [0.0, 0.5, 0.5, 0.0]
    """
    signed = np.zeros(problem.n) if start is None else start.signed.copy()
    slopes = problem.y.copy() if start is None else start.slopes.copy()
    state = _State(problem, signed, slopes, np.arange(problem.n), problem.rows, (signed, slopes))
    recorder = Recorder(problem, record)
    recorder.note(0, signed, slopes)
    done, came_back = 0, False
    period = min(_PERIOD, max(problem.n // 8, 16) if record else _PERIOD)
    while done < max_iter:
        done += state.advance(tol, min(period, max_iter - done))
        violation = state.violation()
        if violation <= tol and state.whole:
            break
        if violation <= tol or (violation <= _NEAR * tol and not came_back):
            came_back = came_back or violation > tol
            state.unshrink()
        elif done >= _PERIOD:
            state.shrink()
        if state.whole:
            recorder.note(done, state.signed, state.slopes)
    state.unshrink()
    recorder.note(done, state.signed, state.slopes)
    return Solution.of(
        problem,
        state.signed,
        state.slopes,
        tol=tol,
        iterations=done,
        solver="smo",
        trace=recorder.trace(),
    )
