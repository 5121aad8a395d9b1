"""The nouns every answer is made of: Interval, Estimate, Evidence, Verdict, Finding."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, TypeAlias

import numpy as np

from referee.errors import InputError, Refusal, arg

__all__ = [
    "Estimate",
    "Evidence",
    "Finding",
    "Interval",
    "Outcome",
    "Severity",
    "Target",
    "Verdict",
    "check_level",
]


class Target(StrEnum):
    """What an interval or a test speaks about."""

    FIXED = "fixed"
    """This fitted model, or these predictions."""

    CONDITIONAL = "conditional"
    """The model trained on all the data."""

    EXPECTED = "expected"
    """The learning procedure, averaged over training sets of this size."""

    FOLD_MODELS = "fold models"
    """The models of one cross-validation, on average; none of them is the one for use."""

    @property
    def sentence(self) -> str:
        """The target in words."""
        return {
            Target.FIXED: "this fitted model",
            Target.CONDITIONAL: "the model trained on all the data",
            Target.EXPECTED: "the learning procedure at this sample size",
            Target.FOLD_MODELS: "the models of these folds, on average",
        }[self]


_FINEST = 1e-9
"""The smallest chance to be wrong that is granted, and to be right."""


def check_level(level: float) -> float:
    """Return the level when it is a probability strictly between 0 and 1.

    Examples
    --------
    >>> check_level(0.95)
    0.95
    >>> check_level(95)
    Traceback (most recent call last):
    ...
    referee.errors.InputError: level must lie strictly between 0 and 1, got 95; for 95 % write 0.95
    """
    number = isinstance(level, (int, float, np.floating)) and not isinstance(level, bool)
    if not number or not 0 < level < 1:
        percent = number and 1 < level < 100
        remedy = f"for {level:g} % write {level / 100:g}" if percent else "for example 0.95"
        raise InputError(
            "must lie strictly between 0 and 1",
            argument="level",
            value=str(level),
            remedy=remedy,
        )
    if not _FINEST <= level <= 1 - _FINEST:
        raise InputError(
            f"must lie between {_FINEST:g} and {1 - _FINEST:.9f}; no sample is as sure as that",
            argument="level",
            value=str(level),
            remedy="for example 0.999",
        )
    return float(level)


@dataclass(frozen=True, kw_only=True)
class Interval:
    """A confidence interval that says how it was made and what it covers.

    Parameters
    ----------
    low, high : float
        The ends.
    level : float
        The confidence level, for example 0.95.
    method : str
        The catalogue name of the method.
    target : Target
        What the interval is about.
    n_effective : float or None
        The number of independent cases the width corresponds to, where it is not n.
    flag : str
        Why the interval should not be trusted, where that is so; empty otherwise.
    basis : str
        What the width rests on, where something about the learner was found out; empty otherwise.
    centre : float or None
        The point the interval was built around, where that is not the plain mean.

    Examples
    --------
    >>> i = Interval(low=0.06, high=0.16, level=0.95, method="wilson")
    >>> 0.1 in i, 0.2 in i
    (True, False)
    >>> i.complement().low, i.complement().high
    (0.84, 0.94)
    """

    low: float
    high: float
    level: float
    method: str
    target: Target = Target.FIXED
    n_effective: float | None = None
    flag: str = ""
    basis: str = ""
    centre: float | None = None

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    @property
    def width(self) -> float:
        """The distance between the ends."""
        return self.high - self.low

    def complement(self) -> Interval:
        """Return the interval of 1 minus the quantity (error to accuracy and back)."""
        return replace(
            self,
            low=1 - self.high,
            high=1 - self.low,
            centre=None if self.centre is None else 1 - self.centre,
        )


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A measured value with everything needed to judge it.

    Parameters
    ----------
    name : str
        The measure, for example ``"error"``.
    value : float
        The estimate; ``nan`` when it is undefined, and then `reason` says why.
    n : int
        The number of distinct cases it rests on.
    method : str
        How the value was obtained.
    interval : Interval or None
        None only where no honest interval exists; `reason` then says why.
    reason : str
        Why the value or the interval is missing.
    greater_is_better : bool or None
        The direction of the measure; None where it has none.
    assumptions : tuple of str
        What must hold for the interval to keep its promise.

    Examples
    --------
    >>> Estimate(name="error", value=0.1, n=148, method="test set").defined
    True
    """

    name: str
    value: float
    n: int
    method: str
    interval: Interval | None = None
    reason: str = ""
    greater_is_better: bool | None = None
    assumptions: tuple[str, ...] = ()

    @property
    def defined(self) -> bool:
        """Whether there is a value at all."""
        return not math.isnan(self.value)

    def at(self, *, level: float | None = None, method: Any = None) -> Estimate:
        """Return the estimate with its interval at another level or by another method.

        Nothing is fitted or predicted again. `method` is the name of an interval or an interval
        object, as `interval` of the function that made the estimate; what is not given stays as it
        was. Differences of comparisons and mean scores answer, too.

        Examples
        --------
        >>> import referee
        >>> e = referee.evaluate_predictions([0, 1] * 50, [0, 1] * 45 + [1, 0] * 5).error
        >>> wider = e.at(level=0.99, method="wilson")
        >>> round(wider.interval.low, 3), round(wider.interval.high, 3)
        (0.046, 0.204)
        """
        again: Again | None = self.__dict__.get("_again")
        if again is None:
            raise Refusal(
                f"the estimate of {self.name} does not remember the predictions it was made from: "
                "estimates and differences of a result do, as it was returned, not copied or "
                "unpickled",
                remedy=f"ask again with {arg('level')} or {arg('interval')}",
            )
        estimate = again(level, method)
        asked = getattr(method, "name", method)
        if asked in (None, "auto") or estimate.interval is None:
            return estimate
        if estimate.interval.method != asked:
            raise Refusal(
                f"{self.name} has no interval by {asked!r}; its own is "
                f"{estimate.interval.method!r}",
                concerning="interval",
            )
        return estimate

    def remembering(self, again: Again) -> Estimate:
        """Return the same estimate, which can be asked for another level or method."""
        copy = replace(self)
        object.__setattr__(copy, "_again", again)
        return copy

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_again"}


Again: TypeAlias = Callable[[float | None, Any], Estimate]
"""From level and method, None where they stay as they were, to the estimate made so."""


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """The outcome of a statistical test.

    Parameters
    ----------
    test : str
        The catalogue name of the test.
    statistic : float
        Its statistic.
    p_value : float
        The two-sided p-value unless `alternative` says otherwise.
    null : str
        The hypothesis that is tested, in words.
    assumptions : tuple of str
        What must hold for the p-value to be one.
    target : Target
        What the test speaks about.
    n : int
        The number of cases (or data sets) it rests on.
    alternative : str
        "two-sided", "less" or "greater": what speaks against the null, for first minus second.
    df : float or None
        Degrees of freedom, where the test has them.
    flag : str
        Why the p-value should not be trusted, where that is so; empty otherwise.
    """

    test: str
    statistic: float
    p_value: float
    null: str
    n: int
    target: Target = Target.FIXED
    alternative: str = "two-sided"
    assumptions: tuple[str, ...] = ()
    df: float | None = None
    flag: str = ""

    def __post_init__(self) -> None:
        if not (0 <= self.p_value <= 1 or math.isnan(self.p_value)):
            raise InputError(
                "must lie between 0 and 1", argument="p_value", value=str(self.p_value)
            )


class Outcome(StrEnum):
    """How a question ended; UNDECIDED is an honest answer."""

    FIRST = "first"
    SECOND = "second"
    EQUIVALENT = "equivalent"
    PASS = "pass"
    FAIL = "fail"
    UNDECIDED = "undecided"


_SHOWN = {
    "better": (Outcome.FIRST,),
    "difference": (Outcome.FIRST, Outcome.SECOND),
    "equivalent": (Outcome.EQUIVALENT,),
    "non-inferior": (Outcome.PASS,),
}
"""Claim about two models -> the outcomes that show it."""


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """One outcome and one sentence a person can defend.

    Attributes
    ----------
    outcome : Outcome
        How the question ended.
    sentence : str
        What can be said.
    claim : str
        What was to be shown of two models: "better" (the first than the second), "difference",
        "equivalent" or "non-inferior"; what was stated of one model, as "auc >= 0.8"; else empty.
    badge : str
        The outcome in a few words, with the models' names; empty where the outcome says it all.

    Examples
    --------
    >>> worse = Verdict(outcome=Outcome.SECOND, sentence="old is better", claim="better")
    >>> worse.shown
    False
    """

    outcome: Outcome
    sentence: str
    claim: str = ""
    badge: str = ""

    @property
    def shown(self) -> bool:
        """Whether the claim was shown; command lines exit with 0 when it was, with 1 otherwise."""
        if self.claim in _SHOWN:
            return self.outcome in _SHOWN[self.claim]
        return self.outcome not in (Outcome.UNDECIDED, Outcome.FAIL)

    @property
    def refuted(self) -> bool:
        """Whether the opposite of the claim was shown."""
        if self.claim == "better" or self.claim == "non-inferior":
            return self.outcome in (Outcome.SECOND, Outcome.FAIL)
        if self.claim == "equivalent":
            return self.outcome in (Outcome.FIRST, Outcome.SECOND)
        return self.outcome is Outcome.FAIL

    def withheld(self, findings: Iterable[Finding]) -> Verdict:
        """Return the verdict, undecided where a serious finding stands."""
        serious = [f for f in findings if f.severity is Severity.SERIOUS]
        if not serious:
            return self
        why = " and ".join(dict.fromkeys(f"{f.code} ({f.title})" for f in serious))
        return replace(
            self,
            outcome=Outcome.UNDECIDED,
            sentence=f"{self.sentence.rstrip('.')}. Not a result while {why} stands.",
            badge=self.badge and "UNDECIDED",
        )

    def __str__(self) -> str:
        return self.sentence


class Severity(StrEnum):
    """How much a finding matters."""

    NOTE = "note"
    WARNING = "warning"
    SERIOUS = "serious"


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A warning with a stable code, what was seen and what to do about it.

    Parameters
    ----------
    code : str
        Stable for ever, for example ``"R002"``; docs/findings.md has an entry for each.
    severity : Severity
        How much it matters.
    title : str
        What it is, in a few words.
    message : str
        What was seen here, with numbers.
    remedy : str
        What to do.
    rows : tuple of int
        The first few rows concerned, counted from 0.
    """

    code: str
    severity: Severity
    title: str
    message: str
    remedy: str
    rows: tuple[int, ...] = field(default=())

    def __str__(self) -> str:
        return f"{self.code} {self.title}: {self.message} {self.remedy}"
