"""What is planned with must be real numbers; anything else is refused by the argument's name."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any

from referee.errors import InputError

__all__ = ["check_real"]


def check_real(**given: Any) -> None:
    """Refuse what is no number; None is what was not given.

    Examples
    --------
    >>> check_real(n=None, error=0.01)
    >>> check_real(error="1 %")
    Traceback (most recent call last):
    ...
    referee.errors.InputError: error must be a number, got '1 %'
    """
    for name, value in given.items():
        number = isinstance(value, Real) and not isinstance(value, bool)
        if value is not None and not (number and math.isfinite(float(value))):
            raise InputError("must be a number", argument=name, value=repr(value))
