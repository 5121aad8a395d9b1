"""Stochastic coordinate dual ascent with a kernel: one coefficient at a time, in random order."""

from __future__ import annotations

from typing import Any

import numpy as np

from referee.core.arrays import Floats, Rows
from referee.core.machine.compiling import compiled
from referee.errors import InputError
from referee.learners.svm.problem import DualProblem
from referee.learners.svm.solution import Solution
from referee.learners.svm.solvers.pair_steps import FLAT
from referee.learners.svm.trace import Recorder

__all__ = ["solve_by_scda"]

_AHEAD = 64
"""Rows made at once for the coefficients that come next."""


@compiled
def _coordinate_steps(
    store: Any,
    slot: Rows,
    diagonal: Floats,
    signed: Floats,
    low: Floats,
    high: Floats,
    slopes: Floats,
    order: Rows,
    start: int,
) -> int:
    """Move one coefficient after another to its best value; stop where a row is missing."""
    n = len(slopes)
    for at in range(start, len(order)):
        i = order[at]
        slope = slopes[i]
        target = signed[i] + slope / max(diagonal[i], FLAT)
        target = min(max(target, low[i]), high[i])
        move = target - signed[i]
        if move == 0.0:
            continue
        if slot[i] < 0:
            return at
        row = store[slot[i]]
        signed[i] = target
        for t in range(n):
            slopes[t] -= move * row[t]
    return len(order)


def solve_by_scda(
    problem: DualProblem,
    *,
    tol: float = 1e-3,
    max_iter: int = 10_000_000,
    record: bool = False,
    start: Solution | None = None,
    random_state: int | np.random.Generator = 0,
) -> Solution:
    """Solve a dual problem without bias by steps on single coefficients.

    Problem: `DualProblem` with ``bias=False``; a bias can be had by the kernel k + 1, and is then
    penalised like the other weights. Update: the i-th coefficient moves by (y_i - f(x_i)) / k_ii,
    clipped to its box, for every i in a random order, then in another one. The objective rises with
    every step, which costs O(n). Where k_ii is 0 the case has no influence on the rule, and its
    coefficient goes to the end of its box. References: C.-J. Hsieh et al. (2008), A dual coordinate
    descent method for large-scale linear SVM, ICML; S. Shalev-Shwartz, T. Zhang (2013), Stochastic
    dual coordinate ascent methods, JMLR 14.

    Parameters
    ----------
    tol, max_iter, record, start
        As in `solve_by_working_sets`; `max_iter` counts steps, the trace has an entry an epoch.
    random_state : int or Generator
        Of the orders.

    Examples
    --------
    >>> from referee.learners.svm.cache import GivenRows
    >>> x = np.array([-2.0, -1.0, 1.0, 3.0])
    >>> K = np.outer(x, x) + 1
    >>> problem = DualProblem(GivenRows(K), np.sign(x), np.ones(4), bias=False)
    >>> solve_by_scda(problem, tol=1e-9).alpha.round(6).tolist()
    [0.0, 0.5, 0.5, 0.0]
    """
    if problem.bias:
        raise InputError(
            "SCDA solves problems without bias only",
            remedy="use bias=False, or the kernel k + 1 with bias=False for a penalised bias",
        )
    random = np.random.default_rng(random_state)
    signed = np.zeros(problem.n) if start is None else start.signed.copy()
    slopes = problem.y.copy() if start is None else start.slopes.copy()
    recorder = Recorder(problem, record)
    recorder.note(0, signed, slopes)
    done = 0
    while problem.violation(signed, slopes) > tol and done < max_iter:
        order = random.permutation(problem.n)[: max_iter - done]
        _epoch(problem, signed, slopes, order)
        done += len(order)
        recorder.note(done, signed, slopes)
    return Solution.of(
        problem, signed, slopes, tol=tol, iterations=done, solver="scda", trace=recorder.trace()
    )


def _epoch(problem: DualProblem, signed: Floats, slopes: Floats, order: Rows) -> None:
    rows, at = problem.rows, 0
    while True:
        at = _coordinate_steps(
            rows.store,
            rows.slot,
            rows.diagonal,
            signed,
            problem.low,
            problem.high,
            slopes,
            order,
            at,
        )
        if at == len(order):
            return
        ahead = order[at : at + 4 * _AHEAD]
        missing = ahead[rows.slot[ahead] < 0][: min(_AHEAD, len(rows.store))]
        rows.fetch(missing)
