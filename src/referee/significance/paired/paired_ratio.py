"""The paired bootstrap of a difference of two ratios of sums over cases (micro and macro F1)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from referee.core.arrays import Codes, Floats
from referee.core.randomness import Seed
from referee.errors import Refusal, arg
from referee.significance.paired.paired_bootstrap import (
    PairedBootstrap,
    assumptions_of,
    enough_defined,
)
from referee.significance.paired.paired_units import drawn_differences, group_units

__all__ = ["paired_ratio"]

_FEWEST = 10
"""Fewer cases, or groups, do not show how much a ratio varies."""


def paired_ratio(
    first: tuple[Floats, Floats],
    second: tuple[Floats, Floats],
    form: Callable[[Floats, Floats], Floats],
    *,
    groups: Any = None,
    weights: Floats | None = None,
    rounds: int = 2000,
    seed: Seed = 0,
    measure: str = "the measure",
) -> PairedBootstrap:
    """Bootstrap the difference of a measure of sums over the same cases, first minus second.

    Parameters
    ----------
    first, second : pairs of arrays, a row per case
        What each case adds above and below the line, for either model.
    form : callable
        From both sums (labels in the last axis) to the measure; nan where it is undefined.
    groups, weights : arrays, optional
        Draw whole groups; weigh the cases.

    Examples
    --------
    >>> hits = np.array([[1.0], [0.0], [2.0], [1.0]] * 25)
    >>> slots = np.array([[1.0], [1.0], [2.0], [2.0]] * 25)
    >>> worse = (np.maximum(hits - 1, 0), slots)
    >>> drawn = paired_ratio((hits, slots), worse, lambda a, b: (a / b)[..., 0])
    >>> round(drawn.value, 3), drawn.df
    (0.5, 99.0)
    """
    n, labels = first[0].shape
    w = np.ones(n) if weights is None else np.asarray(weights, dtype=float)
    units = group_units(groups, n, False)
    rows = w[:, None] * np.column_stack([*first, *second])
    sums = rows if units is None else _added(rows, units)
    if len(sums) < _FEWEST:
        raise Refusal(
            f"{measure} of fewer than {_FEWEST} cases or groups cannot be compared by resampling",
            remedy=f"test more cases, or compare {arg('measure', 'error')}",
        )

    def difference(stack: Floats) -> Floats:
        parts = np.asarray(stack, dtype=float).reshape(-1, 4, labels)
        return np.asarray(form(parts[:, 0], parts[:, 1]) - form(parts[:, 2], parts[:, 3]))

    total = sums.sum(axis=0)
    value = float(difference(total)[0])
    if math.isnan(value):
        raise Refusal(
            f"{measure} is undefined for one of the models on these cases, so it cannot be "
            "compared",
            remedy="test more cases that have labels",
        )
    rng = np.random.default_rng(seed)
    once = np.ones(len(sums), dtype=np.intp)
    drawn = drawn_differences(sums, once, None, rounds, rng, difference)
    rest = difference(total - sums)
    rest = rest[~np.isnan(rest)]
    count = len(rest)
    return PairedBootstrap(
        value=value,
        replicates=enough_defined(drawn, measure),
        df=float(max(len(sums) - 1, 1)),
        n=n,
        jackknife_se=math.sqrt((count - 1) * float(np.var(rest))) if count > 1 else 0.0,
        measure=measure,
        assumptions=assumptions_of(groups),
    )


def _added(rows: Floats, units: Codes) -> Floats:
    sums = np.zeros((int(units.max()) + 1, rows.shape[1]))
    np.add.at(sums, units, rows)
    return sums
