"""Every interval of a mean score, by name; "auto" takes the first that suits."""

from __future__ import annotations

from referee.core.method import Catalogue, load_offers
from referee.core.results import Interval, check_level
from referee.core.scores.scores import ItemScores
from referee.intervals.scores.binary import EXACT, WILSON
from referee.intervals.scores.bootstrapped import BCA, PERCENTILE
from referee.intervals.scores.cluster_t import CLT, CLUSTER_T
from referee.intervals.scores.effective_beta import EFFECTIVE_BETA
from referee.intervals.scores.guaranteed import BETTING
from referee.intervals.scores.mean_interval import MeanInterval
from referee.intervals.scores.skewed_t import SKEWED_T

__all__ = ["MEAN_INTERVALS", "mean_interval"]

MEAN_INTERVALS: Catalogue[MeanInterval] = Catalogue(
    MeanInterval,
    "interval",
    "interval",
    (EXACT, EFFECTIVE_BETA, SKEWED_T, CLUSTER_T, BETTING, WILSON, PERCENTILE, BCA, CLT),
    automatic=("clopper-pearson", "effective-beta", "skewed-t"),
)
"""Name -> interval of a mean score."""


def mean_interval(
    items: ItemScores, level: float = 0.95, method: str | MeanInterval = "auto"
) -> Interval:
    """Return the interval of a mean score, by name or the first that suits.

    "auto" is exact for one 0/1 score an item, ``effective-beta`` where scores have limits and
    ``skewed-t`` where they have none.

    Examples
    --------
    >>> import numpy as np
    >>> marks = ItemScores(values=np.array([1.0, 1.0, 0.0, 1.0, 0.5]), low=0.0, high=1.0)
    >>> i = mean_interval(marks)
    >>> i.method, round(i.low, 3), round(i.high, 3)
    ('effective-beta', 0.209, 0.977)
    """
    return mean_interval_at(items, check_level(level), method)


def mean_interval_at(
    items: ItemScores, level: float, method: str | MeanInterval = "auto"
) -> Interval:
    """Return the same at any level, as the inversion of a test needs it."""
    chosen = MEAN_INTERVALS.choose(items) if method == "auto" else MEAN_INTERVALS.named(method)
    chosen.check(items)
    return chosen.of(items, level)


load_offers(MEAN_INTERVALS)
