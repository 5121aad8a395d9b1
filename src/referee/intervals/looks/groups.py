"""Groups of cases that may err together: what a look shows, judged by the groups.

A share or mean over cases in groups is a weighted mean over groups, each group's own mean with the
group's share of the cases. Groups are independent, and cases inside one need not be. Divided by the
largest weight, what each group adds lies between 0 and 1, so the bound for means of bounded scores
(`bentkus`) holds for their sum, with the number of groups in place of the number of cases. That is
valid however cases of a group hang together, and wide where they do not: what is not known about
the inside of groups has its price.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.core.arrays import Codes
from referee.errors import InputError
from referee.intervals.looks.grid import Cell, Grid
from referee.intervals.looks.guaranteed import LOOKS_BENTKUS, LookInterval, weighed
from referee.intervals.one_set.bentkus import lower_mean

__all__ = ["Groups", "independent_cases"]


def independent_cases(groups: Codes) -> float:
    """Return how many independent cases are worth as much as these, if groups err as a whole.

    The share of wrong cases then varies as much as a share of that many cases: its variance is
    p (1 - p) times the sum of the squares of the groups' shares, and no other way in which cases
    of a group hang together makes it larger.

    Parameters
    ----------
    groups : array of int
        The group of each case.

    Examples
    --------
    >>> independent_cases(np.array([0, 0, 1, 1, 2, 2, 3, 3]))
    4.0
    >>> round(independent_cases(np.array([0, 0, 0, 0, 0, 1, 2, 3])), 2)  # one is large
    2.29
    """
    sizes = np.unique(groups, return_counts=True)[1].astype(float)
    return float(sizes.sum() ** 2 / np.sum(sizes**2))


@dataclass(frozen=True)
class Groups:
    """How the cases of a sealed half come in groups.

    Attributes
    ----------
    number : int
        How many groups there are.
    largest : float
        The share of the cases that the largest group has.

    Examples
    --------
    >>> groups = Groups.of(np.array([0, 0, 1, 1, 2, 2, 3, 3]))
    >>> groups
    Groups(number=4, largest=0.25)
    >>> grid = Grid.of_share(1000, baseline=0.5)
    >>> i = grid.interval(grid.cell(8), 5, 1).interval
    >>> by_groups = Groups(100, 0.01).interval(grid, grid.cell(8), 5, 1).interval
    >>> [round(end, 3) for end in (by_groups.low, i.low, i.high, by_groups.high)]
    [0.133, 0.255, 0.412, 0.581]
    """

    number: int
    largest: float

    def __post_init__(self) -> None:
        if self.number < 1 or not 1 / self.number <= self.largest * (1 + 1e-9) <= 1 + 1e-9:
            raise InputError(
                f"the largest of {self.number} groups cannot have a share of {self.largest:g}",
                concerning="largest",
            )

    @classmethod
    def of(cls, groups: Codes) -> Groups:
        """Count the groups of some cases, given the group of each."""
        sizes = np.unique(groups, return_counts=True)[1]
        return cls(len(sizes), float(sizes.max() / sizes.sum()))

    def interval(
        self,
        grid: Grid,
        cell: Cell,
        look: int,
        releases: int,
        level: float = 0.95,
        *,
        looks: int | None = None,
    ) -> LookInterval:
        """Return the guaranteed interval for what a look showed, as `Grid.interval` does."""
        least, greatest = sorted((grid.best_value, grid.worst_value))
        low, high = grid.ends(cell)
        scale = (greatest - least) * self.number * self.largest

        def ends(half: float) -> tuple[float, float]:
            return (
                least + scale * lower_mean((low - least) / scale, self.number, half),
                greatest - scale * lower_mean((greatest - high) / scale, self.number, half),
            )

        names = LOOKS_BENTKUS.name, "bentkus"
        return weighed(ends, names, level, (look, releases, grid.cells), looks)
