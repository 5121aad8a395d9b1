"""Intervals that hold at all times at once: look whenever you like, stop when you have enough."""

from referee.intervals.sequential.beta_binomial import (
    beta_binomial,
    beta_binomial_at,
    log_mixture,
)
from referee.intervals.sequential.betting import betting, betting_interval
from referee.intervals.sequential.sequence import ConfidenceSequence

__all__ = [
    "ConfidenceSequence",
    "beta_binomial",
    "beta_binomial_at",
    "betting",
    "betting_interval",
    "log_mixture",
]
