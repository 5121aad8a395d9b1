"""Three functions that look like kernels, and are none."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from referee.kernels.edit_distance import edit_distance
from referee.kernels.given import FromFunction

__all__ = ["SUSPECTS", "exp_edit_distance", "one_minus_squared_distance", "tanh_of_product"]


def tanh_of_product(x: Any, z: Any) -> float:
    """Return tanh(1 + <x, x'>)."""
    return math.tanh(1 + float(np.dot(x, z)))


def exp_edit_distance(x: str, z: str) -> float:
    """Return exp(-edit distance of x and x')."""
    return math.exp(-edit_distance(x, z))


def one_minus_squared_distance(x: Any, z: Any) -> Any:
    """Return 1 - |x - x'|^2; of fractions, a fraction."""
    return 1 - ((x - z) ** 2).sum()


SUSPECTS: dict[str, tuple[FromFunction, str]] = {
    "tanh(1 + <x, x'>)": (FromFunction(tanh_of_product), "numbers"),
    "exp(-edit distance)": (FromFunction(exp_edit_distance), "strings"),
    "1 - |x - x'|^2": (FromFunction(one_minus_squared_distance), "numbers"),
}
"""Formula -> function, and where to search for points at which it fails."""
