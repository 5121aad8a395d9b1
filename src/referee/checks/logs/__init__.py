"""What should be known of the evaluation logs that scores come from; one file per finding."""

from __future__ import annotations

from collections.abc import Callable

from referee.checks.logs import (
    different_judges,
    different_prompts,
    different_scores,
    reduced_runs,
    remarks,
    repeated_questions,
    unscored,
)
from referee.core.results import Finding
from referee.core.scores import Scores

__all__ = ["CATALOGUE"]

_MODULES = (
    repeated_questions,
    different_prompts,
    different_judges,
    reduced_runs,
    unscored,
    different_scores,
    remarks,
)

CATALOGUE: dict[str, Callable[[Scores], Finding | None]] = {m.CODE: m.check for m in _MODULES}
"""Code -> check of scores that were read from logs; quiet where they were not."""
