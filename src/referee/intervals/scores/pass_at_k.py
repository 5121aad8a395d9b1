"""pass@k, pass^k and at-least-k: what several tries are worth, without bias, with intervals.

An item was tried R times and c tries succeeded. Of m tries drawn from those R, at least k succeed
with probability

    sum over j >= k of C(c, j) C(R - c, m - j) / C(R, m),

which is unbiased for m new tries. pass@k is k = 1 of m = k tries (one success is enough), pass^k
is k of m = k (all succeed); the mean over items has an interval over items or clusters.

References
----------
Chen and others (2021), Evaluating Large Language Models Trained on Code, arXiv 2107.03374. Yao and
others (2024), tau-bench, arXiv 2406.12045.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import scipy

from referee.core.arrays import Codes, Floats
from referee.core.results import Estimate
from referee.core.scores.scores import ItemScores
from referee.errors import InputError
from referee.intervals.scores.catalogue import mean_interval

__all__ = ["at_least", "at_least_each", "pass_all", "pass_at"]


def at_least_each(successes: Codes, tries: Codes, *, k: int, of: int) -> Floats:
    """Return, for each item, the chance that at least `k` of `of` tries drawn from it succeed.

    Examples
    --------
    Chen and others' pass@k = 1 - C(R - c, k) / C(R, k), for 3 successes in 10 tries:

    >>> at_least_each(np.array([3]), np.array([10]), k=1, of=5).round(6).tolist()
    [0.916667]
    """
    if not 1 <= k <= of:
        raise InputError(
            f"k must lie between 1 and the {of} tries it is counted among",
            concerning="k",
            value=str(k),
        )
    few = np.flatnonzero(tries < of)
    if few.size:
        raise InputError(
            f"item {int(few[0])} was tried {int(tries[few[0]])} times only, which says nothing "
            f"about {of} tries",
            remedy=f"run it again, or take k of {int(tries.min())} at most",
        )
    return np.asarray(scipy.stats.hypergeom.sf(k - 1, tries, successes, of), dtype=float)


def pass_at(
    items: ItemScores, successes: Codes, tries: Codes, k: int, **options: object
) -> Estimate:
    """Return pass@k: the mean chance that at least one of k tries succeeds.

    Examples
    --------
    >>> items = ItemScores(values=np.array([0.75, 0.0, 1.0, 0.25]), low=0.0, high=1.0)
    >>> result = pass_at(items, np.array([3, 0, 4, 1]), np.array([4, 4, 4, 4]), 2)
    >>> result.name, round(result.value, 4)
    ('pass@2', 0.625)
    """
    estimate = at_least(items, successes, tries, k=1, of=k, **options)  # type: ignore[arg-type]
    return replace(estimate, name=f"pass@{k}")


def pass_all(
    items: ItemScores, successes: Codes, tries: Codes, k: int, **options: object
) -> Estimate:
    """Return pass^k: the mean chance that all of k tries succeed.

    Examples
    --------
    >>> items = ItemScores(values=np.array([0.75, 0.0, 1.0, 0.25]), low=0.0, high=1.0)
    >>> result = pass_all(items, np.array([3, 0, 4, 1]), np.array([4, 4, 4, 4]), 2)
    >>> result.name, result.value
    ('pass^2', 0.375)
    """
    estimate = at_least(items, successes, tries, k=k, of=k, **options)  # type: ignore[arg-type]
    return replace(estimate, name=f"pass^{k}")


def at_least(
    items: ItemScores,
    successes: Codes,
    tries: Codes,
    *,
    k: int,
    of: int,
    level: float = 0.95,
    interval: str = "auto",
) -> Estimate:
    """Return the mean chance that at least k of `of` tries succeed, with its interval over items.

    Parameters
    ----------
    items : ItemScores
        The items, with clusters and weights.
    successes, tries : arrays of int
        How often each item was tried, and how often with success.
    """
    each = replace(
        items,
        values=at_least_each(successes, tries, k=k, of=of),
        low=0.0,
        high=1.0,
        single=bool(np.all(tries == of)),
    )
    return Estimate(
        name=f"at-least-{k}-of-{of}",
        value=each.mean,
        n=each.n,
        method="mean over items of the chance among the tries drawn from each",
        interval=mean_interval(each, level, interval),
        greater_is_better=True,
        assumptions=("tries of one item are independent given the item",),
    )
