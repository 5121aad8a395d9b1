"""Losses: what each prediction cost, by case and split. Every risk estimate starts here."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from referee.core.arrays import Codes, Floats, Rows
from referee.core.predictions import Predictions

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
    groups, weight : arrays or None
        The group and the weight of the case of each prediction.
    size : int or None
        How many cases one repetition holds, where repetitions hold different ones (the cases
        answered "positive", say).

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
    size: int | None = None

    @classmethod
    def of(cls, predictions: Predictions, value: Floats | None = None) -> Losses:
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
        )

    @cached_property
    def n(self) -> int:
        """The number of distinct cases, or `size` where that is said."""
        return int(np.count_nonzero(np.bincount(self.case))) if self.size is None else self.size

    @property
    def mean(self) -> float:
        """The pooled mean: every prediction counts, folds weigh by their size."""
        return float(np.average(self.value, weights=self.weight))

    @property
    def repetitions(self) -> int:
        """How often the whole of the data was gone through."""
        return len(np.unique(self.repetition))

    @cached_property
    def per_case(self) -> Floats:
        """Each case's mean loss over its predictions, in the order of the case numbers."""
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
        return np.unique(self.split, return_counts=True)[1]

    @cached_property
    def split_weights(self) -> Floats:
        """How much the cases of each split weigh together, aligned with `per_split`."""
        if self.weight is None:
            return self.split_sizes.astype(float)
        return np.asarray(_means(self.weight, self.split) * self.split_sizes)


def _means(values: Floats | Codes, by: Rows) -> Floats:
    _, position = np.unique(by, return_inverse=True)
    return np.asarray(np.bincount(position, weights=values) / np.bincount(position))
