"""ScoreCheck: one thing that should be known before a mean score is used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from referee.checks.check import Check
from referee.core.results import Finding
from referee.core.scores.scores import Scores

__all__ = ["ScoreCheck"]


@dataclass(frozen=True, kw_only=True)
class ScoreCheck(Check):
    """A check of scores; the rest is as for any other check.

    Attributes
    ----------
    compute : callable
        From scores to a finding, or None where there is nothing to report.
    """

    listed_in: ClassVar[str] = "referee.checks.scores:SCORE_CHECKS"

    compute: Callable[[Scores], Finding | None]  # type: ignore[assignment]
