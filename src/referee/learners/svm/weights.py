"""Weights: what a violation costs, case by case, and the checks on what the user asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_random_state, compute_class_weight
from sklearn.utils.validation import _check_sample_weight

from referee.core.arrays import Anything, Codes, Features, Floats
from referee.errors import InputError
from referee.kernels.kernel import finite_number

__all__ = ["bounds_of", "check_count", "check_positive", "seed_of", "shown"]


def shown(value: Any) -> str:
    """Return a value as Python writes it, those of numpy included.

    Examples
    --------
    >>> shown(np.float64(1.0)), shown("a")
    ('1.0', "'a'")
    """
    return repr(value.item() if isinstance(value, np.generic) else value)


def check_positive(value: Any, name: str) -> None:
    """Refuse what is not a finite number greater than 0.

    Examples
    --------
    >>> check_positive(0, "C")
    Traceback (most recent call last):
    ...
    referee.errors.InputError: C must be a finite number greater than 0, got 0
    """
    number = finite_number(value)
    if number is None or number <= 0:
        raise InputError(
            f"{name} must be a finite number greater than 0", concerning=name, value=shown(value)
        )


def check_count(value: Any, name: str) -> None:
    """Refuse what is not a whole number of at least 1; 1e6 is one."""
    number = finite_number(value)
    if number is None or number < 1 or number != int(number):
        raise InputError(
            f"{name} must be a whole number of at least 1", concerning=name, value=shown(value)
        )


def bounds_of(
    C: float,
    class_weight: Any,
    sample_weight: Any,
    y: Anything,
    classes: Anything,
    codes: Codes,
    X: Features,
) -> Floats:
    """Return C times the weights of each case and its class."""
    bounds = np.full(len(codes), float(C))
    if class_weight is not None:
        bounds *= compute_class_weight(class_weight, classes=classes, y=y)[codes]
    if sample_weight is not None:
        bounds *= _check_sample_weight(sample_weight, X, dtype=np.float64)
    if (bounds < 0).any():
        row = int(np.argmin(bounds))
        raise InputError("weights must not be negative", value=f"{bounds[row] / C:g} for row {row}")
    weighed = np.bincount(codes, bounds > 0, minlength=len(classes))
    if (weighed == 0).any():
        lone = classes[int(np.argmin(weighed))]
        raise InputError(
            f"class {shown(lone)} has no case of positive weight, which leaves fewer classes than "
            "y has",
            remedy="drop the class or change the weights",
        )
    return bounds


def seed_of(random_state: Any) -> int:
    """Return a number for our own generators; 0 for None, so that fits can be repeated."""
    if random_state is None:
        return 0
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    return int(check_random_state(random_state).randint(2**31 - 1))
