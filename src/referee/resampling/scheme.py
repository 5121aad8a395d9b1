"""What every resampling scheme promises: a plan for given data and seed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Protocol, runtime_checkable

import numpy as np

from referee.core.arrays import Rows
from referee.core.dataset import Dataset
from referee.core.machine.limits import MOST_FITS, refuse_memory
from referee.core.method import Method
from referee.core.plan import Part, Plan, Split
from referee.core.randomness import Seed
from referee.errors import PlanError, arg

__all__ = ["NamedScheme", "Scheme", "make_plan", "refuse_many_fits", "whole", "without_groups_of"]


@runtime_checkable
class Scheme(Protocol):
    """A way to decide who trains and who tests."""

    def plan(self, data: Dataset, seed: Seed = 0) -> Plan:
        """Return the plan: a pure function of the scheme, the data and the seed."""


@dataclass(frozen=True, kw_only=True)
class NamedScheme(Method):
    """A scheme by a name that users write as ``by=``.

    Attributes
    ----------
    make : callable
        Returns the scheme with its defaults.

    Examples
    --------
    >>> from referee.resampling import SCHEMES
    >>> SCHEMES["holdout"].title, SCHEMES.named("10x5").make().repetitions
    ('one holdout', 10)
    """

    listed_in: ClassVar[str] = "referee.resampling.catalogue:SCHEMES"

    make: Callable[[], Scheme]


def whole(data: Dataset) -> Split:
    """Return the split that trains and tests on all rows, which gives the training error."""
    rows = np.arange(data.n)
    return Split(train=rows, test=rows, part=Part.RESUBSTITUTION)


def without_groups_of(test: Rows, train: Rows, data: Dataset) -> Rows:
    """Return the training rows whose group is not tested: with times, groups span the splits."""
    if data.groups is None:
        return train
    kept = train[~np.isin(data.groups[train], data.groups[test])]
    if not len(kept):
        raise PlanError(
            "every earlier row belongs to a group that is tested later, so nothing is left to "
            "train on",
            concerning="time",
            remedy=f"leave out {arg('time')} or {arg('groups')}",
        )
    return kept


def refuse_many_fits(data: Dataset, fits: int, *, held: float = 8.0) -> None:
    """Refuse a plan of more models than anybody can wait for, or of more rows than memory holds.

    `held` is how many bytes the plan takes for each row of a split.
    """
    if fits > MOST_FITS:
        raise PlanError(
            f"{fits} models would be trained, and a plan has at most {MOST_FITS}",
            remedy=f"use fewer rounds or repetitions, as {arg('by', '10x10')}",
        )
    refuse_memory(
        held * fits * data.n,
        f"a plan of {fits} splits of {data.n} rows",
        "use fewer splits",
        error=PlanError,
    )


def make_plan(data: Dataset, splits: list[Split], scheme: str, description: str) -> Plan:
    """Return the plan with what it needs to know about the data.

    A plan of one main split predicts its training rows too; a plan of several gets one more fit
    on all rows. Either way the training error is known, and with it the optimism.
    """
    if len(splits) == 1 and splits[0].part is Part.MAIN:
        only = splits[0]
        seen = np.setdiff1d(only.train, only.test) if len(only.test) else only.test
        splits = [Split(only.train, np.concatenate([only.test, seen]))]
    elif not any(s.part is Part.RESUBSTITUTION for s in splits):
        splits = [*splits, whole(data)]
    return Plan(tuple(splits), data.n, scheme, description, data.task)
