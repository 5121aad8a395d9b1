"""SampleSize: the answer to "how many cases does it take?", and what it is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.core.results import Finding, Interval, Verdict
from referee.core.showing.reportable import Reportable
from referee.intervals.one_set.proportion import clopper_pearson
from referee.planning.acceptance import AcceptancePlan
from referee.planning.sequential_acceptance import (
    SequentialOutcome,
    SequentialPlan,
)

if TYPE_CHECKING:
    import pandas as pd


__all__ = ["Detectable", "SampleSize", "Scenario", "chance_text", "widths"]


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """What a difference takes if the two models' errors overlap in one way.

    Attributes
    ----------
    name : str
        How the errors overlap, or "different cases for each model".
    discordance : float or None
        Share of cases that exactly one model answers rightly; None for different cases.
    formula : float
        Cases needed by the formula (Connor's, or Fleiss' for each model), not rounded.
    rows : int
        Cases needed: from so many on the exact test keeps the power; for different cases, above 100
        for each model, the formula rounded up.
    power : float or None
        The power with the stated n, where one was stated.
    """

    name: str
    discordance: float | None
    formula: float
    rows: int
    power: float | None = None

    @property
    def paired(self) -> bool:
        """Whether both models are tested on the same cases."""
        return self.discordance is not None


@dataclass(frozen=True)
class Detectable:
    """The smallest difference n cases show, at a share of discordant cases; None for none."""

    discordance: float
    difference: float | None


@dataclass(frozen=True, kw_only=True)
class SampleSize(Reportable):
    """How many cases a claim takes, or what a number of cases can show.

    Attributes
    ----------
    verdict : Verdict
        The answer in one sentence; PASS where the stated n (if any) is enough, else UNDECIDED.
    a, b : float or None
        The accuracies to be told apart.
    error, confidence : float or None
        The error to be shown, and how surely.
    n : int or None
        The cases there are.
    power, level : float
        The wanted power, and the confidence level of tests and intervals.
    scenarios : tuple of Scenario
        For a and b: how the errors may overlap, the best first.
    acceptance : AcceptancePlan or None
        For an error: cases by failures allowed.
    sequential : SequentialPlan or None
        For an error, where it was asked for: a test that stops as soon as it is clear.
    outcomes : tuple of SequentialOutcome
        What that test does with models of some true errors.
    detectable : tuple of Detectable
        For n: the differences it shows.
    widths : tuple of Interval
        For n: the exact intervals around some errors.
    margin : float or None
        How much worse a model may be, where that is to be shown.
    """

    verdict: Verdict
    power: float
    level: float
    a: float | None = None
    b: float | None = None
    error: float | None = None
    confidence: float | None = None
    n: int | None = None
    paired: bool = True
    scenarios: tuple[Scenario, ...] = ()
    acceptance: AcceptancePlan | None = None
    sequential: SequentialPlan | None = None
    outcomes: tuple[SequentialOutcome, ...] = ()
    detectable: tuple[Detectable, ...] = ()
    widths: tuple[Interval, ...] = ()
    expected_errors: tuple[float, ...] = ()
    findings: tuple[Finding, ...] = ()
    margin: float | None = None

    __str__ = Reportable.__str__

    def __repr__(self) -> str:
        return f"<SampleSize: {self.verdict.sentence}>"

    def frame(self) -> pd.DataFrame:
        """Return the main table: scenarios, else the acceptance plan, else what n can show."""
        import pandas as pd

        if self.scenarios:
            return pd.DataFrame([vars(s) for s in self.scenarios])
        if self.acceptance is not None:
            return self.acceptance.frame()
        return pd.DataFrame([vars(d) for d in self.detectable])


def chance_text(p: float) -> str:
    """Write a probability as a percentage that is neither 0 nor 100.

    Examples
    --------
    >>> chance_text(0.2145), chance_text(0.99999), chance_text(0.00001)
    ('21 %', 'over 99 %', 'below 1 %')
    """
    if not 0.01 <= p <= 0.99:
        return "below 1 %" if p < 0.5 else "over 99 %"
    return f"{100 * p:.0f} %"


def widths(n: int, errors: tuple[float, ...], level: float) -> tuple[Interval, ...]:
    """Return the exact interval of each error, were it observed among n cases."""
    return tuple(clopper_pearson(round(e * n), n, level) for e in errors)
