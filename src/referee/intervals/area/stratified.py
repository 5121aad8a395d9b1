"""Percentiles of a bootstrap within classes, for areas that no formula gives an interval of.

References
----------
Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapter 13.
"""

from __future__ import annotations

import numpy as np

from referee.core.randomness import Seed
from referee.core.results import Interval, Target
from referee.intervals import works
from referee.intervals.area.ranking_sample import RankingSample
from referee.intervals.measure_interval import MeasureInterval

__all__ = ["STRATIFIED_PERCENTILE", "stratified_percentile"]

STRATIFIED_PERCENTILE = MeasureInterval(
    "stratified-percentile",
    title="percentiles of a bootstrap within classes",
    formula=r"""$\theta^*$ are the values of $B$ resamples, positives and negatives drawn apart (or
groups drawn whole), and $Q$ their quantiles.

$$
[\, Q_{\alpha / 2}(\theta^*),\; Q_{1 - \alpha / 2}(\theta^*) \,]
$$
""",
    measured=(
        "Not tried by itself. It is drawn in legends of curves; what reports print of these areas "
        "is `stratified-logit-t`."
    ),
    citations=(works.EFRON_TIBSHIRANI_BOOK,),
    target=Target.FIXED,
)


def stratified_percentile(
    sample: RankingSample, measure: str, level: float = 0.95, *, seed: Seed = 0, k: int = 50
) -> Interval | None:
    """Return percentiles of an area over stratified resamples of one model's scores.

    None where several models scored the cases, and where no resample differs: the interval would
    have no width.

    Parameters
    ----------
    measure : str
        One of `referee.intervals.one_set.bootstrap.ranking.MEASURES`.
    k : int
        False positives up to which "auc_k" reaches.

    Examples
    --------
    >>> positive = np.arange(60) < 30
    >>> scores = np.random.default_rng(0).normal(size=60) + positive
    >>> i = stratified_percentile(RankingSample(positive, scores), "average_precision")
    >>> 0.5 < i.low < i.high < 1
    True
    """
    if sample.fits > 1:
        return None
    # Compiled loops are imported only where they are used: they cost a second to load.
    from referee.intervals.one_set.bootstrap.ranking import MEASURES, bootstrap_ranking

    drawn = bootstrap_ranking(sample.positive, sample.scores, k=k, seed=seed, groups=sample.units)[
        :, MEASURES.index(measure)
    ]
    low, high = np.nanquantile(drawn, ((1 - level) / 2, (1 + level) / 2))
    if not low < high:
        return None
    method = STRATIFIED_PERCENTILE.name
    return Interval(low=float(low), high=float(high), level=level, method=method)
