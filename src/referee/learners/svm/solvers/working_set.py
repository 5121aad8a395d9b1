"""Osuna's working sets: a few hundred coefficients at a time, by SMO among themselves."""

from __future__ import annotations

import numpy as np

from referee.core.arrays import Floats, Rows
from referee.learners.svm.problem import DualProblem
from referee.learners.svm.solution import Solution
from referee.learners.svm.solvers.box_steps import box_steps
from referee.learners.svm.solvers.pair_steps import pair_steps
from referee.learners.svm.solvers.slope_update import cut_square, update_slopes
from referee.learners.svm.trace import Recorder

__all__ = ["solve_by_working_sets"]

_SIZE = 512
"""Coefficients in a working set."""

_WHOLE = 2048
"""Up to this many cases with all kernel rows at hand, all coefficients are the working set."""

_FRACTION = 0.02
"""The part of the violation to which a working set is solved."""


def solve_by_working_sets(
    problem: DualProblem,
    *,
    tol: float = 1e-3,
    max_iter: int = 10_000_000,
    record: bool = False,
    start: Solution | None = None,
    size: int | None = None,
) -> Solution:
    """Solve a dual problem by working sets of coefficients.

    Problem: `DualProblem`, with or without a bias. Update: the coefficients whose slopes violate
    optimality most, half of them upwards and half downwards, form the working set together with
    those of the last one that are inside their box; steps on pairs solve the problem on the set,
    all others fixed; then the slopes of all cases are brought up to date. The objective rises with
    every step. References: E. Osuna, R. Freund, F. Girosi (1997), An improved training algorithm
    for support vector machines, NNSP; T. Joachims (1999), Making large-scale SVM learning
    practical.

    Parameters
    ----------
    tol : float
        The violation at which to stop.
    max_iter : int
        Steps on pairs after which to stop anyhow.
    record : bool
        Whether to keep a trace, with an entry for every working set.
    start : Solution, optional
        Where to start; at 0 if not given.
    size : int, optional
        Of the working set; less where fewer rows fit into the cache. By default 512, or all
        coefficients where all rows are at hand and cases are few.

    Examples
    --------
    >>> from referee.learners.svm.cache import GivenRows
    >>> x = np.array([-2.0, -1.0, 1.0, 3.0])
    >>> problem = DualProblem(GivenRows(np.outer(x, x)), np.sign(x), np.ones(4), bias=True)
    >>> solution = solve_by_working_sets(problem)
    >>> solution.alpha.tolist(), solution.objective
    ([0.0, 0.5, 0.5, 0.0], 0.5)
    """
    signed = np.zeros(problem.n) if start is None else start.signed.copy()
    slopes = problem.y.copy() if start is None else start.slopes.copy()
    low, high = problem.low, problem.high
    recorder = Recorder(problem, record)
    recorder.note(0, signed, slopes)
    done = 0
    members = np.empty(0, dtype=np.intp)
    most = _fitting(problem, size)
    while (violation := problem.violation(signed, slopes)) > tol and done < max_iter:
        aim = tol if most == problem.n else max(tol / 2, _FRACTION * violation)
        if most < problem.n:
            members = _chosen(problem, signed, slopes, members, most)
        else:
            members = np.arange(problem.n)
        steps = _solve_among(problem, signed, slopes, low, high, members, aim, max_iter - done)
        done += steps
        recorder.note(done, signed, slopes)
        if steps == 0:
            break
    return Solution.of(
        problem,
        signed,
        slopes,
        tol=tol,
        iterations=done,
        solver="working-set",
        trace=recorder.trace(),
    )


def _fitting(problem: DualProblem, size: int | None) -> int:
    """Return how many coefficients to work on: all of them, or no more than rows fit in memory."""
    slots = len(problem.rows.store)
    if size is None:
        size = problem.n if slots == problem.n <= _WHOLE else _SIZE
    return max(2, min(size, slots, problem.n))


def _chosen(problem: DualProblem, signed: Floats, slopes: Floats, last: Rows, size: int) -> Rows:
    """Return the next working set: the worst violators, and half a set of what was there before."""
    kept = last[_inside(problem, signed, last)][: size // 2]
    wanted = (size - len(kept)) // 2
    blocked = np.zeros(problem.n, dtype=bool)
    blocked[kept] = True
    up = np.where((signed < problem.high) & ~blocked, slopes, -np.inf)
    rising = _largest(up, wanted)
    blocked[rising] = True
    down = np.where((signed > problem.low) & ~blocked, -slopes, -np.inf)
    falling = _largest(down, size - len(kept) - len(rising))
    members = np.concatenate([rising, falling, kept])
    rest = size - len(members)
    if rest > 0:
        members = np.concatenate([members, np.setdiff1d(last, members)[:rest]])
    return members


def _inside(problem: DualProblem, signed: Floats, rows: Rows) -> np.ndarray:
    return (signed[rows] > problem.low[rows]) & (signed[rows] < problem.high[rows])


def _largest(values: Floats, count: int) -> Rows:
    """Return where the largest finite values are, the largest first."""
    count = min(count, len(values))
    if count <= 0:
        return np.empty(0, dtype=np.intp)
    best = np.argpartition(-values, count - 1)[:count]
    best = best[np.isfinite(values[best])]
    return best[np.argsort(-values[best], kind="stable")]


def _solve_among(
    problem: DualProblem,
    signed: Floats,
    slopes: Floats,
    low: Floats,
    high: Floats,
    members: Rows,
    tol: float,
    most: int,
) -> int:
    """Solve the problem on the working set, in place; return the number of steps."""
    rows = problem.rows
    rows.fetch(members)
    steps_on = pair_steps if problem.bias else box_steps
    if len(members) == problem.n:
        steps, _ = steps_on(
            rows.store, rows.slot, rows.diagonal, signed, low, high, slopes, tol, most
        )
        return int(steps)
    members = np.sort(members)  # neighbours in memory are read together
    slots = rows.slot[members]
    among = np.empty((len(members), len(members)), dtype=rows.store.dtype)
    cut_square(rows.store, slots, members, among)
    before, local = signed[members], signed[members].copy()
    steps, _ = steps_on(
        among,
        np.arange(len(members)),
        rows.diagonal[members],
        local,
        low[members],
        high[members],
        slopes[members],
        tol,
        most,
    )
    moved = np.flatnonzero(local != before)
    signed[members] = local
    update_slopes(rows.store, slots[moved], (local - before)[moved], slopes)
    return int(steps)
