"""The betting interval of a mean score: guaranteed for every law between the limits.

It needs no normal law and no spread, at the price of some width. Clusters of one size are taken as
units, by their means.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from referee.core.arrays import Floats
from referee.core.results import Interval
from referee.core.scores.scores import ItemScores
from referee.errors import arg
from referee.intervals.scores.mean_interval import MeanInterval
from referee.intervals.scores.works import WAUDBY_SMITH_2024
from referee.intervals.sequential.betting import FORMULA, MEASURED

__all__ = ["BETTING", "betting_mean"]


def betting_mean(items: ItemScores, level: float = 0.95) -> Interval:
    """Return the interval that no law between the limits can make fail more often than it says.

    Examples
    --------
    >>> items = ItemScores(values=np.linspace(0.3, 0.5, 200), low=0.0, high=1.0)
    >>> i = betting_mean(items)
    >>> round(i.low, 2), round(i.high, 2)
    (0.39, 0.42)
    """
    from referee.intervals.sequential.betting import betting_interval  # loads compiled code

    interval = betting_interval(_units(items), level, bounds=(items.low, items.high))
    return replace(interval, method="betting")


def _units(items: ItemScores) -> Floats:
    if items.cluster is None:
        return items.values
    sums = np.bincount(items.cluster, weights=items.values)
    sizes = np.bincount(items.cluster)
    return np.asarray(sums[sizes > 0] / sizes[sizes > 0])


def _refusal(items: ItemScores) -> str | None:
    if not items.bounded:
        return (
            f"{arg('interval', 'betting')} needs {arg('limits', (0, 1))} or other limits that "
            "scores keep; without them use 'skewed-t'"
        )
    if items.weight is not None:
        return f"{arg('interval', 'betting')} knows no weights; use 'effective-beta'"
    if items.cluster is not None:
        sizes = np.unique(items.cluster, return_counts=True)[1]
        if len(set(sizes.tolist())) > 1:
            return f"{arg('interval', 'betting')} needs clusters of one size; use 'effective-beta'"
    return None


BETTING = MeanInterval(
    "betting",
    title="the betting interval, guaranteed for every law between the limits",
    formula=FORMULA,
    measured=MEASURED,
    citations=(WAUDBY_SMITH_2024,),
    refusal=_refusal,
    compute=betting_mean,
    of_limits=True,
)
