"""Repeated runs: how much of the doubt comes from the items, how much from the runs.

A score is mu + (what is peculiar to the item) + (what is peculiar to the run). With n items, R_i
runs of item i and h the mean of 1 / R_i, the mean of item means has the variance

    V = items / n + runs h / n,

runs being the mean square within items and items what is left of V. More runs shrink the second
part only: with infinitely many of them the first one stays. More items shrink both.

References
----------
Searle, Casella and McCulloch (1992), Variance Components, chapter 3. Miller (2024), arXiv
2411.00640, section 3.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from referee.core.arrays import Codes, Floats
from referee.core.scores.scores import ItemScores
from referee.errors import InputError
from referee.intervals.scores.cluster_mean import cluster_mean

__all__ = ["RunSplit", "run_split"]


@dataclass(frozen=True, kw_only=True)
class RunSplit:
    """The variance of a mean score, split between items and runs.

    Attributes
    ----------
    n : int
        Items.
    runs : float
        Runs an item, as their harmonic mean where they differ.
    fewest, most : int
        The smallest and the largest number of runs of an item.
    variance : float
        Of the mean.
    between : float
        The part of it that more runs would not shrink.
    within : float
        The part of it that more runs would shrink.
    run_variance : float
        The mean square of runs within items.
    """

    n: int
    runs: float
    fewest: int
    most: int
    variance: float
    between: float
    within: float
    run_variance: float

    @property
    def se(self) -> float:
        """The standard error of the mean, as it is."""
        return math.sqrt(self.variance)

    @property
    def share_of_runs(self) -> float:
        """The share of the variance that more runs would shrink; 0 where there is none."""
        return self.within / self.variance if self.variance > 0 else 0.0

    @property
    def floor(self) -> float:
        """The standard error that infinitely many runs of these items would leave."""
        return math.sqrt(self.between)

    def with_runs(self, more: int) -> float:
        """Return the standard error after that many more runs of every item.

        Examples
        --------
        >>> split = RunSplit(n=40, runs=1.0, fewest=1, most=1, variance=0.004, between=0.002,
        ...                  within=0.002, run_variance=0.08)
        >>> round(split.with_runs(1), 4), round(split.with_items(40), 4), round(split.floor, 4)
        (0.0548, 0.0447, 0.0447)
        """
        return math.sqrt(self.between + self.within * self.runs / (self.runs + more))

    def with_items(self, more: float) -> float:
        """Return the standard error after that many more items with as many runs each."""
        return math.sqrt(self.variance * self.n / (self.n + more))

    def answers(self, more_runs: int) -> float:
        """Return how many answers that many more runs of every item would take."""
        return float(self.n * more_runs)

    def items_for(self, more_runs: int) -> int:
        """Return how many more items as many answers would pay for, at as many runs each."""
        return max(1, round(self.answers(more_runs) / self.runs))


def run_split(items: ItemScores, scores: Floats, item: Codes) -> RunSplit:
    """Return the split for scores of one model.

    Parameters
    ----------
    items : ItemScores
        The mean over runs of each item, with clusters and weights.
    scores : array
        Every score.
    item : array of codes
        The position of its item in `items`.

    Examples
    --------
    >>> scores = np.array([1.0, 0.0, 1.0, 1.0, 0.0, 0.0])
    >>> item = np.array([0, 0, 1, 1, 2, 2])
    >>> means = ItemScores(values=np.array([0.5, 1.0, 0.0]))
    >>> split = run_split(means, scores, item)
    >>> round(split.variance, 4), round(split.within, 4), round(split.between, 4)
    (0.0833, 0.0278, 0.0556)
    """
    counts = np.bincount(item, minlength=items.n)
    if np.any(counts == 0):
        raise InputError(
            f"item {int(np.flatnonzero(counts == 0)[0])} has no score", concerning="item"
        )
    spare = int(np.sum(counts - 1))
    if spare == 0:
        raise InputError(
            "no item has more than one run, so items cannot be told from runs",
            remedy="run some items again",
        )
    away = scores - items.values[item]
    mean_square = float(np.sum(away**2)) / spare
    weight = np.ones(items.n) if items.weight is None else items.weight
    share = weight / weight.sum()
    within = mean_square * float(np.sum(share**2 / counts))
    variance = cluster_mean(items).variance
    variance = 0.0 if math.isnan(variance) else variance
    return RunSplit(
        n=items.n,
        runs=float(1 / np.mean(1 / counts)),
        fewest=int(counts.min()),
        most=int(counts.max()),
        variance=max(variance, 0.0),
        between=max(variance - within, 0.0),
        within=min(within, variance),
        run_variance=mean_square,
    )
