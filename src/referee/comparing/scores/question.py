"""What was asked of a comparison of scores, checked once."""

from __future__ import annotations

import math
from dataclasses import dataclass

from referee.comparing.question import check_claim, check_rope
from referee.core.results import check_level
from referee.errors import InputError
from referee.significance.catalogue import ADJUSTMENTS
from referee.significance.multiplicity.adjustment import Adjustment
from referee.significance.score_tests import SCORE_TESTS, ScoreTest

__all__ = ["ScoresQuestion"]


@dataclass(frozen=True, kw_only=True)
class ScoresQuestion:
    """The question put to every pair of models.

    Attributes
    ----------
    level : float
        Confidence level.
    rope : float
        Differences up to this size do not matter; 0 where none was stated.
    claim : {"better", "non-inferior", "equivalent", "difference"}
        What is to be shown.
    significance : str or ScoreTest
        By name, or "auto".
    adjust : str
        How p-values are raised for the number of pairs.
    pairs : int
        How many pairs of models there are.

    Examples
    --------
    >>> ScoresQuestion(significance="pair-t")
    Traceback (most recent call last):
    ...
    referee.errors.InputError: test 'pair-t' is unknown; did you mean 'paired-t'?
    """

    level: float = 0.95
    rope: float = 0.0
    claim: str = "difference"
    significance: str | ScoreTest = "auto"
    adjust: str | Adjustment = "holm"
    pairs: int = 1

    def __post_init__(self) -> None:
        check_level(self.level)
        check_rope(self.rope)
        if self.significance != "auto":
            SCORE_TESTS.named(self.significance)
        ADJUSTMENTS.named(self.adjust)
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
    def strictest(self) -> float:
        """The level at which Holm judges the smallest p-value of all pairs."""
        return 1 - self.alpha / self.pairs

    def within(self, largest: float) -> None:
        """Refuse a rope that no difference could leave."""
        if math.isfinite(largest) and self.rope >= largest:
            raise InputError(
                f"must be below {largest:g}, the largest difference there can be",
                argument="rope",
                value=f"{self.rope:g}",
                remedy="for 1 point of shares write 0.01",
            )
