"""The exact law of rank sums: how often would models that rank at random differ so much?

If models are interchangeable, every order of a data set's ranks is as likely as any other, ties
included. Friedman's statistic, and Iman and Davenport's, grow with the sum of squares of the
models' rank sums, so p is the share of all arrangements with at least as large a sum. It is built
data set by data set where that is affordable; otherwise 9999 random arrangements stand for all of
them, and p = (1 + hits) / 10 000.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from referee.core.arrays import Codes, Floats

__all__ = ["AFFORDABLE", "ROUNDS", "chance_of_ranks"]

AFFORDABLE = 60_000
"""Most pairs of a column of rank sums and an order that are joined at once."""

ROUNDS = 9_999
"""Random arrangements, so that the smallest p is 1 / 10 000."""


def chance_of_ranks(ranks: Floats, *, seed: int = 0) -> float:
    """Return the chance of rank sums at least as far apart as those seen.

    Parameters
    ----------
    ranks : array of shape (data sets, models)
        Ranks within each data set; ties share theirs.
    seed : int
        Where chance starts, if there are too many arrangements to list.

    Examples
    --------
    >>> round(chance_of_ranks(np.array([[1, 2, 3], [1, 2, 3], [1, 3, 2.0]])), 4)
    0.1944
    """
    # Twice a rank is whole, so that equal sums are equal.
    doubled = np.rint(2 * np.asarray(ranks)).astype(np.int64)
    observed = int(np.sum(doubled.sum(axis=0) ** 2))
    exact = _exact(doubled, observed)
    return _sampled(doubled, observed, seed) if exact is None else exact


def _exact(doubled: Codes, observed: int) -> float | None:
    """Return the chance from the law of the rank sums; None where that takes too long.

    Models are interchangeable, so sums are kept in order, and the first data set needs no turning.
    """
    n, k = doubled.shape
    if math.factorial(k) > AFFORDABLE:
        return None
    base = (2 * k * n + 1) ** np.arange(k, dtype=object)
    if int(base[-1]) * (2 * k * n) >= 2**62:
        return None
    weights = base.astype(np.int64)
    sums = np.sort(doubled[:1], axis=1)
    chance: Floats = np.ones(1)
    for row in doubled[1:]:
        orders, times = _orders(row)
        if len(sums) * len(orders) > AFFORDABLE:
            return None
        reached = np.sort((sums[:, None, :] + orders[None]).reshape(-1, k), axis=1)
        joint = (chance[:, None] * times[None]).ravel()
        _, first, position = np.unique(reached @ weights, return_index=True, return_inverse=True)
        sums = reached[first]
        chance = np.asarray(np.bincount(position.ravel(), weights=joint), dtype=float)
    return min(1.0, float(chance[np.sum(sums**2, axis=1) >= observed].sum()))


def _orders(row: Codes) -> tuple[Codes, Floats]:
    """Return the different orders of a data set's ranks, and the chance of each."""
    orders = np.array(sorted(set(itertools.permutations(row.tolist()))), dtype=np.int64)
    return orders, np.full(len(orders), 1 / len(orders))


def _canonical(doubled: Codes) -> list[list[int]]:
    """Return the ranks in an order of their own.

    So p depends neither on the order of models and data sets nor on which end is called best.
    """
    turned = 2 * (doubled.shape[1] + 1) - doubled
    return min(sorted(np.sort(ranks, axis=1).tolist()) for ranks in (doubled, turned))


def _sampled(doubled: Codes, observed: int, seed: int) -> float:
    rng = np.random.default_rng(seed)
    sums = np.zeros((ROUNDS, doubled.shape[1]), dtype=np.int64)
    for row in _canonical(doubled):
        sums += rng.permuted(np.broadcast_to(row, sums.shape), axis=1)
    hits = int(np.sum(np.sum(sums**2, axis=1) >= observed))
    return (1 + hits) / (1 + ROUNDS)
