"""What was asked of a comparison, checked once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.core.randomness import Seed
from referee.core.results import check_level
from referee.errors import InputError, nearest
from referee.intervals.catalogue import DIFFERENCE_INTERVALS
from referee.intervals.difference.difference_interval import DifferenceInterval
from referee.intervals.difference.paired import BONETT_PRICE
from referee.judging.quantity import Quantity
from referee.significance.catalogue import ADJUSTMENTS, COMPARISON_TESTS
from referee.significance.comparison_test import ComparisonTest

__all__ = ["Question", "check_rope"]

_CLAIMS = ("difference", "non-inferior")


@dataclass(frozen=True, kw_only=True)
class Question(Quantity):
    """The question put to every pair of models.

    Attributes
    ----------
    significance : str or ComparisonTest
        The test: a name of `referee.significance.COMPARISON_TESTS`, one of your own, or "auto".
    interval : str or DifferenceInterval
        The interval of a difference of errors on the same cases: a name of
        `referee.intervals.DIFFERENCE_INTERVALS`, one of your own, or "auto".
    adjust : str
        How p-values are raised for the number of pairs, a name of
        `referee.significance.ADJUSTMENTS`.
    pairs : int
        How many pairs are judged.
    rope : float
        Differences up to this size do not matter; 0 where none was stated.
    claim : {"difference", "non-inferior"}
        What is to be shown: that one model is better (or, with a rope, that they are alike), or
        that the first is not worse than the second by more than the rope.
    baselines : set of str
        Models that give one answer by design; of others that is a sign of collapse.

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
    adjust: str = "holm"
    pairs: int = 1
    baselines: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        check_level(self.level)
        if self.significance != "auto":
            COMPARISON_TESTS.named(self.significance)
        _check_interval(self.interval)
        ADJUSTMENTS.named(self.adjust)
        if self.claim not in _CLAIMS:
            raise InputError(f"claim must be 'difference' or 'non-inferior', got {self.claim!r}")
        check_rope(self.rope)
        if self.rope >= 1 and self.measure.percent:
            remedy = f"for {self.rope:g} points write {self.rope / 100:g}"
            raise InputError(
                f"rope must be below 1 for {self.measure.name}, got {self.rope:g}; {remedy}"
            )
        if self.claim == "non-inferior" and self.rope == 0:
            raise InputError(
                "claim='non-inferior' needs a rope: how much worse the first may be, as rope=0.01"
            )

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
            "interval": self.interval if self.interval == "auto" else self.of_difference.name,
        }

    @property
    def of_difference(self) -> DifferenceInterval:
        """The interval of a difference of errors on the same cases."""
        return (
            BONETT_PRICE if self.interval == "auto" else DIFFERENCE_INTERVALS.named(self.interval)
        )

    @property
    def strictest(self) -> float:
        """The level at which Holm judges the smallest p-value of all pairs."""
        return 1 - self.alpha / self.pairs


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
        raise InputError(f"rope must be a number of at least 0, got {rope!r}; for example 0.01")


def _check_interval(asked: str | DifferenceInterval) -> None:
    """Refuse a name that is none, or one of an interval of groups or of different cases."""
    if isinstance(asked, DifferenceInterval) or asked == "auto":
        return
    known = [m.name for m in DIFFERENCE_INTERVALS.values() if m.paired and not m.grouped]
    if not isinstance(asked, str) or asked not in known:
        raise InputError(f"interval {asked!r} is unknown{nearest(str(asked), ['auto', *known])}")
