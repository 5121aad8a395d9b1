"""What was asked of an evaluation, checked once."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import Any

from referee.core.dataset import Dataset
from referee.core.plan import Plan
from referee.core.randomness import Seed
from referee.core.results import Target, check_level
from referee.core.situation import Situation
from referee.errors import InputError, nearest
from referee.intervals.area.area_interval import AreaInterval
from referee.intervals.catalogue import AREA_INTERVALS, RISK_INTERVALS, for_risks
from referee.intervals.risk import RiskInterval
from referee.judging.claims import BoundClaim, claims_of
from referee.measures import Costs

__all__ = ["Settings", "check_interval", "computed_with", "versions"]


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Options that do not depend on the data.

    An `interval` of the catalogues is kept by its name, another one as the object it is.
    `target_asked` tells whether the target was asked for; otherwise an interval that can be about
    one thing only may be about that. `claims` must all hold. `sequential` asks for intervals that
    hold at all times; `numeric` says that quantities are predicted, whose errors may exceed 1.

    Examples
    --------
    >>> Settings(level=0.9).target.value
    'conditional'
    >>> Settings(max_error=5)
    Traceback (most recent call last):
    ...
    referee.errors.InputError: max_error must lie between 0 and 1, got 5; for 5 % write 0.05
    """

    interval: str | RiskInterval | AreaInterval = "auto"
    target: Target = Target.CONDITIONAL
    target_asked: bool = False
    max_error: float | None = None
    claims: tuple[BoundClaim, ...] = ()
    costs: Costs | None = None
    level: float = 0.95
    seed: Seed = 0
    sequential: bool = False
    numeric: bool = False

    def __post_init__(self) -> None:
        check_level(self.level)
        object.__setattr__(self, "interval", _checked_interval(self.interval))
        object.__setattr__(self, "claims", claims_of(self.claims))
        if self.target not in (Target.CONDITIONAL, Target.EXPECTED):
            raise InputError(
                "about must be 'conditional' or 'expected'", value=repr(str(self.target))
            )
        bound = self.max_error
        if bound is not None and not isinstance(bound, (int, float)):
            raise InputError(
                "must be a number",
                argument="max_error",
                value=repr(bound),
                remedy="for example 0.05",
            )
        if bound is not None and self.numeric:
            _check_size(bound)
        elif bound is not None and not 0 <= bound <= 1:
            remedy = f"for {bound:g} % write {bound / 100:g}" if bound > 1 else "for example 0.05"
            raise InputError(
                "must lie between 0 and 1",
                argument="max_error",
                value=str(bound),
                remedy=remedy,
            )


def _check_size(bound: float) -> None:
    if not 0 <= bound < float("inf"):
        raise InputError(
            "must be a number of at least 0",
            argument="max_error",
            value=str(bound),
            remedy="in the units of the target",
        )


def check_interval(plan: Plan, data: Dataset, settings: Settings) -> None:
    """Refuse an interval that does not suit the plan or the target, before anything is fitted."""
    method = for_risks(settings.interval)
    if isinstance(method, str):
        return
    situation = Situation.of_plan(
        plan, data, target=settings.target, target_asked=settings.target_asked
    )
    if situation.n:  # by resubstitution nothing is tested unseen, and no interval is made
        method.check(situation)


def _checked_interval(interval: Any) -> str | RiskInterval | AreaInterval:
    """Return the name of an interval that is known, or the interval of a user's own."""
    known = {**AREA_INTERVALS, **RISK_INTERVALS}
    if isinstance(interval, (RiskInterval, AreaInterval)):
        return interval.name if known.get(interval.name) is interval else interval
    if isinstance(interval, str):
        if interval != "auto" and interval not in known:
            hint = nearest(interval, ["auto", *RISK_INTERVALS, *AREA_INTERVALS])
            raise InputError(
                f"interval {interval!r} is unknown", concerning="interval", remedy=hint
            )
        return interval
    if callable(interval):
        name = getattr(interval, "__name__", type(interval).__name__)
        example = f"RiskInterval({name.strip('<>').replace('_', '-')!r}, title=..., compute={name})"
        raise InputError(
            "must be a name or a RiskInterval",
            argument="interval",
            value=f"the function {name}",
            remedy=f"write {example}, where it takes a RiskSample and returns an Interval",
        )
    raise InputError("must be a name or a RiskInterval", argument="interval", value=repr(interval))


def computed_with(seed: int | None = None) -> str:
    """Say which version computed a result and from which seed, as a paper should.

    Examples
    --------
    >>> computed_with(7)  # doctest: +ELLIPSIS
    'All was computed with referee ...; the seed was 7.'
    """
    seeded = "" if seed is None else f"; the seed was {seed}"
    return f"All was computed with referee {versions()['referee']}{seeded}."


def versions() -> Mapping[str, str]:
    """Return the versions a result depends on."""
    # A copy each time: a result carries it, and a read-only view could not be pickled.
    return dict(_versions())


@cache
def _versions() -> Mapping[str, str]:
    packages = ("referee", "numpy", "scipy", "scikit-learn")
    return {"python": platform.python_version()} | {p: version(p) for p in packages}
