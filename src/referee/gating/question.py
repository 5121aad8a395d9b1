"""What a gate is asked: the claim, the margin, the level, and what undecided means."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

from referee.core.results import check_level
from referee.errors import InputError, arg, named

__all__ = ["CLAIMS", "POLICIES", "GateQuestion", "margin_of", "widest_difference"]

CLAIMS = ("non-inferior", "better", "equivalent")
"""What can be asked of a candidate."""

POLICIES = ("report", "pass", "fail")
"""What becomes of an undecided gate: it is reported as such, passes, or fails."""


@dataclass(frozen=True, kw_only=True)
class GateQuestion:
    """The question put to a candidate, checked once.

    Attributes
    ----------
    claim : {"non-inferior", "better", "equivalent"}
        What is to be shown.
    margin : float or None
        How much worse the candidate may be, or which differences do not matter; None for better.
    level : float
        1 minus the chance to pass a candidate that should not pass.
    undecided : {"report", "pass", "fail"}
        What becomes of an undecided gate.
    scale : float
        The largest difference there can be: 1 for shares.

    Examples
    --------
    >>> GateQuestion(margin=1)
    Traceback (most recent call last):
    ...
    referee.errors.InputError: margin must be below 1, got 1; for 1 point write 0.01
    >>> GateQuestion(claim="better").rope
    0.0
    """

    claim: str = "non-inferior"
    margin: float | None = None
    level: float = 0.95
    undecided: str = "report"
    scale: float = 1.0

    def __post_init__(self) -> None:
        check_level(self.level)
        _one_of("claim", self.claim, CLAIMS)
        _one_of("undecided", self.undecided, POLICIES)
        if self.claim == "better":
            if self.margin is not None:
                raise InputError(
                    f"{arg('claim', 'better')} asks for any improvement and takes no margin",
                    value=f"{self.margin:g}",
                    remedy=f"leave out {named('margin')}, or ask for "
                    f"{arg('claim', 'non-inferior')}",
                )
            return
        _check_margin(self.margin, self.claim, self.scale)

    @property
    def alpha(self) -> float:
        """The chance that a candidate passes that should not."""
        return 1 - self.level

    @property
    def rope(self) -> float:
        """The margin as comparisons take it; 0 where there is none."""
        return self.margin or 0.0


def margin_of(text: Any) -> float | None:
    """Return the margin that was written; percent signs and commas are told, not guessed.

    Examples
    --------
    >>> margin_of("0.01"), margin_of(None)
    (0.01, None)
    >>> margin_of("1%")
    Traceback (most recent call last):
    ...
    referee.errors.InputError: margin must be a share, not a percentage, got 1%; write 0.01
    """
    if text is None or isinstance(text, float):
        return text
    written = str(text).strip()
    try:
        if written.endswith("%"):
            share = float(written[:-1]) / 100
            raise InputError(
                "must be a share, not a percentage",
                argument="margin",
                value=written,
                remedy=f"write {share:g}",
            )
        return float(written)
    except ValueError as problem:
        if isinstance(problem, InputError):
            raise
        remedy = "for example 0.01"
        if re.fullmatch(r"\d*,\d+", written):
            remedy = f"write {float(written.replace(',', '.')):g}"
        raise InputError(
            "must be a number", argument="margin", value=repr(text), remedy=remedy
        ) from None


def widest_difference(measure: Any) -> float:
    """Return the largest difference of a measure, so that a margin is refused before any work.

    Examples
    --------
    >>> widest_difference("error")
    1.0
    """
    from referee.measures import measure_named

    if not isinstance(measure, str):
        return math.inf
    known = measure_named(measure)
    return 1.0 if known.percent else float(known.widest)


def _check_margin(margin: Any, claim: str, scale: float) -> None:
    if margin is None:
        what = "how much worse the candidate may be"
        if claim == "equivalent":
            what = "which differences do not matter"
        raise InputError(
            f"{arg('claim', claim)} needs a margin: {what}",
            remedy=f"pass {arg('margin', 0.01)} for one point",
        )
    number = isinstance(margin, (int, float)) and not isinstance(margin, bool)
    if not number or not math.isfinite(margin) or margin <= 0:
        remedy = "for example 0.01"
        if number and margin == 0:
            remedy += f"; any improvement is {arg('claim', 'better')}"
        raise InputError(
            "must be a number above 0", argument="margin", value=repr(margin), remedy=remedy
        )
    if margin >= scale:
        points = scale == 1 and margin <= 100
        raise InputError(
            f"must be below {scale:g}",
            argument="margin",
            value=f"{margin:g}",
            remedy=f"for {margin:g} point{'s' if margin != 1 else ''} write {margin / 100:g}"
            if points
            else "no two models differ by more than that",
        )


def _one_of(argument: str, value: Any, known: tuple[str, ...]) -> None:
    if value not in known:
        raise InputError(
            f"must be one of {', '.join(map(repr, known))}", argument=argument, value=repr(value)
        )
