"""Repeated holdout with the same inside halves, the plan of the conservative z."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from referee.core.arrays import Flags, Rows
from referee.core.dataset import Dataset
from referee.core.plan import Part, Plan, Split
from referee.core.randomness import Seed, child
from referee.errors import InputError, PlanError, arg, named
from referee.resampling.scheme import NamedScheme, make_plan, refuse_many_fits

__all__ = ["CONSERVATIVE_Z", "HalvedHoldout"]

REDRAWS = 1000
_LEAST = 4
"""Two of each class in either half, one of them to be trained on."""


@dataclass(frozen=True)
class HalvedHoldout:
    """Repeated holdout on all rows, and inside either half of random halvings.

    Parameters
    ----------
    test_share : float
        The share of all rows that a split tests. As many are tested inside a half, so that only
        the training set is smaller there.
    repetitions : int
        J, how many splits an estimate averages.
    halvings : int
        M, how often the rows are halved.

    Notes
    -----
    Nadeau and Bengio take a tenth, J = 15 and M = 10: 315 fits. J = 5 gives 105. Splits are
    random, not class by class, and drawn again where a training set would lack a class, or a half
    hold fewer than 2 cases (or groups) of one. Groups stay whole; of an odd number of cases (or
    groups) one is left out of the halves. Splits inside halves have ``Part.HALF_HOLDOUTS`` and
    repetition 2 m for one half of the m-th halving, 2 m + 1 for the other.

    Examples
    --------
    >>> data = Dataset.of([[float(i)] for i in range(60)], [0, 1] * 30)
    >>> plan = HalvedHoldout().plan(data, seed=0)
    >>> plan.description, plan.fits
    ('holdout of 6 cases, 15 times, and the same in both halves of 10 halvings', 316)
    """

    test_share: float = 0.1
    repetitions: int = 15
    halvings: int = 10

    def __post_init__(self) -> None:
        share = self.test_share
        if not (isinstance(share, (int, float, np.floating)) and 0 < share < 0.5):
            raise InputError(
                "must lie strictly between 0 and 0.5, so that halves can test as many",
                argument="test_share",
                value=repr(share),
            )
        for name in ("repetitions", "halvings"):
            value = getattr(self, name)
            if not isinstance(value, (int, np.integer)) or value < 1:
                raise InputError(
                    f"{name} must be a whole number of at least 1",
                    concerning=name,
                    value=repr(value),
                )

    def plan(self, data: Dataset, seed: Seed = 0) -> Plan:
        """Return the plan: splits of all rows, of the halves, and one fit on all rows."""
        units = _Units.of(data)
        n_test = max(1, round(self.test_share * units.count))
        self._check(data, units, n_test)
        refuse_many_fits(data, self.repetitions * (1 + 2 * self.halvings))
        everyone = np.arange(units.count)
        splits = [
            Split(*units.rows(train, test), repetition=r)
            for r, (train, test) in enumerate(
                units.splits(everyone, n_test, self.repetitions, child(seed, 0))
            )
        ]
        splits += [
            Split(*units.rows(train, test), repetition=2 * m + j, part=Part.HALF_HOLDOUTS)
            for m in range(self.halvings)
            for j, half in enumerate(units.halves(child(seed, 1_000_000 + m)))
            for train, test in units.splits(
                half, n_test, self.repetitions, child(seed, 2_000_000 + 2 * m + j)
            )
        ]
        text = (
            f"holdout of {n_test} {units.called}, {self.repetitions} times, and the same in both "
            f"halves of {self.halvings} halvings"
        )
        return make_plan(data, splits, "conservative-z", text)

    def _check(self, data: Dataset, units: _Units, n_test: int) -> None:
        if data.time is not None:
            raise PlanError(
                "halves need cases whose order does not matter, and these have times",
                concerning="by",
                remedy=(
                    f"use {arg('by', 'cv')}, which validates forward, or leave out {arg('time')}"
                ),
            )
        counts = units.holds.sum(axis=0)
        rare = int(np.argmin(counts))
        if counts[rare] < _LEAST:
            raise PlanError(
                f"{data.stratum(rare)} has {counts[rare]} {units.called}, and both halves need "
                f"two of each class, {_LEAST} in all",
                remedy=f"merge the class, or use {arg('by', 'auto')}",
            )
        left = units.count // 2 - n_test
        if left < 1:
            raise PlanError(
                f"half of {units.count} {units.called} leaves none to train on when {n_test} are "
                "tested",
                remedy=f"use a smaller {named('test_share')}, or {arg('by', 'auto')}",
            )


@dataclass(frozen=True, eq=False)
class _Units:
    """What is drawn: cases, or groups of them, and the classes each holds."""

    of_row: Rows
    holds: Flags
    called: str

    @classmethod
    def of(cls, data: Dataset) -> _Units:
        of_row = np.arange(data.n) if data.groups is None else data.groups
        holds = np.zeros((int(of_row.max()) + 1, data.strata), dtype=bool)
        holds[of_row, data.codes] = True
        return cls(of_row, holds, "cases" if data.groups is None else "groups")

    @property
    def count(self) -> int:
        return len(self.holds)

    def halves(self, seed: Seed) -> tuple[Rows, Rows]:
        rng = np.random.default_rng(seed)
        size = self.count // 2
        for _ in range(REDRAWS):
            order = rng.permutation(self.count)
            first, second = order[:size], order[size : 2 * size]
            fewest = min(self.holds[half].sum(axis=0).min() for half in (first, second))
            if fewest >= 2:
                return first, second
        raise PlanError(
            f"{REDRAWS} random halvings each left a half with fewer than 2 {self.called} of a "
            "class",
            concerning="by",
            remedy=f"merge rare classes, or use {arg('by', 'auto')}",
        )

    def splits(
        self, among: Rows, n_test: int, many: int, seed: Seed
    ) -> Iterator[tuple[Rows, Rows]]:
        rng = np.random.default_rng(seed)
        for _ in range(many):
            yield self._split(among, n_test, rng)

    def _split(self, among: Rows, n_test: int, rng: np.random.Generator) -> tuple[Rows, Rows]:
        for _ in range(REDRAWS):
            order = rng.permutation(among)
            test, train = order[:n_test], order[n_test:]
            if self.holds[train].any(axis=0).all():
                return train, test
        raise PlanError(
            f"{REDRAWS} random splits that test {n_test} of {len(among)} {self.called} each left "
            "a class out of training",
            concerning="by",
            remedy=f"merge rare classes, or use {arg('by', 'auto')}",
        )

    def rows(self, train: Rows, test: Rows) -> tuple[Rows, Rows]:
        """Return the rows of the units."""
        return (
            np.flatnonzero(np.isin(self.of_row, train)),
            np.flatnonzero(np.isin(self.of_row, test)),
        )


CONSERVATIVE_Z = NamedScheme(
    "conservative-z",
    title="repeated holdout, and the same inside halves",
    make=HalvedHoldout,
)
