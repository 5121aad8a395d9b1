"""Board: many models on the same items, in tiers, with the ranks that the pairs leave open."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from referee.comparing.scores.all_pairs import AllPairs
from referee.comparing.scores.pair import ScoresPair
from referee.core.arrays import Flags, Floats
from referee.core.results import Estimate, Finding, Verdict
from referee.core.scores.scores import Scores
from referee.core.showing.reportable import Reportable
from referee.errors import InputError, nearest
from referee.judging.evaluation import Provenance

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Board", "Place", "cliques", "rank_limits", "tiers"]


@dataclass(frozen=True, kw_only=True)
class Place:
    """A model's place on a board.

    Attributes
    ----------
    name : str
        The model.
    estimate : Estimate
        Its mean score, with an interval of its own.
    rank : int
        One more than the number of models with a better mean; equal means share a rank.
    best_rank, worst_rank : int
        The ranks that the pairs leave open, for all models at once.
    tier : int
        1 for models no other was shown to beat; 2 for those that only models of tier 1 beat; ...
    behind : float
        By how much its mean is worse than that of the first model; 0 for that one.
    p_leader : float
        The adjusted p-value of its difference from the first model; nan for that one.
    """

    name: str
    estimate: Estimate
    rank: int
    best_rank: int
    worst_rank: int
    tier: int
    behind: float
    p_leader: float


@dataclass(frozen=True, kw_only=True, eq=False)
class Board(Reportable):
    """Many models, best first, with what may and may not be said about their order.

    Attributes
    ----------
    names : tuple of str
        The models, in the order given.
    verdict : Verdict
        FIRST where one model is better than all others, else UNDECIDED; and a sentence.
    places : tuple of Place
        All models, best first.
    pairs : AllPairs
        Every pair, with p-values as they are.
    p_adjusted : array
        The same, raised for the number of pairs.
    groups : tuple of tuples of str
        The largest runs of models, best first, of which no two were shown to differ.
    leading : ScoresPair or None
        The two best models, with what the items could detect.
    findings : tuple of Finding
        What should be known before the numbers are used.
    how, methods : str
        How it was measured; the same as a paragraph for a paper.
    """

    names: tuple[str, ...]
    verdict: Verdict
    places: tuple[Place, ...]
    pairs: AllPairs
    p_adjusted: Floats
    groups: tuple[tuple[str, ...], ...]
    leading: ScoresPair
    findings: tuple[Finding, ...]
    how: str
    methods: str
    level: float
    adjust: str
    family_wise: bool = True
    scores: Scores
    provenance: Provenance

    __str__ = Reportable.__str__

    def __repr__(self) -> str:
        return f"<Board of {len(self.names)} models: {self.verdict.sentence}>"

    @property
    def name(self) -> str:
        """The board in a few words."""
        return f"{len(self.names)} models on {self.scores.n_items} items"

    @property
    def best(self) -> tuple[str, ...]:
        """The models no other was shown to beat."""
        return tuple(p.name for p in self.places if p.tier == 1)

    def place(self, model: str) -> Place:
        """Return the place of a model."""
        place = next((p for p in self.places if p.name == model), None)
        if place is None:
            raise InputError(
                f"there is no model {model!r}",
                concerning="model",
                remedy=nearest(model, self.names),
            )
        return place

    def frame(self) -> pd.DataFrame:
        """Return one row per model, best first."""
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    "model": p.name,
                    "tier": p.tier,
                    "rank": p.rank,
                    "best_rank": p.best_rank,
                    "worst_rank": p.worst_rank,
                    "mean": p.estimate.value,
                    "low": p.estimate.interval.low if p.estimate.interval else math.nan,
                    "high": p.estimate.interval.high if p.estimate.interval else math.nan,
                    "behind": p.behind,
                    "p_leader": p.p_leader,
                    "n": p.estimate.n,
                }
                for p in self.places
            ]
        )

    def pair_frame(self) -> pd.DataFrame:
        """Return one row per pair: difference, interval, p and adjusted p."""
        import pandas as pd

        models = np.array(self.names, dtype=object)
        return pd.DataFrame(
            {
                "first": models[self.pairs.first],
                "second": models[self.pairs.second],
                "difference": self.pairs.difference,
                "low": self.pairs.low,
                "high": self.pairs.high,
                "p": self.pairs.p,
                "p_adjusted": self.p_adjusted,
                "n": self.pairs.n,
            }
        )


def rank_limits(beats: Flags) -> tuple[list[int], list[int]]:
    """Return the best and the worst rank of each model that the pairs leave open.

    Parameters
    ----------
    beats : matrix of bool
        Whether the model of the row was shown to be better than that of the column.

    Notes
    -----
    Where all pairs are decided at one family-wise level, a model's true rank lies between one more
    than the number of models shown to beat it and the number of models it was not shown to beat,
    for all models at once (Mogstad, Romano, Shaikh and Wilhelm 2024).

    Examples
    --------
    >>> rank_limits(np.array([[False, True, True], [False] * 3, [False] * 3]))
    ([1, 2, 2], [1, 3, 3])
    """
    lost, won = beats.sum(axis=0), beats.sum(axis=1)
    return [1 + int(k) for k in lost], [len(beats) - int(k) for k in won]


def tiers(beats: Flags) -> list[int]:
    """Peel off the models that nobody left was shown to beat, layer by layer.

    Examples
    --------
    >>> tiers(np.array([[False, True, True], [False] * 3, [False] * 3]))
    [1, 2, 2]
    """
    numbers = np.zeros(len(beats), dtype=int)
    left = np.ones(len(beats), dtype=bool)
    tier = 0
    while left.any():
        tier += 1
        beaten = beats[left].any(axis=0)
        top = left & ~beaten
        top = top if top.any() else left  # a ring of wins, which transitive tests do not give
        numbers[top] = tier
        left &= ~top
    return [int(t) for t in numbers]


def cliques(order: list[int], apart: Flags) -> list[list[int]]:
    """Return the largest runs of models in order of which no two were shown to differ.

    Parameters
    ----------
    order : list of int
        Models, best first.
    apart : matrix of bool
        Whether two models were shown to differ.

    Examples
    --------
    >>> apart = np.zeros((3, 3), dtype=bool)
    >>> apart[0, 2] = apart[2, 0] = True
    >>> cliques([0, 1, 2], apart)
    [[0, 1], [1, 2]]
    """
    groups: list[list[int]] = []
    reached = 0
    for start in range(len(order)):
        end = start + 1
        while end < len(order) and not apart[order[end], order[start:end]].any():
            end += 1
        if end - start > 1 and end > reached:
            groups.append(order[start:end])
            reached = end
    return groups
