"""Quantity: a measure together with what must be known to compute it."""

from __future__ import annotations

from dataclasses import dataclass

from referee.core.arrays import Label
from referee.measures import Costs, Measure

__all__ = ["Quantity"]


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """What is read off a table of predictions.

    Attributes
    ----------
    measure : Measure
        What is computed.
    positive : label or None
        The positive class, where the measure needs one.
    costs : Costs or None
        What a false positive and a false negative cost, for the measure "cost".

    Examples
    --------
    >>> from referee.measures import measure_named
    >>> Quantity(measure=measure_named("accuracy")).sign
    -1
    """

    measure: Measure
    positive: Label | None = None
    costs: Costs | None = None

    @property
    def is_mean_loss(self) -> bool:
        """Whether the measure is a mean of one loss per case, over all cases."""
        return self.measure.is_mean_loss

    @property
    def counts_cases(self) -> bool:
        """Whether the measure is a share of cases known before any answer: an error or a rate."""
        return self.measure.counts_cases

    @property
    def widest(self) -> float:
        """The largest difference two models can have; infinite for measures without a bound."""
        return self.measure.widest

    @property
    def sign(self) -> int:
        """From a loss to the measure: -1 where greater is better."""
        return -1 if self.measure.greater_is_better else 1
