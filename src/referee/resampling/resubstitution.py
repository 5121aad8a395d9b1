"""Resubstitution: train and test on the same rows. A lower bound at best, never a result."""

from __future__ import annotations

from dataclasses import dataclass

from referee.core.dataset import Dataset
from referee.core.plan import Plan
from referee.core.randomness import Seed
from referee.resampling.scheme import NamedScheme, make_plan, whole

__all__ = ["RESUBSTITUTION", "Resubstitution"]


@dataclass(frozen=True)
class Resubstitution:
    """Train on all rows and predict the same rows.

    Examples
    --------
    >>> data = Dataset.of([[0.0], [1.0]], ["a", "b"])
    >>> Resubstitution().plan(data).description
    'trained and tested on the same 2 rows'
    """

    def plan(self, data: Dataset, seed: Seed = 0) -> Plan:
        """Return the plan with its single split."""
        text = f"trained and tested on the same {data.n} rows"
        return make_plan(data, [whole(data)], "resubstitution", text)


RESUBSTITUTION = NamedScheme(
    "resubstitution",
    title="testing on the training rows",
    make=Resubstitution,
    flag="tells (almost) nothing about new cases",
)
