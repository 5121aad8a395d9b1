"""The interval that holds after any number of looks, however the looks were used.

A look at a sealed test set shows a cell of the grid, not a score. The interval is computed from
both ends of that cell, never from the secret count, or it would tell more than was counted. Shares
of a known number of cases get Clopper and Pearson's interval at error alpha times the weight of
the look; means of bounded scores and areas under ROC curves get Bentkus's, which needs the mean
alone. (A betting interval rests on every single score: shown, it would be a second release.)

With probability `level` *all* intervals ever shown for one test set hold at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from referee.core.results import Interval, Target, check_level
from referee.errors import InputError
from referee.intervals import works
from referee.intervals.looks.weights import log_weight
from referee.intervals.measure_interval import MeasureInterval
from referee.intervals.one_set.bentkus import lower_mean
from referee.intervals.one_set.binomial_tail import lower_share

__all__ = [
    "LOOKS_BENTKUS",
    "LOOKS_CLOPPER_PEARSON",
    "LookInterval",
    "look_interval",
    "look_interval_of_mean",
]


@dataclass(frozen=True, kw_only=True)
class LookInterval:
    """The guaranteed interval of a look, and the naive one beside it.

    Attributes
    ----------
    interval : Interval
        Holds together with all others of the same test set.
    naive : Interval
        What the same cell would give if this were the only look; the difference is the price of
        looking.
    look, releases, cells : int
        The number of the look, the releases before it, and the values on the grid.
    log_weight : float
        The logarithm of the share of alpha that the look spends.
    """

    interval: Interval
    naive: Interval
    look: int
    releases: int
    cells: int
    log_weight: float


def weighed(
    ends: Callable[[float], tuple[float, float]],
    names: tuple[str, str],
    level: float,
    place: tuple[int, int, int],
    looks: int | None,
) -> LookInterval:
    """Return the guaranteed and the naive interval, by the names of their methods.

    `ends` turns the logarithm of the error allowed on either side into both ends; `place` is the
    look, the releases before it and the number of cells.
    """
    log_alpha, weight = math.log(1 - check_level(level)), log_weight(*place, looks=looks)

    def interval(log_error: float, method: str) -> Interval:
        low, high = ends(log_error - math.log(2))
        return Interval(low=low, high=high, level=level, method=method)

    look, releases, cells = place
    return LookInterval(
        interval=interval(log_alpha + weight, names[0]),
        naive=interval(log_alpha, names[1]),
        look=look,
        releases=releases,
        cells=cells,
        log_weight=weight,
    )


def look_interval(
    low_count: int,
    high_count: int,
    n: int,
    look: int,
    releases: int,
    cells: int,
    level: float = 0.95,
    *,
    looks: int | None = None,
) -> LookInterval:
    """Return the interval of a share of which a look showed only a cell.

    Parameters
    ----------
    low_count, high_count : int
        The smallest and the largest count that would have given the same answer.
    n : int
        How many cases the share is of.
    look : int
        The number of this look, from 1; every look at the test set counts.
    releases : int
        How many of the looks *before* it released a value.
    cells : int
        How many values the grid has.
    level : float
        The probability that all intervals of the test set hold.
    looks : int or None
        How many looks there will be at most, where that was fixed before the first.

    Examples
    --------
    One look, the exact count shown, nothing else ever: Clopper and Pearson's interval.

    >>> i = look_interval(100, 100, 1000, 1, 0, 20, looks=1).interval
    >>> round(i.low, 4), round(i.high, 4)
    (0.0821, 0.1203)

    The hundredth look after three releases, 15 cases to a cell:

    >>> both = look_interval(86, 100, 1000, 100, 3, 20)
    >>> round(both.interval.low, 3), round(both.interval.high, 3)
    (0.032, 0.193)
    >>> round(both.naive.low, 3), round(both.naive.high, 3)
    (0.069, 0.12)
    """
    if not 0 <= low_count <= high_count <= n or n < 1:
        raise InputError(
            f"counts must satisfy 0 <= low_count <= high_count <= n, got {low_count}, "
            f"{high_count} and n = {n}",
            concerning="low_count",
        )

    def ends(half: float) -> tuple[float, float]:
        return lower_share(low_count, n, half), 1 - lower_share(n - high_count, n, half)

    names = LOOKS_CLOPPER_PEARSON.name, "clopper-pearson"
    return weighed(ends, names, level, (look, releases, cells), looks)


def look_interval_of_mean(
    low_mean: float,
    high_mean: float,
    n: int,
    look: int,
    releases: int,
    cells: int,
    level: float = 0.95,
    *,
    bounds: tuple[float, float] = (0.0, 1.0),
    looks: int | None = None,
) -> LookInterval:
    """Return the interval of a mean of bounded scores of which a look showed only a cell.

    Parameters
    ----------
    low_mean, high_mean : float
        The ends of the cell.
    n : int
        How many scores the mean is of; for an area under the ROC curve the cases of the smaller
        class.
    look, releases, cells, level, looks
        As in `look_interval`.
    bounds : tuple of float
        Between which all scores lie, by definition and not by what was seen.

    Examples
    --------
    >>> i = look_interval_of_mean(0.90, 0.92, 500, 10, 2, 22).interval
    >>> round(i.low, 3), round(i.high, 3)
    (0.8, 0.973)
    """
    low, high = bounds
    if not low <= low_mean <= high_mean <= high or not low < high or n < 1:
        raise InputError(
            f"means must satisfy {low:g} <= low_mean <= high_mean <= {high:g}, got {low_mean:g}, "
            f"{high_mean:g} and n = {n}",
            concerning="low_mean",
        )
    width = high - low

    def ends(half: float) -> tuple[float, float]:
        return (
            low + width * lower_mean((low_mean - low) / width, n, half),
            high - width * lower_mean((high - high_mean) / width, n, half),
        )

    return weighed(ends, (LOOKS_BENTKUS.name, "bentkus"), level, (look, releases, cells), looks)


_SPENT = r"""Look $k$, after $j$ releases on a grid of $J$ values, may spend $\alpha w$, $C$ being
binomial coefficients:

$$
w = \frac{6}{\pi^2 k^2} \cdot \frac{2^{-(j + 1)}}{1 - 2^{-(\min(k - 1, J) + 1)}} \cdot
\frac{1}{C(k - 1, j) \, C(J, j)}
$$

The interval is %s at error $\alpha w$, from both ends of what the answer leaves open. Where the
number of looks $L$ was fixed before, $1 / L$ takes the place of $6 / (\pi k)^2$.
"""
"""How it is computed."""

_TRIED = (
    "Five attacks with 1000 looks at 1000 cases, 200 runs of each: all intervals of a run held in "
    ".990 of the runs or more, where .950 is promised (`referee study looks`)."
)
"""How often it was right."""

LOOKS_CLOPPER_PEARSON = MeasureInterval(
    "looks-clopper-pearson",
    title="the exact interval at the share of the error that one of many adaptive looks may spend",
    formula=_SPENT % "that of Clopper and Pearson",
    measured=_TRIED,
    citations=(works.CLOPPER_PEARSON, works.DWORK),
    target=Target.FIXED,
    at_size=None,
)
LOOKS_BENTKUS = MeasureInterval(
    "looks-bentkus",
    title="the interval of a mean of bounded scores at the share of the error that one of many "
    "adaptive looks may spend",
    formula=_SPENT % "that of [bentkus](bentkus.md)",
    measured=_TRIED,
    citations=(works.BENTKUS, works.DWORK),
    target=Target.FIXED,
    at_size=None,
)
