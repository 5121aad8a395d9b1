"""PairedCounts: how two models did on the same cases, as the 2 x 2 table of paired tests."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.core.arrays import Flags, Rows
from referee.errors import InputError

__all__ = ["PairedCounts"]


@dataclass(frozen=True)
class PairedCounts:
    """Cases counted by which of two models answered them rightly.

    Counts are whole numbers of cases; intervals for dependent cases scale them to the number of
    independent ones, so they may be fractions there.

    Parameters
    ----------
    both_right, first_right, second_right, both_wrong : float
        The cells a, b, c and d of the table; `first_right` counts the cases that only the first
        model got right.

    Examples
    --------
    >>> p = PairedCounts(59, 6, 16, 80)
    >>> p.n, p.discordant, round(p.difference, 4)
    (161, 22, 0.0621)
    >>> p.swapped.difference == -p.difference
    True
    """

    both_right: float
    first_right: float
    second_right: float
    both_wrong: float

    def __post_init__(self) -> None:
        for name in ("both_right", "first_right", "second_right", "both_wrong"):
            value = getattr(self, name)
            if not value >= 0 or value == float("inf"):
                raise InputError(
                    f"{name} must be a count of at least 0", concerning=name, value=str(value)
                )
        if self.n == 0:
            raise InputError("a table of paired counts needs at least one case", value="none")

    @classmethod
    def of(cls, first_wrong: Flags, second_wrong: Flags, times: Rows | None = None) -> PairedCounts:
        """Count the cases from the errors of both models, case by case.

        `times` says how many cases each entry stands for, where alike ones are held once.

        Examples
        --------
        >>> PairedCounts.of(np.array([True, False, True]), np.array([True, False, False]))
        PairedCounts(both_right=1, first_right=0, second_right=1, both_wrong=1)
        """
        first, second = (np.asarray(w, dtype=bool) for w in (first_wrong, second_wrong))
        if first.shape != second.shape:
            raise InputError(
                "both models must be judged on the same cases",
                concerning="second",
                value=f"{first.size} and {second.size}",
            )
        cells = [~first & ~second, ~first & second, first & ~second, first & second]
        counts = [int(np.count_nonzero(c) if times is None else times[c].sum()) for c in cells]
        return cls(*counts)

    @property
    def n(self) -> float:
        """All cases."""
        return self.both_right + self.first_right + self.second_right + self.both_wrong

    @property
    def discordant(self) -> float:
        """The cases that one model got right and the other wrong; only they tell them apart."""
        return self.first_right + self.second_right

    @property
    def errors(self) -> tuple[float, float]:
        """The error of the first and of the second model."""
        wrong = (self.second_right + self.both_wrong, self.first_right + self.both_wrong)
        return wrong[0] / self.n, wrong[1] / self.n

    @property
    def difference(self) -> float:
        """Error of the first model minus error of the second."""
        return (self.second_right - self.first_right) / self.n

    @property
    def swapped(self) -> PairedCounts:
        """The same cases with the models in the other order."""
        return PairedCounts(self.both_right, self.second_right, self.first_right, self.both_wrong)

    def scaled(self, n: float) -> PairedCounts:
        """Return the table shrunk to `n` cases, all shares kept."""
        by = n / self.n
        cells = (self.both_right, self.first_right, self.second_right, self.both_wrong)
        return PairedCounts(*(by * cell for cell in cells))
