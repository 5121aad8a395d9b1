"""Holdout: set a share of the rows aside, train on the rest, test once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

import numpy as np

from referee.core.arrays import Rows
from referee.core.dataset import Dataset
from referee.core.plan import Plan, Split
from referee.core.randomness import Seed, child
from referee.errors import InputError, PlanError, arg
from referee.resampling.scheme import NamedScheme, make_plan, refuse_many_fits, without_groups_of

__all__ = ["HOLDOUT", "REPEATED_HOLDOUT", "Holdout", "share_by_size"]

_SMALL, _LARGE = 500, 20_000


def share_by_size(n: int) -> float:
    """Return the share to test on, by size: half of small data, a tenth of large.

    Examples
    --------
    >>> [share_by_size(n) for n in (100, 1000, 100_000)]
    [0.5, 0.2, 0.1]
    """
    if n < _SMALL:
        return 0.5
    return 0.2 if n < _LARGE else 0.1


@dataclass(frozen=True)
class Holdout:
    """One random split into training and test rows, or several.

    Parameters
    ----------
    test_share : float or None
        The share to test on; None chooses by the number of rows (`share_by_size`).
    repetitions : int
        How many independent splits.
    stratify : bool or "best effort"
        Keep the class shares in both parts. True insists on every class in both; "best effort"
        lets classes of one case fall where they may. Data with groups keep groups whole instead;
        data with times train on the past and test on the latest rows.

    Examples
    --------
    >>> data = Dataset.of([[float(i)] for i in range(10)], [0, 1] * 5)
    >>> split = Holdout(0.2).plan(data, seed=0).splits[0]
    >>> len(split.train)
    8
    """

    test_share: float | None = None
    repetitions: int = 1
    stratify: bool | str = True

    def __post_init__(self) -> None:
        share = self.test_share
        if share is not None and not (
            isinstance(share, (int, float, np.floating)) and 0 < share < 1
        ):
            raise InputError(
                "must lie strictly between 0 and 1", argument="test_share", value=repr(share)
            )
        if not isinstance(self.repetitions, (int, np.integer)) or self.repetitions < 1:
            raise InputError(
                "must be a whole number of at least 1",
                argument="repetitions",
                value=repr(self.repetitions),
            )

    def plan(self, data: Dataset, seed: Seed = 0) -> Plan:
        """Return the plan: one split per repetition."""
        share = self.test_share or share_by_size(data.n)
        self._check(data, share)
        refuse_many_fits(data, self.repetitions)
        splits = [
            Split(*self._pair(data, share, child(seed, r)), repetition=r)
            for r in range(self.repetitions)
        ]
        first = splits[0]
        many = f", {self.repetitions} times" if self.repetitions > 1 else ""
        text = (
            f"holdout{many}: trained on {len(first.train)} rows, tested on {len(first.test)} "
            f"others ({self._kind(data)})"
        )
        name = "holdout" if self.repetitions == 1 else "repeated-holdout"
        return make_plan(data, splits, name, text)

    def _kind(self, data: Dataset) -> str:
        if data.time is not None:
            return "the latest"
        if data.groups is not None:
            return "whole groups"
        return "stratified" if self.stratify and data.classes else "at random"

    def _pair(self, data: Dataset, share: float, seed: Seed) -> tuple[Rows, Rows]:
        if data.time is not None:
            return _latest(data, share)
        from sklearn.model_selection import GroupShuffleSplit, ShuffleSplit, StratifiedShuffleSplit

        options = {"n_splits": 1, "test_size": share, "random_state": seed}
        if data.groups is not None:
            splitter = GroupShuffleSplit(**options)
        elif self.stratify:
            splitter = StratifiedShuffleSplit(**options)
        else:
            splitter = ShuffleSplit(**options)
        strata = data.codes
        if self.stratify == "best effort":
            single = data.class_counts[strata] < 2
            strata = np.where(single, int(np.argmax(data.class_counts)), strata)
        train, test = next(splitter.split(np.zeros(data.n), strata, data.groups))
        return np.sort(train), np.sort(test)

    def _check(self, data: Dataset, share: float) -> None:
        n_test = math.ceil(share * data.n)
        k = data.strata
        if data.time is not None and self.repetitions > 1:
            raise PlanError(
                "a holdout in time has one split only; it cannot be repeated",
                concerning="repetitions",
            )
        if n_test >= data.n:
            raise PlanError(
                f"{share:g} of {data.n} rows leaves nothing to train on",
                argument="test_share",
                remedy="make it smaller",
            )
        if data.groups is not None and data.time is None:
            n_groups = int(data.groups.max()) + 1
            if math.ceil(share * n_groups) >= n_groups:
                raise PlanError(
                    f"{share:g} of {n_groups} groups leaves no group to train on",
                    argument="test_share",
                    remedy="make it smaller",
                )
        if self.stratify is True and data.groups is None and data.time is None:
            rare = int(np.argmin(data.class_counts))
            if data.class_counts[rare] < 2 or min(n_test, data.n - n_test) < k:
                raise PlanError(
                    f"a stratified holdout needs every class in both parts; {data.stratum(rare)} "
                    f"has {data.class_counts[rare]} of {data.n} rows and {n_test} are tested",
                    concerning="stratify",
                    remedy=f"merge or drop rare classes, or use {arg('stratify', False)}",
                )


def _latest(data: Dataset, share: float) -> tuple[Rows, Rows]:
    assert data.time is not None
    order = np.argsort(data.time, kind="stable")
    at = data.n - math.ceil(share * data.n)
    # Rows of one moment stay together, on the test side.
    while at > 0 and data.time[order[at - 1]] == data.time[order[at]]:
        at -= 1
    if at == 0:
        raise PlanError(
            "time does not order the rows: no earlier rows are left to train on", concerning="time"
        )
    train, test = np.sort(order[:at]), np.sort(order[at:])
    return without_groups_of(test, train, data), test


HOLDOUT = NamedScheme(
    "holdout",
    title="one holdout",
    make=Holdout,
)
REPEATED_HOLDOUT = NamedScheme(
    "repeated-holdout",
    title="repeated holdout",
    make=partial(Holdout, 0.1, 25),
)
