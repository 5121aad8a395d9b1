"""Bootstrap intervals of a mean score: clusters are drawn whole, items where there are none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from referee.core.results import Interval
from referee.core.scores.scores import ItemScores
from referee.intervals import works
from referee.intervals.one_set.bootstrap import bootstrap
from referee.intervals.one_set.bootstrap.bootstrap import (
    Bootstrapped,
    bca,
    bootstrap_mean,
    percentile,
)
from referee.intervals.scores.cluster_t import flat
from referee.intervals.scores.mean_interval import MeanInterval

__all__ = ["BCA", "PERCENTILE"]

SEED = 0
"""The same scores give the same interval."""


def _resampled(
    form: Callable[[Bootstrapped, float], Interval],
) -> Callable[[ItemScores, float], Interval]:
    def interval(items: ItemScores, level: float) -> Interval:
        drawn = bootstrap_mean(
            items.values, weights=items.weight, groups=items.cluster, random_state=SEED
        )
        interval = form(drawn, level)
        return replace(interval, flag=flat(items) or interval.flag)

    return interval


def _enough(items: ItemScores) -> str | None:
    if items.units >= 2:
        return None
    return "the bootstrap needs at least two items (clusters) to draw from; score more"


PERCENTILE = MeanInterval(
    "percentile",
    title="the percentile bootstrap interval",
    formula=bootstrap.PERCENTILE.formula,
    citations=(works.DAVISON,),
    assumptions=("items (clusters) are so many that the sample stands for all",),
    refusal=_enough,
    compute=_resampled(percentile),
)
BCA = MeanInterval(
    "bca",
    title="the bias-corrected and accelerated bootstrap interval",
    formula=bootstrap.BCA.formula,
    citations=(works.EFRON,),
    assumptions=("items (clusters) are so many that the sample stands for all",),
    refusal=_enough,
    compute=_resampled(bca),
)
