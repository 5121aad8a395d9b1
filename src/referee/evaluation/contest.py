"""What was asked of a comparison, checked once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from referee.core.arrays import Label
from referee.core.randomness import Seed
from referee.core.results import check_level
from referee.errors import InputError, nearest
from referee.measures import Costs, Kind, Measure
from referee.significance.multiplicity import CATALOGUE as ADJUSTMENTS

__all__ = [
    "FIXED_TESTS",
    "INTERVALS",
    "LEARNER_TESTS",
    "UNPAIRED_TESTS",
    "Contest",
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
class Contest:
    """The question put to every pair of models.

    Attributes
    ----------
    measure : Measure
        What is compared.
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
    >>> Contest(measure=measure_named("error"), rope=-1)
    Traceback (most recent call last):
    ...
    referee.errors.InputError: rope must be a number of at least 0, got -1; for example 0.01
    """

    measure: Measure
    positive: Label | None = None
    costs: Costs | None = None
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

    @property
    def is_mean_loss(self) -> bool:
        """Whether the measure is a mean of one loss per case, over all cases."""
        return self.measure.name in ("error", "accuracy") or self.measure.kind is Kind.LOSS

    @property
    def counts_cases(self) -> bool:
        """Whether the measure is a share of cases known before any answer: an error or a rate."""
        return self.measure.kind is Kind.SHARE and self.measure.given != "answer"

    @property
    def widest(self) -> float:
        """The largest difference two models can have; infinite for losses without a bound."""
        if self.measure.kind is Kind.LOSS:
            return math.inf
        return 2.0 if self.measure.name in ("mcc", "kappa", "informedness") else 1.0

    @property
    def sign(self) -> int:
        """From a loss to the measure: -1 where greater is better."""
        return -1 if self.measure.greater_is_better else 1


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
