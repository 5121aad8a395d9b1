"""Leave-one-out: as many folds as cases, or as groups."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.core.dataset import Dataset
from referee.core.plan import Plan, Split
from referee.core.randomness import Seed
from referee.errors import PlanError, arg
from referee.resampling.scheme import NamedScheme, make_plan

__all__ = ["LOO", "LeaveOneOut"]

_MOST = 10_000
"""Beyond this the row sets alone would fill a gigabyte."""


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
                "leave-one-out would train on the future of the case it tests; use "
                f"{arg('by', 'cv')}"
            )
        units = np.arange(data.n) if data.groups is None else data.groups
        fits = int(units.max()) + 1
        if fits * data.n > _MOST**2:
            raise PlanError(
                f"leave-one-out of {data.n} cases means {fits} fits (the most is "
                f"{_MOST**2 // data.n}); use {arg('by', 'cv')}, which differs little at this size"
            )
        rows = np.arange(data.n)
        splits = [Split(rows[units != u], rows[units == u]) for u in np.unique(units)]
        unit = "case" if data.groups is None else "group"
        return make_plan(data, splits, "loo", f"leave-one-{unit}-out, {len(splits)} fits")


LOO = NamedScheme(
    "loo",
    title="leave-one-out",
    make=LeaveOneOut,
)
