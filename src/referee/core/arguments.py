"""Arguments of the wrong kind: named before anything asks them what they cannot answer."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np

from referee.errors import InputError, arg, nearest

__all__ = ["SCORERS", "check_scalar", "check_text", "check_texts", "names_arguments"]

_CALLED = {
    "cv": ("by",),
    "n_splits": ("by",),
    "folds": ("by",),
    "scoring": ("measures", "measure"),
    "scorer": ("measures", "measure"),
    "metric": ("measures", "measure"),
    "metrics": ("measures", "measure"),
    "measure": ("measures",),
    "measures": ("measure",),
    "seed": ("random_state",),
    "params": ("fit_params",),
    "n_permutations": ("permutations",),
    "test": ("significance",),
    "confidence": ("level",),
    "confidence_level": ("level",),
    "y_prob": ("y_score", "y_scores"),
    "y_proba": ("y_score", "y_scores"),
    "weights": ("sample_weight", "weight"),
}
"""What other libraries call our arguments."""

SCORERS = {
    "roc_auc": "auc",
    "roc_auc_ovr": "auc_ovr",
    "roc_auc_ovo": "auc_ovo",
    "recall": "tpr",
    "f1_macro": "macro_f1",
    "f1_micro": "micro_f1",
    "f1_weighted": "weighted_f1",
    "precision_macro": "macro_precision",
    "precision_weighted": "weighted_precision",
    "recall_macro": "balanced_accuracy",
    "matthews_corrcoef": "mcc",
    "neg_log_loss": "log_loss",
    "neg_brier_score": "brier",
    "neg_mean_absolute_error": "mae",
    "neg_mean_squared_error": "mse",
    "neg_root_mean_squared_error": "rmse",
    "neg_median_absolute_error": "median_ae",
}
"""The measures that correspond to scorers of scikit-learn with other names."""

P = ParamSpec("P")
R = TypeVar("R")


def names_arguments(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function name ours for an argument it lacks, where Python would raise a TypeError.

    Examples
    --------
    >>> names_arguments(lambda model, by="auto": by)("m", cv=5)
    Traceback (most recent call last):
    ...
    referee.errors.InputError: <lambda> has no argument 'cv'; use by=5
    """
    known = [name for name in inspect.signature(function).parameters if name not in ("self", "cls")]

    @wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        odd = next((name for name in kwargs if name not in known), None)
        if odd is not None:
            raise InputError(
                f"{function.__name__} has no argument {odd!r}",
                concerning=odd,
                remedy=_ours(odd, kwargs[odd], known),
            )
        return function(*args, **kwargs)

    return checked


def _ours(odd: str, value: Any, known: list[str]) -> str:
    """Return the argument of ours to use instead, with the value where it can be written down."""
    ours = next((name for name in _CALLED.get(odd, ()) if name in known), None)
    if ours is None:
        return nearest(odd, known)
    if not isinstance(value, (str, int, float)):
        return f"use {arg(ours)}"
    return f"use {arg(ours, SCORERS.get(value, value) if isinstance(value, str) else value)}"


def check_text(argument: str, value: Any, *, example: str) -> str:
    """Return the value if it is text, or name the argument.

    Examples
    --------
    >>> check_text("claim", 5, example="difference")
    Traceback (most recent call last):
    ...
    referee.errors.InputError: claim must be text, got 5; for example 'difference'
    """
    if not isinstance(value, str):
        raise InputError(
            "must be text", argument=argument, value=repr(value), remedy=f"for example {example!r}"
        )
    return value


def check_texts(argument: str, values: Any, *, example: str) -> tuple[str, ...]:
    """Return texts; one alone may come without a list.

    Examples
    --------
    >>> check_texts("dismiss", "R002", example="R002"), check_texts("dismiss", None, example="R002")
    (('R002',), ())
    """
    if values is None:
        return ()
    if isinstance(values, str):
        return (values,)
    if not isinstance(values, Iterable):
        raise InputError(
            "must be a list of texts",
            argument=argument,
            value=repr(values),
            remedy=f"for example [{example!r}]",
        )
    return tuple(check_text(argument, value, example=example) for value in values)


def check_scalar(argument: str, value: Any) -> None:
    """Refuse what is no single value: arrays, lists, and values that are missing.

    Examples
    --------
    >>> check_scalar("pos_label", [1, 2])
    Traceback (most recent call last):
    ...
    referee.errors.InputError: pos_label must be one value, got [1, 2]
    """
    single = value is None or isinstance(value, (str, bytes, int, float, np.generic))
    if not single:
        raise InputError("must be one value", argument=argument, value=repr(value))
