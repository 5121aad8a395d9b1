"""What a comparison of candidate and baseline says, and what two sides of a gate can do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from referee.comparing.comparison import Comparison
from referee.comparing.scores.comparison import ScoresComparison
from referee.core.arrays import Anything, Flags, Floats
from referee.core.results import Estimate, Evidence, Finding, Verdict
from referee.gating.question import GateQuestion
from referee.gating.rare_losses import CaseLosses
from referee.measures.formulas.paired_counts import PairedCounts

__all__ = ["Compared", "Sides", "compared"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Compared:
    """What a comparison of the candidate with the baseline says, whatever was compared.

    Attributes
    ----------
    verdict : Verdict
        Its sentence and outcome.
    difference, candidate, baseline : Estimate
        The candidate's value minus the baseline's, and each alone.
    evidence : Evidence
        The test of no difference.
    against_margin : Evidence or None
        The test against the margin.
    result : Comparison or ScoresComparison
        Everything else.
    """

    verdict: Verdict
    difference: Estimate
    candidate: Estimate
    baseline: Estimate
    evidence: Evidence
    against_margin: Evidence | None
    result: Comparison | ScoresComparison
    reservation: str = ""

    @property
    def leads(self) -> bool | None:
        """Whether the candidate is ahead; None where both are alike."""
        value = self.difference.value
        if not value or np.isnan(value):
            return None
        return (value > 0) == bool(self.difference.greater_is_better)

    def p_shown(self, claim: str) -> float:
        """Return the p-value of what was claimed."""
        if self.reservation:
            return 1.0
        if claim == "better":
            return self.evidence.p_value if self.leads else 1.0
        return 1.0 if self.against_margin is None else self.against_margin.p_value

    def p_opposite(self, claim: str) -> float:
        """Return the p-value of the opposite: that the candidate is worse, or that both differ."""
        against = self.leads is False or (claim == "equivalent" and self.leads is True)
        return self.evidence.p_value if against and not self.reservation else 1.0


class Sides(Protocol):
    """Baseline and candidate on the same cases."""

    @property
    def names(self) -> tuple[str, str]:
        """The baseline's name and the candidate's."""
        ...

    @property
    def n(self) -> int:
        """How many cases both have."""
        ...

    @property
    def measure(self) -> str:
        """What is compared."""
        ...

    @property
    def scale(self) -> float:
        """The largest difference there can be."""
        ...

    @property
    def percent(self) -> bool:
        """Whether values are read as percentages."""
        ...

    @property
    def asked(self) -> Mapping[str, Any]:
        """How the data are read, in plain values; a ledger holds to it from its first run on."""
        ...

    @property
    def ids(self) -> Anything | None:
        """What the cases are called."""
        ...

    @property
    def counts(self) -> PairedCounts | None:
        """Cases by who was right, where that is all there is to know."""
        ...

    @property
    def exact(self) -> bool:
        """Whether candidate and baseline are compared by an exact test of counts."""
        ...

    @property
    def losses(self) -> CaseLosses | None:
        """What the candidate loses more, case by case; None where it is no mean of that."""
        ...

    @property
    def room(self) -> float | None:
        """How much better than the baseline a candidate can be on average.

        None where errors are counted, losses have no bound or cases belong together.
        """
        ...

    @property
    def same_answers(self) -> bool:
        """Whether both are known to give the same answers on all cases."""
        ...

    @property
    def classes(self) -> Mapping[str, int]:
        """Cases by their right answer; empty for scores and quantities."""
        ...

    @property
    def excess(self) -> Floats:
        """What the candidate loses more than the baseline, case by case."""
        ...

    @property
    def bound(self) -> float:
        """The largest excess of one case."""
        ...

    @property
    def cases(self) -> str:
        """A fingerprint of the cases, whatever the models said of them."""
        ...

    @property
    def content(self) -> str:
        """A fingerprint of what stands there row by row but for names and the candidate."""
        ...

    @property
    def candidate_print(self) -> str:
        """A fingerprint of what the candidate said of the cases."""
        ...

    @property
    def use(self) -> tuple[str, str]:
        """What a test set and a candidate are counted by: answers, then scores where it has any."""
        ...

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong or odd about the data of both."""
        ...

    def keep(self, rows: Flags) -> Sides:
        """Return the marked cases only."""
        ...

    def one_by_one(self) -> Sides:
        """Return the cases as a ledger takes them: for a rate of one class those of it alone."""
        ...

    def unshown(self) -> Sides:
        """Return the cases for an answer that shows no figures, which is sooner found."""
        ...

    def column(self, name: str) -> Anything:
        """Return what a column of the files says of each case, as text."""
        ...

    def refuse_dependent(self) -> None:
        """Refuse cases that belong together, where they are to be taken one by one."""
        ...

    def compare(self, question: GateQuestion) -> Compared:
        """Hold the candidate against the baseline."""
        ...


def compared(sides: Sides, question: GateQuestion) -> Compared:
    """Hold the candidate against the baseline, the margin checked against the scale first."""
    return sides.compare(replace(question, scale=sides.scale))
