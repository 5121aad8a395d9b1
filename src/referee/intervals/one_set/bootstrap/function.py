"""The bootstrap of any function of the cases, drawing cases or whole groups."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.core.arrays import Codes, Floats, Rows
from referee.core.randomness import Seed
from referee.intervals.one_set.bootstrap.bootstrap import Bootstrapped

__all__ = ["ResampledFunction", "bootstrap_function", "left_out_rows", "resampled_rows"]

_ROUNDS = 1000
_BLOCKS = 500
"""More units than this are left out in so many blocks: a jackknife value costs a call each."""


@dataclass(frozen=True, eq=False)
class ResampledFunction:
    """Replicates where the function was defined, and the share of resamples in which it was."""

    bootstrapped: Bootstrapped
    defined: float


def bootstrap_function(
    function: Callable[[Rows], float],
    n: int,
    *,
    value: float,
    groups: Codes | None = None,
    rounds: int = _ROUNDS,
    seed: Seed = 0,
) -> ResampledFunction:
    """Bootstrap a function of row numbers; nan stands for a resample where it is undefined.

    Parameters
    ----------
    function : callable
        From row numbers, some of them repeated, to the value of the measure on these rows.
    n : int
        How many rows there are.
    value : float
        The function of all rows.
    groups : array of int, optional
        The group of each row; whole groups are drawn.

    Notes
    -----
    The jackknife, which BCa's acceleration needs, leaves out one unit at a time, or one of 500
    random blocks of units where there are more. Blocks estimate the same acceleration: the third
    and the second moment of sums of independent influences both add up.

    Examples
    --------
    >>> x = np.random.default_rng(0).normal(size=40)
    >>> drawn = bootstrap_function(lambda rows: float(x[rows].mean()), 40, value=float(x.mean()))
    >>> bool(abs(drawn.bootstrapped.standard_error - x.std() / 40**0.5) < 0.02), drawn.defined
    (True, 1.0)
    """
    drawn = np.array([function(rows) for rows in resampled_rows(n, groups, rounds, seed)])
    rest = np.array([function(rows) for rows in left_out_rows(n, groups, seed)])
    kept = _defined(drawn)
    return ResampledFunction(Bootstrapped(value, kept, _defined(rest)), len(kept) / rounds)


def resampled_rows(n: int, groups: Codes | None, rounds: int, seed: Seed) -> Iterator[Rows]:
    """Yield the rows of each resample: n cases, or as many groups as there are, with repeats."""
    rng = np.random.default_rng(seed)
    members = _members(n, groups)
    for _ in range(rounds):
        units = rng.integers(len(members), size=len(members))
        yield units if groups is None else np.concatenate([members[u] for u in units])


def left_out_rows(n: int, groups: Codes | None, seed: Seed) -> Iterator[Rows]:
    """Yield all rows but one unit's, or but those of a random block of units, in turn."""
    members = _members(n, groups)
    units = np.arange(len(members))
    if len(members) > _BLOCKS:
        units = np.random.default_rng([int(seed), 1]).permutation(len(members))
    for block in np.array_split(units, min(len(members), _BLOCKS)):
        keep = np.ones(n, dtype=bool)
        for unit in block:
            keep[members[unit]] = False
        yield np.flatnonzero(keep)


def _members(n: int, groups: Codes | None) -> Any:
    """Return the rows of each unit."""
    if groups is None:
        return np.arange(n)
    order = np.argsort(groups, kind="stable")
    starts = np.unique(groups[order], return_index=True)[1]
    return np.split(order, starts[1:])


def _defined(values: Floats) -> Floats:
    return values[~np.isnan(values)]
