"""Losses of single predictions: zero-one, quadratic, and any function of truth and answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from referee.core.arrays import Anything, Floats
from referee.errors import InputError, nearest

__all__ = ["CATALOGUE", "Loss", "loss_named", "quadratic", "zero_one"]

Loss: TypeAlias = Callable[[Anything, Anything], Anything]
"""From right answers and predictions to one loss per case."""


def zero_one(truth: Anything, answers: Anything) -> Floats:
    """Return 1 for a wrong answer and 0 for a right one.

    Examples
    --------
    >>> zero_one(np.array(["a", "b"]), np.array(["a", "a"])).tolist()
    [0.0, 1.0]
    """
    return np.asarray(np.asarray(truth) != np.asarray(answers), dtype=float)


def quadratic(truth: Anything, answers: Anything) -> Floats:
    """Return the squared difference; on labels -1 and 1 it is four times the zero-one loss.

    Examples
    --------
    >>> quadratic(np.array([-1, 1]), np.array([1, 1])).tolist()
    [4.0, 0.0]
    """
    try:
        difference = np.asarray(truth, dtype=float) - np.asarray(answers, dtype=float)
    except ValueError:
        raise InputError(
            "the quadratic loss needs numbers as labels, for example -1 and 1", concerning="y_true"
        ) from None
    return np.asarray(difference**2)


CATALOGUE: dict[str, Loss] = {"zero-one": zero_one, "quadratic": quadratic}
"""Name -> loss."""


def loss_named(name: str) -> Loss:
    """Return the loss with that name."""
    if name not in CATALOGUE:
        raise InputError(f"loss {name!r} is unknown", remedy=nearest(name, CATALOGUE))
    return CATALOGUE[name]
