"""The paired bootstrap of any function of the cases: both models on the same resamples."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from referee.core.arrays import Codes, Rows
from referee.core.randomness import Seed
from referee.errors import Refusal, arg
from referee.intervals.one_set.bootstrap.function import left_out_rows, resampled_rows
from referee.significance.paired.paired_bootstrap import (
    PairedBootstrap,
    assumptions_of,
    enough_defined,
)

__all__ = ["paired_function"]

_FEWEST = 10
"""Fewer cases, or groups, do not show how much a function varies."""


def paired_function(
    first: Callable[[Rows], float],
    second: Callable[[Rows], float],
    truth: Codes,
    *,
    groups: Codes | None = None,
    rounds: int = 1000,
    seed: Seed = 0,
    measure: str = "the measure",
    remedy: str = "test more cases of every class",
) -> PairedBootstrap:
    """Bootstrap the difference of two functions of row numbers, first minus second.

    Parameters
    ----------
    first, second : callable
        From row numbers, some of them repeated, to the measure of each model on these rows; nan
        where it is undefined.
    truth : array of int
        The true class of each case: the smallest class sets the degrees of freedom.
    groups : array of int, optional
        Draw whole groups.
    remedy : str
        What to do where the measure is undefined.

    Notes
    -----
    The larger of the bootstrap's and the jackknife's standard error counts, as in `paired_matrix`;
    more than 500 units are left out in blocks.

    Examples
    --------
    >>> x = np.random.default_rng(0).normal(size=(2, 60))
    >>> means = [lambda rows, v=v: float(v[rows].mean()) for v in x]
    >>> drawn = paired_function(*means, np.arange(60) % 2)
    >>> bool(abs(drawn.standard_error - (x[0] - x[1]).std() / 60**0.5) < 0.02), drawn.df
    (True, 29.0)
    """
    n = len(truth)
    owner = np.arange(n) if groups is None else groups
    if len(np.unique(owner)) < _FEWEST:
        raise Refusal(
            f"{measure} of fewer than {_FEWEST} cases or groups cannot be compared by resampling",
            remedy=f"test more cases, or compare {arg('measure', 'error')}",
        )

    def difference(rows: Rows) -> float:
        return first(rows) - second(rows)

    value = difference(np.arange(n))
    if math.isnan(value):
        raise Refusal(
            f"{measure} is undefined for one of the models on these cases, so it cannot be "
            "compared",
            remedy=remedy,
        )
    drawn = np.array([difference(rows) for rows in resampled_rows(n, groups, rounds, seed)])
    rest = np.array([difference(rows) for rows in left_out_rows(n, groups, seed)])
    rest = rest[~np.isnan(rest)]
    smallest = min(len(np.unique(owner[truth == c])) for c in np.unique(truth))
    return PairedBootstrap(
        value=value,
        replicates=enough_defined(drawn, measure, remedy),
        df=float(max(smallest - 1, 1)),
        n=n,
        jackknife_se=math.sqrt((len(rest) - 1) * float(np.var(rest))) if len(rest) > 1 else 0.0,
        measure=measure,
        assumptions=assumptions_of(groups),
    )
