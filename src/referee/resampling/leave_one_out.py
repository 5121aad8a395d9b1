"""Leave-one-out: as many folds as cases, or as groups."""

from __future__ import annotations

from dataclasses import dataclass

from referee.core.dataset import Dataset
from referee.core.fold_split import LeftOut, fold_splits
from referee.core.plan import Plan, Split
from referee.core.randomness import Seed
from referee.errors import PlanError, arg
from referee.resampling.scheme import NamedScheme, make_plan

__all__ = ["LOO", "LeaveOneOut"]


@dataclass(frozen=True)
class LeaveOneOut:
    """Test each case by a model trained on all others; with groups, each group.

    Examples
    --------
    >>> data = Dataset.of([[0.0], [1.0], [2.0]], ["a", "b", "a"])
    >>> LeaveOneOut().plan(data).fits
    4
    """

    def plan(self, data: Dataset, seed: Seed = 0) -> Plan:
        """Return the plan: one split per case or group, and one fit on all rows."""
        if data.time is not None:
            raise PlanError(
                "leave-one-out would train on the future of the case it tests",
                concerning="by",
                remedy=f"use {arg('by', 'cv')}",
            )
        splits: list[Split]
        if data.groups is None:
            splits = [LeftOut(data.n, case) for case in range(data.n)]
        else:
            splits = list(fold_splits(data.groups))
        unit = "case" if data.groups is None else "group"
        return make_plan(data, splits, "loo", f"leave-one-{unit}-out, {len(splits)} fits")


LOO = NamedScheme(
    "loo",
    title="leave-one-out",
    make=LeaveOneOut,
)
