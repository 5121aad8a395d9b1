"""Every split of a plan, for every label column, from one kernel matrix.

A support vector machine stops within a tolerance of the optimum, so where it stops depends on the
steps it took: a warm start would save steps and move answers near the boundary. Bounds from the
duality gap do not help: |f - f*| <= sqrt(2 gap k(x, x)) leaves most cases in doubt at the usual
tolerance. What can be shared without changing an answer is the kernel matrix, which is most of the
work: each machine here takes the very steps of a plain fit, from the same numbers. Only sums over
support vectors may be rounded otherwise; a case that this might tip is left to a plain fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import clone

from referee.core.arrays import Codes, Features, Floats, Label, Rows
from referee.core.plan import Plan, Split
from referee.core.shared_work import SplitOutput, SteppedAside, label_columns
from referee.kernels import (
    FeatureMap,
    FromFunction,
    Gaussian,
    Kernel,
    Linear,
    Polynomial,
    Precomputed,
)
from referee.kernels.algebra import parts
from referee.learners.plain_numbers import numbers_of
from referee.learners.shortcuts.plain_refit import (
    plain_plan,
    plain_refit,
    score_columns,
    side_by_side,
)
from referee.learners.svm.cache import SMALL
from referee.learners.svm.cases import cases_of
from referee.learners.svm.multiclass import Task, combined, tasks_of, train_all
from referee.learners.svm.shared_kernel import SharedKernel
from referee.learners.svm.solution import Solution
from referee.learners.svm.threads import one_thread
from referee.learners.svm.weights import bounds_of

__all__ = ["predict_svm_plan"]

_MANY = 12
"""Splits from which on one kernel matrix for all of them costs less than one for each."""

_CHEAP = (Gaussian, Linear, Polynomial)
"""Kernels by matrix products: a matrix for each split costs no more than cutting it out."""

_DOUBT = 1e-9
"""Of the sum of absolute terms: values smaller than this may have another sign in a plain fit."""


def predict_svm_plan(
    model: Any,
    X: Features,
    Y: Codes,
    plan: Plan,
    *,
    classes: Sequence[Label],
    scores: bool = False,
) -> tuple[SplitOutput, ...]:
    """Return what clones of an `SVM`, fitted plainly, would predict in every split."""
    Y = label_columns(Y, plan.n, len(classes))
    values = _shareable(model, X, plan)
    if values is None:
        return _plainly(model, X, Y, plan, classes, scores)
    kernel = model._kernel()
    work = [kernel.resolved(values[s.train]) for s in plan.splits]
    shared = None
    same = all(k == work[0] for k in work)
    if same and plan.fits >= _MANY and not isinstance(kernel, _CHEAP):
        with one_thread(plan.n):
            shared = SharedKernel.of(work[0], values)
    one_split = _scored_split if scores else _one_split
    outputs = []
    for split, own in zip(plan.splits, work, strict=True):
        # As in a plain fit: the number of threads may tell on the last bits of products.
        with one_thread(split.n_train):
            outputs.append(
                one_split(model, X, values, Y, split, shared or _own(own, values), classes)
            )
    return tuple(outputs)


def _plainly(
    model: Any, X: Features, Y: Codes, plan: Plan, classes: Sequence[Label], scores: bool
) -> tuple[SplitOutput, ...]:
    method = "predict_proba" if model.probability else "decision_function"
    return plain_plan(model, X, Y, plan, classes=classes, scores=scores, method=method)


def _own(kernel: Kernel, values: Floats) -> SharedKernel:
    """Return a kernel that depends on the training rows, hence is computed split by split."""
    return SharedKernel(kernel, values, None, np.empty((0, 2), dtype=np.intp))


def _shareable(model: Any, X: Features, plan: Plan) -> Floats | None:
    """Return the features as numbers, or None where fits have nothing to share."""
    kernel, settings = model._kernel(), model._settings()
    if model.probability or model.record or settings.solver == "scda":
        return None
    if any(isinstance(part, Precomputed | FeatureMap | FromFunction) for part in parts(kernel)):
        return None
    largest = max(s.n_train for s in plan.splits)
    needed = max(largest, plan.n) ** 2 * 4 / 2**20
    if largest > SMALL or needed > model.cache_mb:
        return None
    try:
        values = numbers_of(X)
    except SteppedAside:
        return None
    return values if len(values) == plan.n else None


def _one_split(
    model: Any,
    X: Features,
    values: Floats,
    Y: Codes,
    split: Split,
    shared: SharedKernel,
    classes: Sequence[Label],
) -> SplitOutput:
    rows = shared.rows(split.train)
    between = shared.kernel.gram(values[split.test], values[split.train])
    predicted = np.empty((split.n_test, Y.shape[1]), dtype=np.intp)
    refits = 0
    for column, codes in enumerate(Y.T):
        answers = _answers(model, values, codes[split.train], split.train, rows, between, classes)
        if answers is None:
            plain = plain_refit(model, X, codes, split, classes=classes)
            answers, refits = plain.predicted[:, 0], refits + 1
        predicted[:, column] = answers
    return SplitOutput(predicted, refits=refits)


def _scored_split(
    model: Any,
    X: Features,
    values: Floats,
    Y: Codes,
    split: Split,
    shared: SharedKernel,
    classes: Sequence[Label],
) -> SplitOutput:
    """Return answers and scores by the very sums of a plain fit, over its support vectors."""
    rows = shared.rows(split.train)
    outputs = []
    for codes in Y.T:
        solved = _solved(model, values, codes[split.train], split.train, rows, classes)
        if solved is None:
            outputs.append(
                plain_refit(
                    model, X, codes, split, classes=classes, scores=True, method="decision_function"
                )
            )
            continue
        present = np.unique(codes[split.train])
        machine = clone(model)
        machine.kernel_, machine.solutions_ = shared.kernel, solved[1]
        machine.keep(values[split.train], solved[0])
        decisions = machine.task_values(values[split.test])
        decisions = combined(decisions, len(present), model.multiclass)
        best = decisions.argmax(axis=1) if decisions.ndim == 2 else (decisions > 0).astype(np.intp)
        columns = score_columns(decisions, present, len(classes), "decision_function")
        outputs.append(SplitOutput(present[best][:, None], columns[:, None, :]))
    return side_by_side(outputs)


def _answers(
    model: Any,
    values: Floats,
    codes: Codes,
    train: Rows,
    rows: Any,
    between: Floats,
    classes: Sequence[Label],
) -> Codes | None:
    """Return the codes of the test rows, None where a plain fit has to decide."""
    solved = _solved(model, values, codes, train, rows, classes)
    if solved is None:
        return None
    tasks, solutions = solved
    coefficients = np.zeros((len(tasks), len(train)))
    for row, task, solution in zip(coefficients, tasks, solutions, strict=True):
        row[task.rows] = solution.signed
    intercepts = np.array([s.intercept for s in solutions])
    decisions = between @ coefficients.T + intercepts
    size = np.abs(between) @ np.abs(coefficients.T) + np.abs(intercepts)
    present = np.unique(codes)
    return _decided(decisions, _DOUBT * (1 + size), len(present), model.multiclass, present)


def _solved(
    model: Any,
    values: Floats,
    codes: Codes,
    train: Rows,
    rows: Any,
    classes: Sequence[Label],
) -> tuple[list[Task], tuple[Solution, ...]] | None:
    """Return tasks and solutions of a labelling, None where a plain fit would raise or warn."""
    present, local = np.unique(codes, return_inverse=True)
    k = len(present)
    if k < 2:
        return None
    names = np.asarray(classes)
    settings, X = model._settings(), values[train]
    bounds = bounds_of(model.C, model.class_weight, None, names[codes], names[present], local, X)
    tasks = tasks_of(local, k, model.multiclass)
    cases = cases_of(model._kernel().resolved(X), X)
    solutions = train_all(cases, tasks, bounds, settings, shared=rows)
    return (tasks, tuple(solutions)) if all(s.converged for s in solutions) else None


def _decided(decisions: Floats, doubt: Floats, k: int, how: str, present: Codes) -> Codes | None:
    if k == 2:
        if (np.abs(decisions) <= doubt).any():
            return None
        return np.asarray(present[(decisions[:, 0] > 0).astype(np.intp)])
    if how == "ovo" and (np.abs(decisions) <= doubt).any():
        return None
    columns = combined(decisions, k, how)
    best = np.partition(columns, k - 2, axis=1)
    if (best[:, -1] - best[:, -2] <= doubt.sum(axis=1)).any():
        return None
    return np.asarray(present[columns.argmax(axis=1)])
