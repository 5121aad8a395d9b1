"""What was asked of a comparison, checked once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from referee.core.randomness import Seed
from referee.core.results import check_level
from referee.errors import InputError, nearest
from referee.judging.quantity import Quantity
from referee.significance.multiplicity import CATALOGUE as ADJUSTMENTS

__all__ = [
    "FIXED_TESTS",
    "INTERVALS",
    "LEARNER_TESTS",
    "UNPAIRED_TESTS",
    "Question",
    "check_rope",
]

FIXED_TESTS = (
    "mcnemar-exact",
    "mcnemar-midp",
    "mcnemar-asymptotic",
    "group-flip",
    "delong-paired",
    "paired-bootstrap",
)
"""Tests of fixed models on the same cases."""

UNPAIRED_TESTS = ("boschloo", "barnard", "fisher", "two-sample-z", "delong-unpaired")
"""Tests of fixed models on different cases."""

LEARNER_TESTS = ("calibrated-t", "corrected-t", "kfold-t", "5x2cv-t", "5x2cv-f")
"""Tests of learners, from several fits on one shared plan."""

INTERVALS = ("bonett-price", "tango", "newcombe-paired", "wald-paired")
"""Intervals of a difference of errors on the same cases."""

_CLAIMS = ("difference", "non-inferior")


@dataclass(frozen=True, kw_only=True)
class Question(Quantity):
    """The question put to every pair of models.

    Attributes
    ----------
    test, interval : str
        By name, or "auto".
    adjust : str
        How p-values are raised for the number of duels.
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

    test: str = "auto"
    interval: str = "auto"
    rope: float = 0.0
    claim: str = "difference"
    level: float = 0.95
    seed: Seed = 0
    adjust: str = "holm"
    duels: int = 1
    baselines: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        check_level(self.level)
        _check_name("test", self.test, (*FIXED_TESTS, *UNPAIRED_TESTS, *LEARNER_TESTS))
        _check_name("interval", self.interval, INTERVALS)
        if self.adjust not in ADJUSTMENTS:
            raise InputError(
                f"adjust {self.adjust!r} is unknown{nearest(self.adjust, ADJUSTMENTS)}"
            )
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
    def strictest(self) -> float:
        """The level at which Holm judges the smallest p-value of all duels."""
        return 1 - self.alpha / self.duels


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


def _check_name(what: str, name: str, known: Sequence[str]) -> None:
    if name != "auto" and name not in known:
        raise InputError(f"{what} {name!r} is unknown{nearest(name, ['auto', *known])}")
