"""Splits that are held in few bytes: the folds of a partition, and one case left out.

A plan of 10 x 10 folds of a million cases would hold 100 million row numbers. The fold of every
case, once a repetition, says the same in a fortieth of the room; row numbers are made when a fit
asks for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from referee.core.arrays import Codes, Rows
from referee.core.fingerprint import Written
from referee.core.plan import Part, Split
from referee.errors import PlanError

__all__ = ["FoldSplit", "LeftOut", "fold_splits"]

_KEPT = 20_000
"""Cases up to which row numbers, once made, are kept: small plans are gone through many times."""


class FoldSplit(Split):
    """One fold of a partition tests, all others train.

    Parameters
    ----------
    folds : array of int
        The fold of every case; shared by all splits of the partition.
    number : int
        The fold that tests.
    repetition, part
        As in `Split`.

    Examples
    --------
    >>> split = FoldSplit(np.array([0, 1, 0, 2], dtype=np.int16), 0)
    >>> split.test.tolist(), split.train.tolist(), split.n_train
    ([0, 2], [1, 3], 2)
    """

    folds: Codes
    number: int

    def __init__(
        self, folds: Codes, number: int, repetition: int = 0, part: Part = Part.MAIN
    ) -> None:
        held = {"folds": folds, "number": number, "repetition": repetition, "part": part}
        vars(self).update(held)

    @property
    def test(self) -> Rows:
        """The rows of the fold, in order."""
        return self._kept("test rows", tests=True)

    @property
    def train(self) -> Rows:
        """The rows of all other folds, in order."""
        return self._kept("train rows", tests=False)

    def _kept(self, name: str, *, tests: bool) -> Rows:
        known: Rows | None = vars(self).get(name)
        if known is not None:
            return known
        of_fold = self.folds == self.number
        rows: Rows = (of_fold if tests else ~of_fold).nonzero()[0]
        if len(self.folds) <= _KEPT:
            vars(self)[name] = rows
        return rows

    @cached_property
    def n_test(self) -> int:
        """How many rows are predicted."""
        return int(np.count_nonzero(self.folds == self.number))

    @property
    def n_train(self) -> int:
        """How many rows are trained on."""
        return len(self.folds) - self.n_test

    @property
    def unseen(self) -> Rows:
        """All test rows: none is trained on."""
        return self.test

    def times_seen(self, n: int) -> Rows:
        """Return zeros."""
        return np.zeros(self.n_test, dtype=np.intp)

    @classmethod
    def all_seen(cls, splits: Sequence[FoldSplit], n: int) -> Rows:
        """Return zeros."""
        return np.zeros(sum(s.n_test for s in splits), dtype=np.intp)

    @classmethod
    def count(cls, splits: Sequence[Any], times: Any) -> None:
        """Write how often each row is trained on, a line for each split."""
        for split, line in zip(splits, times, strict=True):
            line[:] = split.folds != split.number

    def trains_on_the_rest(self, n: int) -> bool:
        """Return True."""
        return True

    def check(self, number: int, n: int) -> None:
        """Refuse a fold that holds nothing, or everything."""
        if len(self.folds) != n:
            raise PlanError(
                f"split {number} speaks of {len(self.folds)} cases, not of {n}", concerning="by"
            )
        for name, size in (("train", self.n_train), ("test", self.n_test)):
            if size == 0:
                raise PlanError(
                    f"split {number} has no rows to {name} on",
                    concerning="by",
                    remedy="change the sizes",
                )


class LeftOut(FoldSplit):
    """One case tests, all others train; held as two numbers.

    Examples
    --------
    >>> split = LeftOut(4, 2)
    >>> split.test.tolist(), split.train.tolist(), split.n_train
    ([2], [0, 1, 3], 3)
    """

    n: int
    case: int

    def __init__(self, n: int, case: int) -> None:
        # A dictionary of numbers alone is nothing the garbage collector has to go through.
        vars(self).update(n=n, case=case)

    @property
    def test(self) -> Rows:
        """The case left out."""
        return np.array([self.case])

    @property
    def train(self) -> Rows:
        """All other cases, in order."""
        rows = np.arange(self.n - 1)
        rows[self.case :] += 1
        return rows

    @classmethod
    def all_tested(cls, splits: Sequence[LeftOut]) -> Rows:
        """Return the cases left out."""
        return np.fromiter((s.case for s in splits), np.intp, len(splits))

    @classmethod
    def all_seen(cls, splits: Sequence[FoldSplit], n: int) -> Rows:
        """Return zeros."""
        return np.zeros(len(splits), dtype=np.intp)

    @classmethod
    def count(cls, splits: Sequence[Any], times: Any) -> None:
        """Write how often each row is trained on, a line for each split."""
        times[:] = 1
        times[np.arange(len(splits)), cls.all_tested(splits)] = 0

    @classmethod
    def fingerprinted(cls, splits: Sequence[LeftOut], n: int) -> Iterator[Any]:
        """Yield what a fingerprint counts of them, written at once: they differ in one number."""
        if any(s.n != n or s.repetition or s.part is not Part.MAIN for s in splits):
            yield from super().fingerprinted(splits, n)
            return
        cases = cls.all_tested(splits).astype("<i8")
        head, tail = b"'the rest'\0<i8(1,)", b"\x000\x00'main'\0"
        lines = np.empty((len(cases), len(head) + 8 + len(tail)), dtype=np.uint8)
        lines[:, : len(head)] = np.frombuffer(head, np.uint8)
        lines[:, len(head) : len(head) + 8] = cases[:, None].view(np.uint8)
        lines[:, len(head) + 8 :] = np.frombuffer(tail, np.uint8)
        yield Written(lines.tobytes())

    @property
    def n_test(self) -> int:
        """One."""
        return 1

    @property
    def n_train(self) -> int:
        """How many rows are trained on."""
        return self.n - 1

    def check(self, number: int, n: int) -> None:
        """Refuse a case that a plan of n cases does not have."""
        if self.n != n or not 0 <= self.case < n or n < 2:
            raise PlanError(f"split {number} leaves out case {self.case} of {n}", concerning="by")


def fold_splits(folds: Codes, repetition: int = 0, part: Part = Part.MAIN) -> Iterator[FoldSplit]:
    """Yield the splits of a partition, from the fold of every case.

    Examples
    --------
    >>> [s.test.tolist() for s in fold_splits(np.array([1, 0, 1, 0]))]
    [[1, 3], [0, 2]]
    """
    sizes = np.bincount(folds)
    short: Codes = np.asarray(folds, dtype=np.min_scalar_type(-max(len(sizes), 2)))
    return (FoldSplit(short, int(k), repetition, part) for k in np.flatnonzero(sizes))
