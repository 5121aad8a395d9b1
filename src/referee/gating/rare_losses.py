"""Losses that are rare and large, and that a few cases need not have shown yet.

A t test knows the spread of what it saw. Where a candidate loses next to nothing on most cases and
much on a few, and none of those was drawn, it is sure, and wrong: of candidates worse by exactly
the margin it passed 82 of 100 at 5 items and 37 at 30. So the claim of a gate must also hold with
one and a half cases of the largest possible loss added. Without any loss seen that asks for n above
about 3.5 times (largest loss / margin), where the exact bound of a rate asks for 3.0; over grids of
laws on three points, from 2 to 120 cases, candidates at the margin then pass at most 4.2 % of the
time by enumeration (`tests/gating/test_rare_losses.py`). It is a measured promise, no proof.

Where losses have no bound, or cases come in groups, the largest one seen takes its place: no number
of cases rules out what may be of any size.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import scipy

from referee.core.arrays import Anything, Floats
from referee.gating.question import GateQuestion

__all__ = ["ADDED", "FEWEST", "CaseLosses", "too_few"]

ADDED = 1.5
"""How many cases of the worst kind are added."""

FEWEST = 30
"""Fewest cases of a decision on what has no largest loss, or is no mean of losses."""

FEWEST_OF_A_CLASS = 10
"""Fewest cases of each class, for measures that are no mean of losses."""


@dataclass(frozen=True, kw_only=True, eq=False)
class CaseLosses:
    """What the candidate loses more than the baseline, case by case.

    Attributes
    ----------
    values : array of float
        The loss of the candidate minus that of the baseline.
    bound : float
        The largest that can be, by definition; infinite where there is none.
    groups : array or None
        Which cases belong together.
    """

    values: Floats
    bound: float = math.inf
    groups: Anything | None = None

    @property
    def units(self) -> Floats:
        """One value for each independent unit; their mean is that of the cases."""
        if self.groups is None:
            return self.values
        _, group = np.unique(np.asarray(self.groups).astype(str), return_inverse=True)
        sums = np.bincount(group, weights=self.values)
        return np.asarray(sums * len(sums) / len(self.values))

    @property
    def worst(self) -> float:
        """The size of the loss that is added."""
        if self.groups is None and math.isfinite(self.bound):
            return self.bound
        return float(np.abs(self.units).max())

    def p_below(self, margin: float) -> float:
        """Return the p-value of a mean below the margin, the worst cases added.

        Examples
        --------
        The same losses on all cases say little, as long as they are few:

        >>> few = CaseLosses(values=np.zeros(100), bound=1.0)
        >>> many = CaseLosses(values=np.zeros(400), bound=1.0)
        >>> round(few.p_below(0.02), 3), round(many.p_below(0.02), 5)
        (0.333, 0.0)
        """
        values, worst = self.units, self.worst
        n = len(values) + ADDED
        mean = (values.sum() + ADDED * worst) / n
        squares = ((values - mean) ** 2).sum() + ADDED * (worst - mean) ** 2
        if squares == 0:
            return 0.0 if mean < margin else 1.0
        error = math.sqrt(squares / (n - 1) / n)
        return float(scipy.stats.t.sf((margin - mean) / error, n - 1))

    def p_above(self, margin: float) -> float:
        """Return the p-value of a mean above the margin, the best cases added."""
        mirrored = CaseLosses(values=-self.values, bound=self.bound, groups=self.groups)
        return mirrored.p_below(-margin)

    def p_shown(self, question: GateQuestion) -> float:
        """Return the p-value of the claim."""
        margin = question.rope
        if question.claim == "equivalent":
            return max(self.p_below(margin), self.p_above(-margin))
        return self.p_below(margin)

    def p_opposite(self, question: GateQuestion) -> float:
        """Return the p-value of the opposite: that the candidate is worse, or that both differ."""
        if question.claim == "equivalent":
            return min(1.0, 2 * min(self.p_below(0.0), self.p_above(0.0)))
        return self.p_above(0.0)


def too_few(n: int, losses: CaseLosses | None, classes: Mapping[str, int]) -> str:
    """Return why so few cases carry no decision, where they do not; empty otherwise.

    `classes` counts cases by their right answer; it is empty for scores and quantities.

    Examples
    --------
    >>> too_few(12, None, {})
    '12 cases are too few where no exact test is known; it takes 30'
    >>> too_few(100, None, {"ill": 4, "well": 96})
    "4 cases of class 'ill' are too few where no exact test is known; it takes 10"
    """
    why = "too few where no exact test is known; it takes"
    if losses is not None and math.isfinite(losses.bound):
        return ""
    if n < FEWEST:
        return f"{n} {'case is' if n == 1 else 'cases are'} {why} {FEWEST}"
    if losses is None and classes:
        label, least = min(classes.items(), key=lambda entry: entry[1])
        if least < FEWEST_OF_A_CLASS:
            cases, are = ("case", "is") if least == 1 else ("cases", "are")
            return f"{least} {cases} of class {label!r} {are} {why} {FEWEST_OF_A_CLASS}"
    return ""
