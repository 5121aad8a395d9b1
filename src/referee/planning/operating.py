"""The operating characteristic: how likely a model passes an acceptance test, by its true error.

References
----------
Dodge and Romig (1929), A method of sampling inspection, Bell System Technical Journal 8.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from referee.core.arrays import Floats
from referee.core.showing.pictures import Curve, Curves
from referee.errors import InputError
from referee.planning.acceptance import AcceptancePlan, AcceptanceStep, acceptance_rows
from referee.planning.sequential_acceptance import SequentialPlan

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["OperatingCharacteristic", "fixed_rows", "operating_characteristic"]

_POINTS = 61
_MOST_FAILURES = 10_000


@dataclass(frozen=True, kw_only=True, eq=False)
class OperatingCharacteristic:
    """Probabilities to pass over true errors, for plans that could be chosen.

    Attributes
    ----------
    max_error : float
        The largest tolerable error.
    true_errors : array of float
    passes : dict of str to array of float
        For each plan, by what it is called.

    Examples
    --------
    >>> from referee.planning import acceptance_plan
    >>> curve = operating_characteristic(acceptance_plan(0.01))
    >>> [round(float(p[0]), 3) for p in curve.passes.values()]
    [1.0, 1.0, 1.0, 1.0, 1.0, 1.0]
    """

    max_error: float
    true_errors: Floats
    passes: dict[str, Floats]

    def frame(self) -> pd.DataFrame:
        """Return one row a true error, one column a plan."""
        import pandas as pd

        return pd.DataFrame({"true_error": self.true_errors, **self.passes})

    @property
    def picture(self) -> Curves:
        """The curves, and the largest tolerable error."""
        x = tuple(float(100 * e) for e in self.true_errors)
        curves = [
            Curve(name, x, tuple(float(p) for p in passes), kind="line")
            for name, passes in self.passes.items()
        ]
        limit = 100 * self.max_error
        curves.append(Curve("limit", (limit, limit), (0.0, 1.0), muted=True, kind="line"))
        caption = "how likely a model passes, by its true error: the steeper, the better"
        return Curves(tuple(curves), caption, "true error in %", y_label="probability to pass")


def operating_characteristic(
    plan: AcceptancePlan, sequential: SequentialPlan | None = None, *, points: int = _POINTS
) -> OperatingCharacteristic:
    """Return how likely a model passes each plan, from no error to twice the tolerable one.

    Parameters
    ----------
    plan : AcceptancePlan
        Plans with a fixed number of cases.
    sequential : SequentialPlan or None
        One that stops as soon as it is clear.
    points : int
        How many true errors, at equal distances.
    """
    if points < 2:
        raise InputError("must be at least 2", argument="points", value=str(points))
    errors = np.linspace(0.0, min(1.0, 2 * plan.max_error), points)
    passes = {_name(s): np.array([s.passes(float(e)) for e in errors]) for s in plan.steps}
    if sequential is not None:
        outcomes = [sequential.outcome(float(e)) for e in errors]
        passes["sequential"] = np.array([o.passes for o in outcomes])
    return OperatingCharacteristic(max_error=plan.max_error, true_errors=errors, passes=passes)


def _name(step: AcceptanceStep) -> str:
    return f"{step.failures} of {step.rows}"


def fixed_rows(
    max_error: float, true_error: float, *, confidence: float = 0.95, power: float = 0.95
) -> int | None:
    """Return the cases of the smallest fixed plan that a model of this error passes so surely.

    None where there is none: a model at the limit passes no plan more often than 1 - confidence.

    Examples
    --------
    >>> fixed_rows(0.01, 0.001), fixed_rows(0.01, 0.005), fixed_rows(0.01, 0.01)
    (628, 3137, None)
    """
    if true_error >= max_error:
        return None

    def passes(failures: int) -> bool:
        rows = acceptance_rows(max_error, confidence, failures)
        return AcceptanceStep(failures, rows).passes(true_error) >= power

    low, high = -1, 1
    while not passes(high):
        low, high = high, 2 * high
        if high > _MOST_FAILURES:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if passes(middle) else (middle, high)
    return acceptance_rows(max_error, confidence, high)
