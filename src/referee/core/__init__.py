"""The nouns of the straight line: Dataset, Plan, Predictions and what is concluded from them."""

from referee.core.dataset import Dataset
from referee.core.plan import Part, Plan, Split
from referee.core.predictions import Predictions
from referee.core.results import (
    Estimate,
    Evidence,
    Finding,
    Interval,
    Outcome,
    Severity,
    Target,
    Verdict,
)
from referee.core.scores import Scores

__all__ = [
    "Dataset",
    "Estimate",
    "Evidence",
    "Finding",
    "Interval",
    "Outcome",
    "Part",
    "Plan",
    "Predictions",
    "Scores",
    "Severity",
    "Split",
    "Target",
    "Verdict",
]
