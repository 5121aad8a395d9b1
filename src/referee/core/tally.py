"""Tally: predictions of labels held as counts, for more cases than memory holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from referee.core.arrays import Codes, Label, Rows
from referee.core.plan import Part
from referee.core.predictions import Predictions

if TYPE_CHECKING:
    from referee.core.situation import Situation

__all__ = ["Tally"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Tally(Predictions):
    """Predictions of one model of which alike cases are held as one row.

    Rows stand in the order in which their kinds first came up, so that whatever is resampled is
    resampled as from the cases themselves.

    Attributes
    ----------
    times : array of int
        How many cases each row stands for.

    Examples
    --------
    >>> tally = Tally.of_kinds(("a", "b"), [0, 1, 1], [0, 1, 0], [40, 35, 5])
    >>> tally.n, tally.cell_counts.tolist()
    (80, [[40, 0], [5, 35]])
    """

    times: Rows

    @classmethod
    def of_kinds(
        cls,
        classes: Sequence[Label],
        truth: Codes | Sequence[int],
        predicted: Codes | Sequence[int],
        times: Rows | Sequence[int],
    ) -> Tally:
        """Return the tally of kinds of cases: right answer, prediction and how many there are."""
        kinds = len(times)
        return cls(
            classes=tuple(classes),
            truth=np.asarray(truth, dtype=np.intp),
            case=np.arange(kinds),
            split=np.zeros(kinds, dtype=np.intp),
            seen=np.zeros(kinds, dtype=np.intp),
            predicted=np.asarray(predicted, dtype=np.intp),
            part=(Part.MAIN,),
            repetition=np.zeros(1, dtype=np.intp),
            n_train=np.zeros(1, dtype=np.intp),
            times=np.asarray(times, dtype=np.intp),
        )

    @property
    def n(self) -> int:
        """The number of cases, each counted."""
        return int(self.times.sum())

    @property
    def spelled_out(self) -> Predictions:
        """The table with a row for every case, which takes memory."""
        n = self.n
        return Predictions(
            classes=self.classes,
            truth=np.repeat(self.truth, self.times),
            case=np.arange(n),
            split=np.broadcast_to(np.intp(0), n),
            seen=np.broadcast_to(np.intp(0), n),
            predicted=np.repeat(self.predicted, self.times),
            part=self.part,
            repetition=self.repetition,
            n_train=self.n_train,
        )

    @cached_property
    def in_order(self) -> bool:
        """Every kind has one row, in order."""
        return True

    @cached_property
    def cell_counts(self) -> Rows:
        """How many cases have each right answer (rows of the matrix) and prediction (columns)."""
        counts = np.zeros((len(self.classes), len(self.classes)), dtype=np.intp)
        np.add.at(counts, (self.truth, self.predicted), self.times)
        return counts

    @cached_property
    def situation(self) -> Situation:
        """What a statistical method must know of this table."""
        from referee.core.situation import Situation

        return replace(Situation.of_table(self), n=self.n, smallest_test=self.n)
