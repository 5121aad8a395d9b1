"""What is predicted, classes, quantities or label sets: asked for, or read off the target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.core.arguments import check_text
from referee.core.arrays import Anything, Floats
from referee.core.labels.label_sets import holds_label_sets
from referee.core.labels.labels import is_missing, rows_text
from referee.errors import InputError, arg

__all__ = ["FEW_VALUES", "TASKS", "Task", "as_numbers", "task_of"]

TASKS = ("auto", "classification", "regression", "multilabel")

FEW_VALUES = 10
"""Whole numbers with fewer distinct values than this could as well be names of classes."""

_OFTEN = 5
"""So often on average must each of few fractions occur before it looks like a class."""


@dataclass(frozen=True)
class Task:
    """Whether a target holds quantities or label sets, and what that was concluded from.

    Attributes
    ----------
    numeric : bool
        True for quantities (regression), False for classes and sets of labels.
    reason : str
        Why it was taken so; empty where it was asked for.
    sets : bool
        True where a case may have several labels, or none.
    """

    numeric: bool
    reason: str = ""
    sets: bool = False

    @property
    def taken_for(self) -> str:
        """What a target was taken for and why, where that was concluded; empty for classes."""
        if not self.reason or not (self.numeric or self.sets):
            return ""
        return f"{'label sets' if self.sets else 'quantities'}, because {self.reason}"


def task_of(y: Any, asked: str = "auto", *, kind: str = "", answers: Any = None) -> Task:
    """Return what a target is to be taken for, or ask where nothing tells.

    Parameters
    ----------
    y : array-like
        The target.
    asked : {"auto", "classification", "regression", "multilabel"}
        What the user said.
    kind : {"", "classifier", "regressor"}
        What the model is, where there is one that says so.
    answers : array-like, optional
        Predictions, where there is no model.

    Examples
    --------
    >>> task_of(["a", "b"]).numeric, task_of([1.5, 2.0, 7.25]).numeric
    (False, True)
    >>> task_of([1, 2, 3] * 10, kind="regressor")
    Traceback (most recent call last):
    ...
    referee.errors.InputError: y holds whole numbers with 3 distinct values, which may be classes \
or quantities; pass task='regression' or task='classification'
    """
    check_text("task", asked, example="regression")
    if asked not in TASKS:
        raise InputError(
            f"must be one of {', '.join(map(repr, TASKS))}", argument="task", value=repr(asked)
        )
    if asked != "auto":
        _refuse_other_model(asked, kind)
        return Task(asked == "regression", sets=asked == "multilabel")
    if holds_label_sets(y):
        _refuse_other_model("multilabel", kind, " (y holds several labels a row)")
        return Task(False, "the target holds several labels a row", sets=True)
    _refuse_neither(y)
    if not _holds_numbers(y):
        _refuse_other_model("classification", kind, " (y holds labels)")
        return Task(False, "the target holds labels")
    fraction = _first_fraction(y)
    if fraction is not None:
        _refuse_quantity(kind, fraction)
        distinct = len(np.unique(np.asarray(y, dtype=float)))
        if distinct < FEW_VALUES and np.size(y) >= _OFTEN * distinct:
            raise _asked("numbers", distinct)
        return Task(True, f"the target holds fractions such as {fraction:g}")
    if kind == "classifier":
        return Task(False, "the model is a classifier")
    return _of_whole_numbers(y, kind, answers)


def _refuse_neither(y: Any) -> None:
    """Refuse targets that are neither classes nor quantities: several numbers a row, dates."""
    try:
        array = np.asarray(y)
    except ValueError:
        return
    if array.ndim == 2 and array.shape[1] > 1 and array.dtype.kind == "f":
        raise _no_column(array, "y")
    what = {"c": "complex numbers", "M": "dates", "m": "durations"}.get(array.dtype.kind)
    if what is not None:
        raise InputError(
            f"holds {what}, which are neither classes nor quantities",
            argument="y",
            remedy=f"turn them into numbers (as days), or into names of classes and pass "
            f"{arg('task', 'classification')}",
        )


def _of_whole_numbers(y: Any, kind: str, answers: Any) -> Task:
    quantities = answers is not None and _holds_numbers(answers)
    fraction = _first_fraction(answers) if quantities else None
    if kind != "regressor" and fraction is None:
        return Task(False, "the target holds whole numbers, and so do the answers")
    distinct = len(np.unique(np.asarray(y, dtype=float)))
    if distinct < FEW_VALUES:
        raise _asked("whole numbers", distinct)
    if kind == "regressor":
        return Task(True, f"the model is a regressor, the target has {distinct} distinct values")
    return Task(True, f"the target holds whole numbers, the answers fractions such as {fraction:g}")


def _asked(what: str, distinct: int) -> InputError:
    """Return the question that is put to the user where nothing tells."""
    return InputError(
        f"y holds {what} with {distinct} distinct values, which may be classes or quantities",
        concerning="y",
        remedy=f"pass {arg('task', 'regression')} or {arg('task', 'classification')}",
    )


def _refuse_other_model(task: str, kind: str, why: str = "") -> None:
    wanted = "regressor" if task == "regression" else "classifier"
    if kind and kind != wanted:
        raise InputError(
            f"the model is a {kind}, and the task is {task}{why}",
            concerning="model",
            remedy=f"pass a {wanted}, or another {arg('task')}",
        )


def _refuse_quantity(kind: str, fraction: float) -> None:
    if kind == "classifier":
        raise InputError(
            f"y holds the number {fraction:g}: that is a quantity, not a class, and the model is "
            "a classifier",
            concerning="y",
            remedy="pass a regressor, bin the target or name its classes",
        )


def _plain(values: Any) -> Anything | None:
    """Return values as a plain array of one column; None where they are no such thing."""
    try:
        array = np.asarray(values)
    except ValueError:
        return None
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    return array if array.ndim == 1 and array.size else None


def _holds_numbers(values: Any) -> bool:
    array = _plain(values)
    if array is None:
        return False
    if array.dtype.kind == "O":
        number = (int, float, np.integer, np.floating)
        kept = [v for v in array if not is_missing(v)]
        return bool(kept) and all(isinstance(v, number) and not isinstance(v, bool) for v in kept)
    return array.dtype.kind in "iuf"


def _first_fraction(values: Any) -> float | None:
    """Return the first number that is not whole; None where all are."""
    array = _plain(values)
    assert array is not None
    if array.dtype.kind in "iu":
        return None
    numbers = array.astype(float)
    odd = np.flatnonzero(np.isfinite(numbers) & (numbers != np.round(numbers)))
    return float(numbers[odd[0]]) if odd.size else None


def as_numbers(values: Any, argument: str) -> Floats:
    """Return quantities as floats, or say what is wrong with them.

    Examples
    --------
    >>> as_numbers([1, 2.5], "y").tolist()
    [1.0, 2.5]
    >>> as_numbers([1.0, float("nan")], "y")
    Traceback (most recent call last):
    ...
    referee.errors.InputError: y is missing in row 1; drop these rows or fill them in
    """
    array = _plain(values)
    if array is None:
        raise _no_column(values, argument)
    missing = [row for row, value in enumerate(array) if is_missing(value)]
    if missing:
        raise InputError(
            "is missing",
            argument=argument,
            place=rows_text(missing),
            remedy="drop these rows or fill them in",
        )
    numbers = _converted(array, argument)
    odd = np.flatnonzero(~np.isfinite(numbers))
    if odd.size:
        raise InputError(
            "must be finite",
            argument=argument,
            value=str(numbers[odd[0]]),
            place=rows_text(odd[:1]),
            remedy="drop the row or correct it",
        )
    return numbers


def _no_column(values: Any, argument: str) -> InputError:
    """Return what is said of quantities that are no single column."""
    shape = np.shape(values)
    remedy = ""
    if len(shape) == 2 and shape[1] > 1:
        remedy = (
            f"judge one target at a time, {argument}[:, 0], or pass one error per case to "
            "evaluate_scores"
        )
    return InputError(
        "must hold one number a row", argument=argument, value=f"shape {shape}", remedy=remedy
    )


def _converted(array: Anything, argument: str) -> Floats:
    if array.dtype.kind in "biuf":
        return array.astype(float)
    for row, value in enumerate(array):
        if not isinstance(value, (int, float, np.number)):
            raise InputError(
                f"holds {str(value)!r} in row {row}, and a quantity is a number",
                argument=argument,
                remedy=f"correct it, or pass {arg('task', 'classification')}",
            )
    return array.astype(float)
