"""Arguments of the wrong kind: named before anything asks them what they cannot answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from referee.errors import InputError

__all__ = ["check_scalar", "check_text", "check_texts"]


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
