"""Losses: what each prediction cost, by case and split. Every risk estimate starts here."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from referee.core.arrays import Codes, Floats, Rows
from referee.core.predictions import Predictions
from referee.core.tally import Tally

__all__ = ["Losses"]


@dataclass(frozen=True, eq=False)
class Losses:
    """The loss of every prediction, with the case and the split it belongs to.

    Attributes
    ----------
    value : array of float
        The loss of each prediction, 0 or 1 for a plain error.
    case, split, repetition : arrays of int
        Where each prediction comes from.
    n_train : array of float
        Training rows (of the kind that is judged) of the split of each prediction.
    groups, weight, moment : arrays or None
        The group, the weight and the place in time of the case of each prediction.
    size : int or None
        How many cases one repetition holds, where repetitions hold different ones (the cases
        answered "positive", say).
    times : array of int or None
        How many cases each row stands for, where cases that are alike are held as one row.
    zero_one : bool
        Whether every loss is 0 or 1, so that their mean is a share; other losses have no bound.

    Examples
    --------
    >>> p = Predictions.of([0, 1, 1, 0], [0, 1, 0, 0])
    >>> losses = Losses.of(p)
    >>> losses.mean, losses.n
    (0.25, 4)
    """

    value: Floats
    case: Rows
    split: Rows
    repetition: Rows
    n_train: Floats
    groups: Codes | None = None
    weight: Floats | None = None
    moment: Codes | None = None
    size: int | None = None
    times: Rows | None = None
    zero_one: bool = True

    @classmethod
    def of_counts(cls, errors: int, cases: int) -> Losses:
        """Return the zero-one losses of so many cases of one model, held as two rows.

        Examples
        --------
        >>> losses = Losses.of_counts(2, 8)
        >>> losses.mean, losses.n, losses.per_case.tolist()
        (0.25, 8, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0])
        """
        nothing = np.zeros(2, dtype=np.intp)
        return cls(
            value=np.array([0.0, 1.0]),
            case=np.arange(2),
            split=nothing,
            repetition=nothing,
            n_train=np.zeros(2),
            times=np.array([cases - errors, errors]),
        )

    @classmethod
    def of(
        cls, predictions: Predictions, value: Floats | None = None, *, zero_one: bool = True
    ) -> Losses:
        """Read the losses off a table; the zero-one loss unless `value` gives another."""
        p = predictions
        return cls(
            value=p.wrong if value is None else value,
            case=p.case,
            split=p.split,
            repetition=p.repetition[p.split],
            n_train=p.n_train[p.split].astype(float),
            groups=None if p.groups is None else p.groups[p.case],
            weight=None if p.weight is None else p.weight[p.case],
            moment=None if p.moment is None else p.moment[p.case],
            times=p.times if isinstance(p, Tally) else None,
            zero_one=zero_one,
        )

    @cached_property
    def n(self) -> int:
        """The number of distinct cases, or `size` where that is said."""
        if self.size is not None:
            return self.size
        if self.times is not None:
            return int(self.times.sum())
        return int(np.count_nonzero(np.bincount(self.case)))

    @cached_property
    def mean(self) -> float:
        """The pooled mean: every prediction counts, folds weigh by their size."""
        weight = self.weight if self.times is None else self.times
        return float(np.average(self.value, weights=weight))

    @property
    def greatest(self) -> float:
        """The largest loss there can be."""
        return 1.0 if self.zero_one else math.inf

    @cached_property
    def repetitions(self) -> int:
        """How often the whole of the data was gone through."""
        return int(np.count_nonzero(np.bincount(self.repetition)))

    @cached_property
    def per_case(self) -> Floats:
        """Each case's mean loss over its predictions, in the order of the case numbers."""
        if self.times is not None:
            return np.repeat(self.value, self.times)
        return _means(self.value, self.case)

    @cached_property
    def case_weight(self) -> Floats | None:
        """The weight of each case, aligned with `per_case`."""
        return None if self.weight is None else _means(self.weight, self.case)

    @cached_property
    def case_group(self) -> Codes | None:
        """The group of each case, aligned with `per_case`."""
        return None if self.groups is None else _means(self.groups, self.case).astype(np.intp)

    @cached_property
    def case_moment(self) -> Codes | None:
        """The place in time of each case, aligned with `per_case`."""
        return None if self.moment is None else _means(self.moment, self.case).astype(np.intp)

    @cached_property
    def per_split(self) -> Floats:
        """The (weighted) mean loss of each split (fold), in order; nan where nothing weighs."""
        if self.weight is None:
            return _means(self.value, self.split)
        sums, weights = (_means(v, self.split) for v in (self.value * self.weight, self.weight))
        nothing = np.full(len(weights), np.nan)
        return np.asarray(np.divide(sums, weights, out=nothing, where=weights > 0))

    @cached_property
    def split_sizes(self) -> Rows:
        """How many cases each split tested, aligned with `per_split`."""
        times = np.bincount(self.split)
        return times[times > 0]

    @cached_property
    def split_weights(self) -> Floats:
        """How much the cases of each split weigh together, aligned with `per_split`."""
        if self.weight is None:
            return self.split_sizes.astype(float)
        return np.asarray(_means(self.weight, self.split) * self.split_sizes)


def _means(values: Floats | Codes, by: Rows) -> Floats:
    """Return the mean of the values of each number that occurs, in the order of the numbers."""
    times = np.bincount(by)
    occurring = times > 0
    return np.asarray(np.bincount(by, weights=values)[occurring] / times[occurring])
