"""What was asked of an evaluation, checked once."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version

from referee.core.randomness import Seed
from referee.core.results import Target, check_level
from referee.errors import InputError, nearest
from referee.intervals.area.auc import AUC_INTERVALS
from referee.intervals.risk import CATALOGUE as INTERVALS
from referee.measures import Costs

__all__ = ["Settings", "versions"]


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Options that do not depend on the data.

    `target_asked` tells whether the target was asked for; otherwise an interval that can be about
    one thing only may be about that.

    Examples
    --------
    >>> Settings(level=0.9).target.value
    'conditional'
    >>> Settings(max_error=5)
    Traceback (most recent call last):
    ...
    referee.errors.InputError: max_error must lie between 0 and 1, got 5; for 5 % write 0.05
    """

    interval: str = "auto"
    target: Target = Target.CONDITIONAL
    target_asked: bool = False
    max_error: float | None = None
    costs: Costs | None = None
    level: float = 0.95
    seed: Seed = 0

    def __post_init__(self) -> None:
        check_level(self.level)
        known = ["auto", *INTERVALS, *AUC_INTERVALS]
        if self.interval not in known:
            hint = nearest(self.interval, known)
            raise InputError(f"interval {self.interval!r} is unknown{hint}")
        if self.target not in (Target.CONDITIONAL, Target.EXPECTED):
            raise InputError(f"target must be 'conditional' or 'expected', got {self.target!r}")
        bound = self.max_error
        if bound is not None and not isinstance(bound, (int, float)):
            raise InputError(f"max_error must be a number, got {bound!r}; for example 0.05")
        if bound is not None and not 0 <= bound <= 1:
            remedy = f"for {bound:g} % write {bound / 100:g}" if bound > 1 else "for example 0.05"
            raise InputError(f"max_error must lie between 0 and 1, got {bound}; {remedy}")


def versions() -> Mapping[str, str]:
    """Return the versions a result depends on."""
    # A copy each time: a result carries it, and a read-only view could not be pickled.
    return dict(_versions())


@cache
def _versions() -> Mapping[str, str]:
    packages = ("referee", "numpy", "scipy", "scikit-learn")
    return {"python": platform.python_version()} | {p: version(p) for p in packages}
