"""A Plan fixes who trains and who tests in every split, before any model is fitted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import chain, groupby
from typing import Any

import numpy as np

from referee.core.arrays import Rows
from referee.core.dataset import Dataset
from referee.core.fingerprint import fingerprint
from referee.errors import PlanError

__all__ = ["Part", "Plan", "Split"]


class Part(StrEnum):
    """What a split is there for."""

    MAIN = "main"
    """The splits the estimate is read from."""

    HALVES = "halves"
    """Twofold splits that show how much the learner gains from more data."""

    HALVINGS = "halvings"
    """Cross-validations inside random halves, which show how much a difference varies."""

    NESTED = "nested"
    """Fits without two folds, tested on both: the inner loops of nested cross-validation."""

    HALF_HOLDOUTS = "half holdouts"
    """Repeated holdouts inside random halves, which show how much such an estimate varies."""

    RESUBSTITUTION = "resubstitution"
    """One fit on all rows, tested on all rows: the training error, hence the optimism."""


@dataclass(frozen=True, eq=False)
class Split:
    """Rows to train on (with repeats in a bootstrap) and rows to predict.

    Rows that are predicted and were trained on are told apart by `Predictions.seen`.
    """

    train: Rows
    test: Rows
    repetition: int = 0
    part: Part = Part.MAIN

    @property
    def n_train(self) -> int:
        """How many rows are trained on, repeats counted."""
        return len(self.train)

    @property
    def n_test(self) -> int:
        """How many rows are predicted."""
        return len(self.test)

    @property
    def unseen(self) -> Rows:
        """The test rows that are not trained on, in their order."""
        return self.test[~np.isin(self.test, self.train)]

    def times_seen(self, n: int) -> Rows:
        """Return how often each test row is trained on, in a plan of n cases."""
        return np.bincount(self.train, minlength=n)[self.test]

    def trains_on_the_rest(self, n: int) -> bool:
        """Tell whether the training rows are all that are not tested, in order."""
        if len(self.train) + len(self.test) != n:
            return False
        rest = np.ones(n, dtype=bool)
        rest[self.test] = False
        return np.array_equal(self.train, np.flatnonzero(rest))

    def testing(self, rows: Rows) -> Split:
        """Return the split with the same training rows and other test rows."""
        return Split(self.train, rows, self.repetition, self.part)

    def in_repetition(self, number: int) -> Split:
        """Return the same split as one of another repetition."""
        again = copy(self)
        vars(again)["repetition"] = number
        return again

    @classmethod
    def all_tested(cls, splits: Sequence[Any]) -> Rows:
        """Return the test rows of splits of this class, one split after the other."""
        return np.concatenate([s.test for s in splits])

    @classmethod
    def all_seen(cls, splits: Sequence[Any], n: int) -> Rows:
        """Return how often each of those rows is trained on in its split."""
        return np.concatenate([s.times_seen(n) for s in splits])

    @classmethod
    def fingerprinted(cls, splits: Sequence[Any], n: int) -> Iterator[Any]:
        """Yield what a fingerprint counts of splits of this class."""
        for split in splits:
            rest = split.trains_on_the_rest(n)
            yield "the rest" if rest else split.train
            yield from (split.test, split.repetition, split.part.value)

    def check(self, number: int, n: int) -> None:
        """Refuse rows that a plan of n cases does not have, or that are tested twice."""
        for name, rows in (("train", self.train), ("test", self.test)):
            if len(rows) == 0:
                raise PlanError(
                    f"split {number} has no rows to {name} on",
                    concerning="by",
                    remedy="change the sizes",
                )
            if rows.min() < 0 or rows.max() >= n:
                bad = rows.min() if rows.min() < 0 else rows.max()
                raise PlanError(
                    f"split {number} names row {bad}, but rows run from 0 to {n - 1}",
                    concerning="by",
                )
        if np.bincount(self.test).max() > 1:
            raise PlanError(
                f"split {number} tests a row twice",
                concerning="by",
                remedy="name each test row once",
            )


@dataclass(frozen=True, eq=False)
class Plan:
    """Every train and test set of a validation, fixed in advance.

    Parameters
    ----------
    splits : tuple of Split
        In the order they are run.
    n : int
        The number of cases in the data the plan was made for.
    scheme : str
        Catalogue name of the resampling scheme.
    description : str
        The scheme in words, for the report.
    task : str
        Fingerprint of the labels the plan was made for; empty when it suits any.

    Examples
    --------
    >>> split = Split(train=np.array([0, 1]), test=np.array([2]))
    >>> plan = Plan((split,), n=3, scheme="holdout", description="2 train, 1 tests")
    >>> plan.fits, len(plan.fingerprint)
    (1, 16)
    """

    splits: tuple[Split, ...]
    n: int
    scheme: str
    description: str
    task: str = ""

    def __post_init__(self) -> None:
        if not self.splits:
            raise PlanError("a plan needs at least one split", concerning="by", value="none")
        for number, split in enumerate(self.splits):
            split.check(number, self.n)

    @property
    def fits(self) -> int:
        """How many models are trained."""
        return len(self.splits)

    @cached_property
    def forward(self) -> bool:
        """Whether more and more of the first rows train, and rows after them test.

        Examples
        --------
        >>> one, two = (Split(np.arange(k), np.arange(k, k + 2)) for k in (2, 4))
        >>> Plan((one, two), n=6, scheme="cv", description="in time").forward
        True
        """
        main = self.part(Part.MAIN)
        sizes = np.array([s.n_train for s in main])
        if len(main) < 2 or not np.all(np.diff(sizes) > 0):
            return False
        return all(s.train.max() < s.test.min() for s in main)

    @property
    def leaves_one_out(self) -> bool:
        """Whether each case (or group) is tested by a model of all others."""
        return self.scheme == "loo"

    @property
    def with_replacement(self) -> bool:
        """Whether training cases are drawn as often as chance has it."""
        return self.scheme == "bootstrap"

    @property
    def in_folds(self) -> bool:
        """Whether cases are dealt into folds, each of which is tested once in a repetition."""
        return self.scheme in ("cv", "nested-cv")

    @property
    def tests_every_case(self) -> bool:
        """Whether the scheme sees to it that every case is tested."""
        return self.in_folds or self.leaves_one_out or self.with_replacement

    def part(self, part: Part) -> tuple[Split, ...]:
        """Return the splits that serve one purpose."""
        return self._parts.get(part, ())

    @cached_property
    def _parts(self) -> dict[Part, tuple[Split, ...]]:
        parts: dict[Part, list[Split]] = {}
        for split in self.splits:
            parts.setdefault(split.part, []).append(split)
        return {part: tuple(splits) for part, splits in parts.items()}

    def only(self, numbers: Sequence[int]) -> Plan:
        """Return a plan of some of the splits, which were checked when this one was made.

        Examples
        --------
        >>> split = Split(train=np.array([0, 1]), test=np.array([2]))
        >>> Plan((split, split), n=3, scheme="holdout", description="twice").only([1]).fits
        1
        """
        part = object.__new__(Plan)
        splits = tuple(self.splits[i] for i in numbers)
        vars(part).update(splits=splits, n=self.n, scheme=self.scheme, task=self.task)
        vars(part).update(description=self.description)
        return part

    @cached_property
    def fingerprint(self) -> str:
        """Changes when any row of any split changes.

        Test rows count, and training rows where they are not just all others, so that a plan has
        the same fingerprint in whatever form its rows are held.
        """
        parts = (kind.fingerprinted(splits, self.n) for kind, splits in self._alike)
        return fingerprint(chain([self.n], chain.from_iterable(parts)))

    @property
    def _alike(self) -> Iterator[tuple[type[Split], Sequence[Split]]]:
        """The splits in their order, those of one class at a time, which they may serve at once."""
        return ((kind, list(splits)) for kind, splits in groupby(self.splits, type))

    @cached_property
    def tested(self) -> Rows:
        """The test rows of all splits, one split after the other."""
        return np.concatenate([kind.all_tested(splits) for kind, splits in self._alike])

    @cached_property
    def sizes(self) -> Rows:
        """How many rows each split tests."""
        return np.fromiter((s.n_test for s in self.splits), np.intp, self.fits)

    @cached_property
    def train_sizes(self) -> Rows:
        """How many rows each split trains on."""
        return np.fromiter((s.n_train for s in self.splits), np.intp, self.fits)

    @property
    def seen(self) -> Rows:
        """How often each row of `tested` is trained on in its split."""
        return np.concatenate([kind.all_seen(splits, self.n) for kind, splits in self._alike])

    def check_suits(self, data: Dataset) -> None:
        """Refuse data the plan was not made for."""
        if self.n != data.n or (self.task and self.task != data.task):
            raise PlanError(
                f"this plan was made for other data ({self.n} cases, now {data.n})",
                concerning="by",
                remedy="make a new plan for these data",
            )
