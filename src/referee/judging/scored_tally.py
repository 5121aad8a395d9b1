"""ScoredTally: labels held as counts, scores as the sums that measures of them need."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from referee.core.arrays import Label
from referee.core.tally import Tally
from referee.errors import Refusal
from referee.measures import Costs, LossMeasure
from referee.measures.formulas.ranking_sums import RankingSums
from referee.sources.ranked_stream import LossSums

__all__ = ["ScoredTally", "counted_losses"]


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoredTally(Tally):
    """A tally of which the scores were gone through, too.

    Attributes
    ----------
    ranking : RankingSums
        Of the positive class against all others.
    losses : mapping of str to LossSums
        Sums of log losses and Brier scores; empty where the scores are no probabilities.
    """

    ranking: RankingSums
    losses: Mapping[str, LossSums] = field(default_factory=dict)

    @property
    def scored(self) -> bool:
        """They were."""
        return True


def counted_losses(
    tally: Tally, measure: LossMeasure, positive: Label | None, costs: Costs | None
) -> LossSums:
    """Return the sums of a loss: those of scores as they were added up, others from the counts.

    Examples
    --------
    >>> from referee.measures.mean_losses import COST
    >>> tally = Tally.of_kinds((0, 1), [0, 1, 1], [0, 1, 0], [40, 35, 5])
    >>> counted_losses(tally, COST, 1, Costs(1, 2)).first
    10.0
    """
    if measure.scores:
        sums = tally.losses.get(measure.name) if isinstance(tally, ScoredTally) else None
        if sums is None:
            raise Refusal(
                f"{measure.name} needs probabilities between 0 and 1, and these scores are none",
                concerning="y_score",
            )
        return sums
    loss = np.asarray(measure.losses(tally, positive, costs), dtype=float)
    one, two, three = (float(tally.times @ loss**power) for power in (1, 2, 3))
    return LossSums(tally.n, one, two, three)
