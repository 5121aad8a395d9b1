"""Accuracy: whether slopes that came from single precision are good enough, checked in double."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from referee.core.arrays import Floats, Rows
from referee.learners.svm.cache import RowCache
from referee.learners.svm.cases import Cases
from referee.learners.svm.problem import DualProblem
from referee.learners.svm.solution import Solution
from referee.learners.svm.solvers.slope_update import update_slopes

__all__ = ["ALLOWED", "exact_slopes", "restated", "slope_errors"]

ALLOWED = 0.1
"""Of the tolerance: the error of slopes that leaves them good enough."""

_STATED = 1e-6
"""Of the objective: the error that leaves it, and the gap, as stated."""

_BLOCK = 128
"""Support vectors whose kernel values are computed anew at a time."""

_CHECKED = 128
"""Cases whose slopes are computed anew."""

_FAR = 16.0
"""Times the usual squared length: where cases begin to lie far out."""


def slope_errors(problem: DualProblem, solution: Solution, cases: Cases) -> Floats:
    """Return the absolute errors of slopes, at cases on the margin and others, in double.

    The cases on the margin decide the bias and whether the problem is solved; they are checked
    first, and cases spread over all others next, up to `_CHECKED`. Where rows were computed in
    single precision, and not only rounded to it, values of cases far from all others are the first
    to be wrong; up to `_CHECKED` of these are checked, too. Their slopes are computed anew from
    kernel values in double precision.
    """
    rows = _checked_rows(problem, solution)
    if isinstance(problem.rows, RowCache):
        rows = np.union1d(rows, _far_rows(cases.lengths()))
    support = solution.support
    exact = problem.y[rows] - cases.between(rows, support) @ solution.signed[support]
    return np.asarray(np.abs(exact - solution.slopes[rows]))


def restated(problem: DualProblem, solution: Solution, cases: Cases, errors: Floats) -> Solution:
    """Return a solution whose objective and gap are right in double precision.

    They follow from the slopes. Where the errors of these might tell, signs aside, kernel values
    among support vectors are computed anew, block by block.
    """
    signed, support = solution.signed, solution.support
    lost = 0.5 * float(np.abs(signed).sum()) * float(errors.mean())
    if lost <= _STATED * abs(solution.objective):
        return solution
    slopes = solution.slopes.copy()
    slopes[support] = problem.y[support]
    for start in range(0, len(support), _BLOCK):
        some, later = support[start : start + _BLOCK], support[start + _BLOCK :]
        slopes[some] -= cases.between(some, some) @ signed[some]
        if len(later):
            values = cases.between(some, later)
            slopes[some] -= values @ signed[later]
            slopes[later] -= values.T @ signed[some]
    objective = problem.objective(signed, slopes)
    gap = problem.primal(signed, slopes, solution.intercept) - objective
    return replace(solution, objective=objective, gap=max(0.0, gap))


def _checked_rows(problem: DualProblem, solution: Solution) -> Rows:
    inside = (solution.alpha > 0) & (solution.alpha < problem.bounds)
    margin, others = np.flatnonzero(inside), np.flatnonzero(~inside)
    return np.concatenate([_spread(margin, _CHECKED // 2), _spread(others, _CHECKED // 2)])


def _far_rows(lengths: Floats) -> Rows:
    """Return the cases that lie farthest out, and some of all that lie far out."""
    farthest = np.argsort(-lengths, kind="stable")[: _CHECKED // 8]
    far = np.flatnonzero(lengths > _FAR * np.median(lengths))
    return np.concatenate([farthest, _spread(far, _CHECKED)])


def _spread(rows: Rows, count: int) -> Rows:
    return rows[:: max(1, -(-len(rows) // count))]


def exact_slopes(problem: DualProblem, signed: Floats) -> Floats:
    """Return the slopes y - K b from the rows of a problem."""
    rows, slopes = problem.rows, problem.y.copy()
    support = np.flatnonzero(signed)
    width = len(rows.store)
    for start in range(0, len(support), width):
        some = support[start : start + width]
        rows.fetch(some)
        update_slopes(rows.store, rows.slot[some], signed[some], slopes)
    return slopes
