"""Several classes: one against one or one against the rest, over one store of kernel rows."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from referee.core.arrays import Codes, Floats, Rows
from referee.learners.svm.cache import SMALL, GivenRows
from referee.learners.svm.cases import Cases
from referee.learners.svm.problem import KernelRows
from referee.learners.svm.solution import Solution
from referee.learners.svm.training import Settings, train

__all__ = ["Task", "combined", "tasks_of", "train_all"]


@dataclass(frozen=True, eq=False)
class Task:
    """A problem of two classes within a problem of several.

    Attributes
    ----------
    rows : array of int
        The cases that take part.
    y : array of float
        -1 for the first, 1 for the second class.
    """

    rows: Rows
    y: Floats


def tasks_of(codes: Codes, k: int, how: str) -> list[Task]:
    """Return the problems of two classes: one of two, pairs of classes, or each against the rest.

    Examples
    --------
    >>> [t.rows.tolist() for t in tasks_of(np.array([0, 1, 2, 2]), 3, "ovo")]
    [[0, 1], [0, 2, 3], [1, 2, 3]]
    """
    everyone = np.arange(len(codes))
    if k == 2:
        return [Task(everyone, np.where(codes == 1, 1.0, -1.0))]
    if how == "ovr":
        return [Task(everyone, np.where(codes == c, 1.0, -1.0)) for c in range(k)]
    tasks = []
    for first, second in combinations(range(k), 2):
        rows = np.flatnonzero((codes == first) | (codes == second))
        tasks.append(Task(rows, np.where(codes[rows] == second, 1.0, -1.0)))
    return tasks


def train_all(
    cases: Cases,
    tasks: list[Task],
    bounds: Floats,
    settings: Settings,
    *,
    shared: KernelRows | None = None,
) -> list[Solution]:
    """Solve every task.

    Kernel rows are shared where all tasks have all cases, and where the whole matrix is at hand;
    pairs of classes among many cases get stores of their own, one after the other. Rows that are
    at hand already can be given.
    """
    if shared is None and (len(tasks[0].rows) == cases.n or cases.n <= SMALL):
        shared = settings.rows(cases)
    return [_solved(cases, task, bounds, settings, shared) for task in tasks]


def _solved(
    cases: Cases, task: Task, bounds: Floats, settings: Settings, shared: KernelRows | None
) -> Solution:
    if len(task.rows) == cases.n:
        return train(cases, task.y, bounds, settings, rows=shared)
    rows: KernelRows | None = None
    if isinstance(shared, GivenRows):
        rows = GivenRows(
            shared.store[np.ix_(task.rows, task.rows)],
            shared.diagonal[task.rows],
            evaluations=shared.evaluations,
        )
    return train(cases.some(task.rows), task.y, bounds[task.rows], settings, rows=rows)


def combined(values: Floats, k: int, how: str) -> Floats:
    """Return a column for each class from the values of the tasks; one column of two classes.

    One against one: the number of pairs of classes won, and less than a third of one for how
    clearly, as scikit-learn has it.

    Examples
    --------
    >>> combined(np.array([[-1.0, -1.0, 2.0]]), 3, "ovo").argmax(axis=1).tolist()
    [0]
    """
    if k == 2:
        return values[:, 0]
    if how == "ovr":
        return values
    votes, sums = np.zeros((len(values), k)), np.zeros((len(values), k))
    for column, (first, second) in enumerate(combinations(range(k), 2)):
        value = values[:, column]
        sums[:, first] -= value
        sums[:, second] += value
        votes[:, first] += value <= 0
        votes[:, second] += value > 0
    return np.asarray(votes + sums / (3 * (np.abs(sums) + 1)))
