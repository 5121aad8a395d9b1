"""The interval of an error over several runs of a learner on one test set.

The case is the item and a fit a run of it, as for scores: with m the mean over runs of a case, the
error is worth p (1 - p) / V cases of 0 or 1. V has two parts. Cases differ: the variance of m over
n. And a run may be good or bad as a whole, which no case shows alone: what the means of R runs vary
by beyond the chance of single cases, over R. Degrees of freedom are Satterthwaite's.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from referee.core.results import Interval
from referee.core.scores.scores import ItemScores
from referee.intervals.one_set.proportion import clopper_pearson
from referee.intervals.scores.cluster_mean import cluster_mean
from referee.intervals.scores.effective_beta import EFFECTIVE_BETA, effective_beta_of
from referee.measures import Losses

__all__ = ["runs_interval"]


def runs_interval(losses: Losses, level: float) -> Interval:
    """Return the interval of the mean loss, each repetition being a run over the same cases."""
    items = ItemScores(
        values=losses.per_case,
        cluster=losses.case_group,
        weight=losses.case_weight,
        low=0.0,
        high=1.0,
        single=False,
    )
    mean = cluster_mean(items)
    runs, between = _whole_runs(losses)
    if between == 0 or not mean.variance > 0:
        return effective_beta_of(items, mean, level)
    whole = mean.variance + between
    df = whole**2 / (mean.variance**2 / mean.df + between**2 / (runs - 1))
    z, t = special.ndtri((1 + level) / 2), special.stdtrit(max(1.0, df), (1 + level) / 2)
    n = float(mean.mean * (1 - mean.mean) / whole * (z / t) ** 2)
    share = clopper_pearson(mean.mean * n, n, level)
    return Interval(
        low=share.low, high=share.high, level=level, method=EFFECTIVE_BETA.name, n_effective=n
    )


def _whole_runs(losses: Losses) -> tuple[int, float]:
    """Return how many runs there are, and the variance of their mean that whole runs make."""
    _, run = np.unique(losses.repetition, return_inverse=True)
    _, case = np.unique(losses.case, return_inverse=True)
    weight = np.ones(len(run)) if losses.weight is None else losses.weight
    total = np.bincount(run, weights=weight)
    means = np.bincount(run, weights=weight * losses.value) / total
    runs = len(means)
    away = losses.value - losses.per_case[case]
    square = float(np.sum(away**2)) / (losses.n * (runs - 1))
    alone = square * float(np.sum((weight[run == 0] / total[0]) ** 2))
    return runs, max(0.0, float(np.var(means, ddof=1)) - alone) / runs
