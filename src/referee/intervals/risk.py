"""RiskInterval: an interval of a risk as one object, and the sample that it is computed from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import ClassVar

from referee.core.method import answered_interval
from referee.core.plan import Part
from referee.core.randomness import Seed
from referee.core.results import Interval, Target
from referee.core.situation import Situation
from referee.errors import Refusal, arg
from referee.intervals.interval_method import CountInterval, IntervalMethod
from referee.intervals.one_set.dependent.effective_n import effective_n
from referee.intervals.one_set.dependent.serial_n import serial_n
from referee.measures.losses import Losses

__all__ = [
    "NORMAL",
    "ONE_MODEL",
    "RiskInterval",
    "RiskSample",
    "Trial",
    "both_targets",
    "of_several_models",
]

NORMAL = "errors are not so few that a symmetric interval misleads"
"""What every interval of the shape point ± so many standard errors assumes."""

ONE_MODEL = "takes predictions of several models as those of one"


def without_reservation(situation: Situation) -> str:
    """Say nothing against a method."""
    return ""


def of_several_models(situation: Situation) -> str:
    """Return what is to be said against an interval of one model; nothing where there is one."""
    return "" if situation.fixed else ONE_MODEL


@dataclass(frozen=True, kw_only=True)
class RiskSample:
    """Losses, and what must be known about them to put an interval around their mean.

    Attributes
    ----------
    losses : Losses
        Losses of cases the models had not seen.
    fits : int
        How many different models predicted them; 1 for a test set or bare predictions.
    halves : Losses or None
        Losses under twofold cross-validation of the same cases.
    nested : Losses or None
        Losses of the inner loops of nested cross-validation (``Part.NESTED``).
    half_holdouts : Losses or None
        Losses of repeated holdouts inside halves (``Part.HALF_HOLDOUTS``).
    partition : bool
        Whether every repetition tests each case exactly once, as cross-validation does.
    target, target_asked : Target, bool
        What the interval is to be about, and whether the user asked for that.
    """

    losses: Losses
    fits: int = 1
    halves: Losses | None = None
    nested: Losses | None = None
    half_holdouts: Losses | None = None
    partition: bool = True
    level: float = 0.95
    target: Target = Target.CONDITIONAL
    target_asked: bool = False
    seed: Seed = 0

    @cached_property
    def situation(self) -> Situation:
        """How the models were tested, as methods ask for it."""
        losses, one = self.losses, self.fits == 1
        parts = {
            Part.HALVES: self.halves,
            Part.NESTED: self.nested,
            Part.HALF_HOLDOUTS: self.half_holdouts,
        }
        return Situation(
            n=losses.n,
            fits=self.fits,
            repetitions=1 if one else losses.repetitions,
            smallest_test=losses.n if one else int(losses.split_sizes.min()),
            partition=self.partition,
            parts=frozenset(part for part, of_part in parts.items() if of_part is not None),
            grouped=losses.groups is not None,
            weighted=losses.weight is not None,
            timed=losses.moment is not None,
            zero_one=losses.zero_one,
            target=self.target,
            target_asked=self.target_asked,
        )

    @property
    def independent_cases(self) -> float:
        """How many independent, equally weighted cases the tested ones are worth."""
        losses = self.losses
        if losses.weight is None and losses.groups is None:
            alone = float(losses.n)
        else:
            alone = effective_n(
                losses.per_case,
                weights=losses.case_weight,
                groups=losses.case_group,
                level=self.level,
            )
        if losses.case_moment is None:
            return alone
        serial = serial_n(
            losses.per_case, losses.case_moment, weights=losses.case_weight, level=self.level
        )
        return min(alone, serial)


@dataclass(frozen=True, kw_only=True)
class Trial:
    """How the calibration study tries an interval.

    Attributes
    ----------
    by : str
        The scheme, one of `referee.study.calibration.methods.SCHEMES` or a name of
        `referee.resampling.SCHEMES`.
    target : Target
        What it is held against: the risk of the model trained on all rows, or its mean.
    first_pass : bool
        Whether it reads only the first pass of a repeated cross-validation.
    grouped : bool
        Whether it is tried where cases come in groups.
    """

    by: str
    target: Target
    first_pass: bool = False
    grouped: bool = False


def both_targets(by: str, *, first_pass: bool = False) -> tuple[Trial, Trial]:
    """Return trials against the risk of the model trained on all rows, and against its mean."""
    first, second = (
        Trial(by=by, target=target, first_pass=first_pass)
        for target in (Target.CONDITIONAL, Target.EXPECTED)
    )
    return first, second


@dataclass(frozen=True)
class RiskInterval(IntervalMethod):
    """An interval of a risk: of an error, or of another share of cases.

    Attributes
    ----------
    compute : callable
        From a `RiskSample` to an Interval.
    by : str
        The scheme that ``by="auto"`` takes where this interval is asked for: a name of
        `referee.resampling.CATALOGUE`, or "one pass" of cross-validation; empty where any will do.
    of_all_cases : bool
        Whether it needs every case: rates of one class get the automatic choice instead.
    of_counts : callable or None
        The same interval from errors, cases and level, where that is all it needs.
    aim : callable or None
        From a situation to what it speaks about, where `target` is not enough.
    reservation : callable
        From a situation to what must be said against it there, though it may be asked for; empty
        where nothing is. ``"auto"`` passes over a method that has a reservation or a flag.
    of_losses : {"any", "0/1", "numbers"}
        Which losses it is an interval for: shares need losses of 0 and 1.
    tried : tuple of Trial
        How the calibration study tries it; by enumeration, too, where it has `of_counts`.

    Examples
    --------
    >>> def middle(sample):
    ...     p = sample.losses.mean
    ...     return Interval(low=p / 2, high=(1 + p) / 2, level=sample.level, method="middle")
    >>> mine = RiskInterval("middle", title="the middle half", compute=middle)
    >>> from referee.core.predictions import Predictions
    >>> i = mine(RiskSample(losses=Losses.of(Predictions.of([0, 1, 1, 0], [0, 1, 0, 0]))))
    >>> i.low, i.high, i.method
    (0.125, 0.625, 'middle')
    """

    listed_in: ClassVar[str] = "referee.intervals.catalogue:RISK_INTERVALS"

    _: KW_ONLY
    compute: Callable[[RiskSample], Interval]
    by: str = ""
    of_all_cases: bool = False
    of_counts: CountInterval | None = None
    aim: Callable[[Situation], Target] | None = None
    reservation: Callable[[Situation], str] = without_reservation
    of_losses: str = "any"
    tried: tuple[Trial, ...] = ()

    def __call__(self, sample: RiskSample) -> Interval:
        """Return the interval of the mean loss, flagged where something speaks against it."""
        # A target that is missed was refused before any fit, or is flagged with the estimate.
        self.check(replace(sample.situation, target_asked=False))
        interval = self._computed(sample)
        flag = interval.flag
        for objection in (self.flag, self.reservation(sample.situation)):
            if objection and objection not in flag:
                flag = f"{flag}; {objection}" if flag else objection
        return replace(interval, method=self.name, flag=flag)

    def speaks_about(self, situation: Situation) -> Target:
        """Return the target of the interval in a situation."""
        return super().speaks_about(situation) if self.aim is None else self.aim(situation)

    def objection(self, situation: Situation) -> str | None:
        """Return why ``"auto"`` passes it over in a situation; None where it suits."""
        reason = self.unsuited(situation) or self.refused(situation)
        return reason or self.flag or self.reservation(situation) or None

    def unsuited(self, situation: Situation) -> str | None:
        """Return why it is no interval for the losses of a situation; None where it is one."""
        if self.of_losses in ("any", "0/1" if situation.zero_one else "numbers"):
            return None
        other = "classes" if situation.zero_one else "quantities"
        what = "shares of cases" if self.of_losses == "0/1" else "mean losses of quantities"
        return (
            f"{arg('interval', self.name)} is for {what}, and {other} are predicted; use "
            f"{arg('interval', 'auto')}"
        )

    def check(self, situation: Situation) -> None:
        """Refuse a situation it does not suit, or where it misses the target asked for."""
        reason = self.unsuited(situation)
        if reason is not None:
            raise Refusal(reason, concerning="interval")
        super().check(situation)
        about = self.speaks_about(situation)
        if not situation.target_asked or about in (situation.target, Target.FIXED):
            return
        other = f"leave out {arg('about')}"
        if about in (Target.CONDITIONAL, Target.EXPECTED):
            other = f"{arg('about', about.value)}"
        raise Refusal(
            f"{arg('interval', self.name)} speaks about {about.sentence}, and "
            f"{arg('about', situation.target.value)} was asked for",
            concerning="interval",
            remedy=f"use {arg('interval', 'auto')}, or {other}",
        )

    def _computed(self, sample: RiskSample) -> Interval:
        where = f" on {sample.losses.n} cases"
        return answered_interval(self, lambda: self.compute(sample), level=sample.level, on=where)
