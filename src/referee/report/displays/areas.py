"""Areas under the drawn curves, each with its interval."""

from __future__ import annotations

import math

from referee.core.randomness import Seed
from referee.core.results import Estimate, Interval
from referee.intervals.area.stratified import stratified_percentile
from referee.intervals.catalogue import area_interval
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
    return _estimate(scored, "auc", scored.curve.auc, area_interval(scored, level))


def area_estimate(
    scored: Scored, measure: str, value: float, level: float, seed: Seed, k: int = 50
) -> Estimate:
    """Return an area with its percentile interval over stratified resamples."""
    interval = stratified_percentile(scored, measure, level, seed=seed, k=k)
    return _estimate(scored, measure, value, interval)


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
