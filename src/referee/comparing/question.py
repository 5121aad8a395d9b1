"""What was asked of a comparison, checked once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.core.arguments import check_text
from referee.core.randomness import Seed
from referee.core.results import check_level
from referee.errors import InputError, arg
from referee.intervals.catalogue import DIFFERENCE_INTERVALS
from referee.intervals.difference.difference_interval import DifferenceInterval
from referee.judging.estimating.quantity import Quantity
from referee.significance.catalogue import ADJUSTMENTS, COMPARISON_TESTS
from referee.significance.comparison_test import ComparisonTest
from referee.significance.multiplicity.adjustment import Adjustment

__all__ = ["CLAIMS", "Question", "check_claim", "check_rope", "default_claim", "pairs_claimed"]

CLAIMS = ("better", "non-inferior", "equivalent", "difference")
"""What can be claimed of the first model and the others."""


@dataclass(frozen=True, kw_only=True)
class Question(Quantity):
    """The question put to every pair of models.

    Attributes
    ----------
    significance : str or ComparisonTest
        The test: a name of `referee.significance.COMPARISON_TESTS`, one of your own, or "auto".
    interval : str or DifferenceInterval
        The interval of a difference of errors of fixed models: a name of
        `referee.intervals.DIFFERENCE_INTERVALS`, one of your own, or "auto".
    adjust : str
        How p-values are raised for the number of pairs, a name of
        `referee.significance.ADJUSTMENTS`.
    pairs : int
        How many pairs are judged.
    rope : float
        Differences up to this size do not matter; 0 where none was stated.
    claim : {"better", "non-inferior", "equivalent", "difference"}
        What is to be shown: that the first model is better than the second, that it is not worse
        by more than the rope, that both are alike within the rope, or that they differ.
    baselines : set of str
        Models that give one answer by design; of others that is a sign of collapse.
    sequential : bool
        Whether cases came one by one, and answers must hold at all times.

    Examples
    --------
    >>> from referee.measures import measure_named
    >>> Question(measure=measure_named("error"), rope=-1)
    Traceback (most recent call last):
    ...
    referee.errors.InputError: rope must be a number of at least 0, got -1; for example 0.01
    """

    significance: str | ComparisonTest = "auto"
    interval: str | DifferenceInterval = "auto"
    rope: float = 0.0
    claim: str = "difference"
    level: float = 0.95
    seed: Seed = 0
    adjust: str | Adjustment = "holm"
    pairs: int = 1
    baselines: frozenset[str] = frozenset()
    sequential: bool = False

    def __post_init__(self) -> None:
        check_level(self.level)
        if not isinstance(self.significance, str) or self.significance != "auto":
            COMPARISON_TESTS.named(self.significance)
        if not isinstance(self.interval, str) or self.interval != "auto":
            DIFFERENCE_INTERVALS.named(self.interval)
        ADJUSTMENTS.named(self.adjust)
        check_rope(self.rope)
        if self.rope >= 1 and self.measure.percent:
            remedy = f"for {self.rope:g} points write {self.rope / 100:g}"
            raise InputError(
                f"must be below 1 for {self.measure.name}",
                argument="rope",
                value=f"{self.rope:g}",
                remedy=remedy,
            )
        check_claim(self.claim, self.rope)

    @property
    def adjustment(self) -> Adjustment:
        """How p-values are raised for the number of pairs."""
        return ADJUSTMENTS.named(self.adjust)

    @property
    def alpha(self) -> float:
        """The error probability that the whole comparison may spend."""
        return 1 - self.level

    @property
    def asked(self) -> dict[str, Any]:
        """What a test must know of the question, for a `ComparisonSituation`."""
        return {
            "measure": self.measure,
            "rope": self.rope,
            "interval": self.interval if isinstance(self.interval, str) else self.interval.name,
            "sequential": self.sequential,
        }

    @property
    def of_difference(self) -> DifferenceInterval:
        """The interval of a difference of errors, once it was chosen."""
        return DIFFERENCE_INTERVALS.named(self.interval)

    @property
    def strictest(self) -> float:
        """The level at which Holm judges the smallest p-value of all pairs."""
        return 1 - self.alpha / self.pairs


def check_claim(claim: object, rope: float) -> None:
    """Refuse a claim that is none, or that lacks its margin.

    Examples
    --------
    >>> check_claim("best", 0.0)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    referee.errors.InputError: claim must be one of 'better', 'non-inferior', ...
    """
    if not isinstance(claim, str) or claim not in CLAIMS:
        limit = isinstance(claim, str) and any(sign in claim for sign in "<>")
        raise InputError(
            f"must be one of {', '.join(map(repr, CLAIMS))}",
            argument="claim",
            value=repr(claim),
            remedy="evaluate one model to judge a limit of a measure" if limit else "",
        )
    if claim in ("non-inferior", "equivalent") and rope == 0:
        worse = claim == "non-inferior"
        what = "how much worse the first may be" if worse else "which differences do not matter"
        raise InputError(
            f"{arg('claim', claim)} needs a rope: {what}, as {arg('rope', 0.01)}",
            concerning="claim",
        )


def default_claim(claim: str | None, models: int, rope: float) -> str:
    """Return the claim that was made, or the one that goes without saying.

    Of two models the first is the candidate, and the claim is that it is better; a rope says that
    the claim is equivalence. Of three and more models it is that they differ.

    Examples
    --------
    >>> default_claim(None, 2, 0.0), default_claim(None, 2, 0.01), default_claim(None, 3, 0.0)
    ('better', 'equivalent', 'difference')
    """
    if claim is not None:
        return check_text("claim", claim, example="better")
    if models > 2:
        return "difference"
    return "equivalent" if isinstance(rope, (int, float)) and rope > 0 else "better"


def check_rope(rope: float) -> None:
    """Refuse a rope that is no size.

    Examples
    --------
    >>> check_rope("wide")
    Traceback (most recent call last):
    ...
    referee.errors.InputError: rope must be a number of at least 0, got 'wide'; for example 0.01
    """
    number = isinstance(rope, (int, float, np.number)) and not isinstance(rope, bool)
    if not number or not 0 <= rope < float("inf"):
        raise InputError(
            "must be a number of at least 0",
            argument="rope",
            value=repr(rope),
            remedy="for example 0.01",
        )


def pairs_claimed(models: int, claim: str | None) -> int:
    """Return how many pairs a claim is about: all of them, or the candidate with each other one.

    Examples
    --------
    >>> pairs_claimed(4, "difference"), pairs_claimed(4, "non-inferior")
    (6, 3)
    """
    return models - 1 if claim == "non-inferior" else models * (models - 1) // 2
