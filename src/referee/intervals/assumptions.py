"""What must hold for an interval to keep its promise, besides independent cases."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["ASSUMPTIONS"]

_NORMAL = "errors are not so few that a symmetric interval misleads"

ASSUMPTIONS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "effective-jeffreys": ("the learner does not leap from one sample to the next",),
        "nested-cv": ("leaving out a fold changes little", _NORMAL),
        "conservative-z": ("nine tenths of the rows teach as much as all", _NORMAL),
        "corrected-t": (
            "splits are correlated by the share of rows they test, a rule of thumb",
            _NORMAL,
        ),
        "student-t": ("folds are independent, which they are not", _NORMAL),
        "cv-clt": ("one row more or less hardly moves a loss", _NORMAL),
        "cv-clt-all-pairs": ("one row more or less hardly moves a loss", _NORMAL),
    }
)
"""Name of an interval -> its own assumptions, in words."""
