"""Areas under the drawn curves, each with its interval."""

from __future__ import annotations

import math

import numpy as np

from referee.core.randomness import Seed
from referee.core.results import Estimate, Interval
from referee.intervals.area.auc import auc_interval
from referee.intervals.area.delong import placements, with_groups
from referee.intervals.one_set.ranking import MEASURES, bootstrap_ranking
from referee.report.displays.scored import Scored

__all__ = ["area_estimate", "auc_estimate"]


def auc_estimate(scored: Scored, level: float) -> Estimate:
    """Return the area under the ROC curve: the evaluation's own where it has one.

    Examples
    --------
    >>> e = auc_estimate(Scored.of([0, 1, 0, 1], [0.1, 0.4, 0.3, 0.9]), 0.95)
    >>> e.value, e.interval.method
    (1.0, 'newcombe-delong')
    """
    known = scored.auc
    if known is not None and known.interval is not None and known.interval.level == level:
        return known
    interval = None
    if scored.fits == 1:
        placed = placements(scored.positive, scored.scores)
        if scored.units is not None:
            placed = with_groups(placed, scored.positive, scored.units)
        interval = auc_interval(placed, level)
    return _estimate(scored, "auc", scored.curve.auc, interval)


def area_estimate(
    scored: Scored, measure: str, value: float, level: float, seed: Seed, k: int = 50
) -> Estimate:
    """Return an area with its percentile interval over stratified resamples.

    No interval is given where no resample differs: it would have no width.
    """
    if scored.fits > 1:
        return _estimate(scored, measure, value, None)
    drawn = bootstrap_ranking(scored.positive, scored.scores, k=k, seed=seed, groups=scored.units)[
        :, MEASURES.index(measure)
    ]
    low, high = np.nanquantile(drawn, ((1 - level) / 2, (1 + level) / 2))
    interval = Interval(
        low=float(low), high=float(high), level=level, method="stratified-percentile"
    )
    return _estimate(scored, measure, value, interval if low < high else None)


def _estimate(scored: Scored, name: str, value: float, interval: Interval | None) -> Estimate:
    assert not math.isnan(value)
    return Estimate(
        name=name,
        value=value,
        n=len(scored.positive),
        method="test set" if scored.fits == 1 else f"{scored.fits} fits",
        interval=interval,
        reason="" if interval else "no honest interval is known here",
        greater_is_better=True,
    )
