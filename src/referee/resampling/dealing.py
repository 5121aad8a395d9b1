"""Dealing cases to folds: the fold of every case, for a million cases in milliseconds.

The folds are those of scikit-learn's KFold and StratifiedKFold with the same seed, to the case;
those make index arrays for every fold, which is most of their time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.core.arrays import Codes, Rows
from referee.core.randomness import Seed

__all__ = ["Strata", "dealt"]


def dealt(n: int, folds: int, seed: Seed) -> Codes:
    """Return the fold of each of n shuffled cases, the first folds one case larger.

    Examples
    --------
    >>> np.bincount(dealt(11, 3, seed=0)).tolist()
    [4, 4, 3]
    """
    order = np.arange(n)
    np.random.RandomState(seed).shuffle(order)
    fold = np.empty(n, dtype=_short(folds))
    fold[order] = np.repeat(np.arange(folds), _shares(np.array([0]), np.array([n]), folds)[:, 0])
    return fold


@dataclass(frozen=True, eq=False)
class Strata:
    """The rows of each class, classes in the order of their first cases.

    Examples
    --------
    >>> folds = Strata.of(np.array([0] * 6 + [1] * 4)).dealt(2, seed=0)
    >>> np.bincount(folds[:6]).tolist(), np.bincount(folds[6:]).tolist()
    ([3, 3], [2, 2])
    """

    rows: tuple[Rows, ...]

    @classmethod
    def of(cls, codes: Codes) -> Strata:
        """Return the strata of a class code per case."""
        present, first = np.unique(codes, return_index=True)
        return cls(tuple(np.flatnonzero(codes == c) for c in present[np.argsort(first)]))

    def dealt(self, folds: int, seed: Seed) -> Codes:
        """Return the fold of each case, every class spread evenly and shuffled by itself.

        Classes are dealt one after the other, so that the folds' sizes differ by at most one, too.
        """
        ends = np.cumsum([len(rows) for rows in self.rows])
        shares = _shares(np.append(0, ends[:-1]), ends, folds)
        generator = np.random.RandomState(seed)
        fold = np.empty(ends[-1], dtype=_short(folds))
        for k, rows in enumerate(self.rows):
            of_class = np.repeat(np.arange(folds, dtype=fold.dtype), shares[:, k])
            generator.shuffle(of_class)
            fold[rows] = of_class
        return fold


def _short(folds: int) -> np.dtype[Any]:
    return np.min_scalar_type(-max(folds, 2))  # signed, as splits hold them


def _shares(starts: Codes, ends: Codes, folds: int) -> Codes:
    """Return how many of the places from start to end each fold has, dealt to in turn."""
    fold = np.arange(folds)[:, None]
    return np.asarray(-((fold - ends) // folds) + ((fold - starts) // folds), dtype=np.intp)
