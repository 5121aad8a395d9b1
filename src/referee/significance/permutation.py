"""Permutation p-values: how often chance alone does as well.

With m relabellings of which c do at least as well as the true labels, p = (1 + c) / (1 + m): the
true labelling is one of those that chance could have given, so p is never 0, and under the null
hypothesis P(p <= a) <= a for every a. Ties count against the model.

Besag and Clifford stop as soon as h relabellings did as well: p = h / l after l of them. Large
p-values, which need no digits, then cost few relabellings; p is as valid as without stopping.

References
----------
Phipson and Smyth (2010), Statistical Applications in Genetics and Molecular Biology 9(1).
Besag and Clifford (1991), Biometrika 78, 301-304.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from referee.core.arrays import Floats
from referee.core.machine.limits import MOST_PERMUTATIONS
from referee.errors import InputError

__all__ = ["PermutationP", "check_permutations", "fewest_permutations", "permutation_p"]


@dataclass(frozen=True, eq=False)
class PermutationP:
    """A permutation p-value and what it was counted from.

    Attributes
    ----------
    value : float
        The p-value.
    null : array
        The statistics of the relabellings that were used, in order.
    exceedances : int
        How many of them did at least as well as the true labels.
    stopped : bool
        Whether counting ended early.
    """

    value: float
    null: Floats
    exceedances: int
    stopped: bool


def permutation_p(
    observed: float,
    null: Iterable[float],
    *,
    greater_is_better: bool,
    stop_after: int | None = None,
) -> PermutationP:
    """Return the p-value of an observed statistic among those of relabelled data.

    Parameters
    ----------
    observed : float
        The statistic of the true labels.
    null : iterable of float
        Those of the relabellings; read one by one, and no further than needed. One that is nan
        counts as doing as well: what cannot be computed must not speak for the model.
    greater_is_better : bool
        Which way is better.
    stop_after : int, optional
        Stop when so many did at least as well (Besag and Clifford's h).

    Examples
    --------
    >>> permutation_p(0.2, [0.5, 0.4, 0.2, 0.6], greater_is_better=False).value
    0.4
    >>> later = iter([0.95, 0.91, 0.2, 0.99])
    >>> permutation_p(0.9, later, greater_is_better=True, stop_after=2).value
    1.0
    """
    values: list[float] = []
    count = 0
    for value in null:
        values.append(value)
        count += _as_well(value, observed, greater_is_better)
        if stop_after is not None and count >= stop_after:
            return PermutationP(count / len(values), np.array(values), count, True)
    p = (1 + count) / (1 + len(values))
    return PermutationP(p, np.array(values, dtype=float), count, False)


def _as_well(value: float, observed: float, greater_is_better: bool) -> bool:
    # Shares of cases that are equal on paper may differ in the last digit.
    slack = 1e-12 * max(1.0, abs(observed))
    if greater_is_better:
        return not value < observed - slack
    return not value > observed + slack


def fewest_permutations(level: float) -> int:
    """Return how many relabellings it takes for the smallest possible p to reach the level.

    Examples
    --------
    >>> fewest_permutations(0.95), fewest_permutations(0.99)
    (19, 99)
    """
    return max(1, int(np.ceil(1 / (1 - level) - 1e-9)) - 1)


def check_permutations(permutations: int, level: float, stop_after: int | None = None) -> None:
    """Refuse a number of relabellings with which nothing could ever be shown."""
    least = fewest_permutations(level)
    if not _whole(permutations) or permutations < least:
        raise InputError(
            f"must be a whole number of at least {least}",
            argument="permutations",
            value=str(permutations),
            remedy=f"with fewer the smallest possible p-value is above {1 - level:.3g}",
        )
    if permutations > MOST_PERMUTATIONS:
        raise InputError(
            f"must be at most {MOST_PERMUTATIONS}",
            argument="permutations",
            value=str(permutations),
            remedy="10000 tell a p-value of 0.05 to two digits",
        )
    if stop_after is None:
        return
    if not _whole(stop_after) or stop_after < 1:
        raise InputError(
            "must be a whole number of at least 1", argument="stop_after", value=repr(stop_after)
        )
    if stop_after > permutations:
        raise InputError(
            f"must not exceed the {permutations} permutations",
            argument="stop_after",
            value=str(stop_after),
            remedy="10 to 50 save most of the work where there is nothing to find",
        )


def _whole(number: object) -> bool:
    return isinstance(number, (int, np.integer)) and not isinstance(number, bool)
