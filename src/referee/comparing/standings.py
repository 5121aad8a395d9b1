"""Ranking by inference: tiers, and the ranks that the pairs leave open.

If every pair is decided at a family-wise level, a model's true rank lies between one more than the
number of models shown to beat it and the number of models it was not shown to beat, for all models
at once.

References
----------
Mogstad, Romano, Shaikh and Wilhelm (2024), Review of Economic Studies 91.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from referee.comparing.comparison import Pair, Standing
from referee.core.results import Estimate

__all__ = ["standings"]


def standings(estimates: Mapping[str, Estimate], pairs: Sequence[Pair]) -> tuple[Standing, ...]:
    """Return every model's place, best first; equal values share a rank."""
    beaten_by: dict[str, set[str]] = {name: set() for name in estimates}
    for pair in pairs:
        if pair.better:
            loser = pair.second if pair.better == pair.first else pair.first
            beaten_by[loser].add(pair.better)
    tiers = _tiers(beaten_by)
    loss = {name: _loss(e) for name, e in estimates.items()}
    placed = [
        Standing(
            name=name,
            estimate=e,
            rank=1 + sum(other < loss[name] for other in loss.values()),
            best_rank=1 + len(beaten_by[name]),
            worst_rank=len(estimates) - sum(name in winners for winners in beaten_by.values()),
            tier=tiers[name],
        )
        for name, e in estimates.items()
    ]
    return tuple(sorted(placed, key=lambda s: (s.rank, s.tier)))


def _loss(estimate: Estimate) -> float:
    """Return the value as something to keep small; undefined values come last."""
    if math.isnan(estimate.value):
        return math.inf
    return -estimate.value if estimate.greater_is_better else estimate.value


def _tiers(beaten_by: Mapping[str, set[str]]) -> dict[str, int]:
    """Peel off the models that nobody left was shown to beat, layer by layer."""
    tiers: dict[str, int] = {}
    tier = 0
    while len(tiers) < len(beaten_by):
        tier += 1
        left = {name for name in beaten_by if name not in tiers}
        top = {name for name in left if not beaten_by[name] & left} or left
        tiers |= dict.fromkeys(top, tier)
    return tiers
