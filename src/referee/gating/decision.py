"""Gate: the decision on a candidate, for people and for pipelines."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from referee.core.results import Estimate, Finding, Outcome, Verdict
from referee.core.showing.reportable import Reportable
from referee.gating.question import GateQuestion

if TYPE_CHECKING:
    import pandas as pd

    from referee.gating.looks.history import History
    from referee.gating.sides.compared import Compared

__all__ = ["EXIT_CODES", "Gate"]

EXIT_CODES = {Outcome.PASS: 0, Outcome.FAIL: 1, Outcome.UNDECIDED: 3}
"""Outcome -> exit code; an error of the request is 2."""

_WORDS = {Outcome.PASS: "SHOWN", Outcome.FAIL: "WORSE", Outcome.UNDECIDED: "UNDECIDED"}


@dataclass(frozen=True, kw_only=True, eq=False)
class Gate(Reportable):
    """May the candidate take the place of the baseline?

    Attributes
    ----------
    outcome : Outcome
        PASS where the claim was shown, FAIL where its opposite was (or that the candidate is
        worse), else UNDECIDED.
    sentence : str
        The same in a sentence that can be defended.
    question : GateQuestion
        Claim, margin, level and what undecided means.
    baseline, candidate : str
        How the models are called.
    measure : str
        What was compared.
    n : int
        The cases of this run.
    p_value, p_opposite : float or None
        Of the claim, and of its opposite; None where figures are withheld.
    compared : Compared or None
        Everything the decision rests on; None where figures are withheld.
    history : History or None
        Earlier runs, where a ledger is kept.
    findings : tuple of Finding
        What should be known before the answer is used.
    label : str
        What the gate is called among several.
    """

    outcome: Outcome
    sentence: str
    question: GateQuestion
    baseline: str
    candidate: str
    measure: str
    n: int
    p_value: float | None = None
    p_opposite: float | None = None
    compared: Compared | None = None
    history: History | None = None
    findings: tuple[Finding, ...] = ()
    label: str = "gate"

    __str__ = Reportable.__str__

    def __repr__(self) -> str:
        return f"<Gate {self.word}: {self.sentence}>"

    @property
    def name(self) -> str:
        """The models in a few words."""
        return f"{self.candidate} against {self.baseline}"

    @property
    def verdict(self) -> Verdict:
        """The outcome and the sentence."""
        return Verdict(outcome=self.outcome, sentence=self.sentence, badge=self.word)

    @property
    def passed(self) -> bool:
        """Whether a pipeline should go on."""
        return self.exit_code == 0

    @property
    def exit_code(self) -> int:
        """0 shown, 1 the opposite, 3 undecided; undecided as its policy has it."""
        if self.outcome is Outcome.UNDECIDED:
            return {"pass": 0, "fail": 1, "report": 3}[self.question.undecided]
        return EXIT_CODES[self.outcome]

    @property
    def word(self) -> str:
        """The outcome in a word; DIFFERENT where equivalence is refuted, whoever is ahead."""
        if self.outcome is Outcome.FAIL and self.question.claim == "equivalent":
            return "DIFFERENT"
        return _WORDS[self.outcome]

    @property
    def counted(self) -> bool:
        """Whether the run stands in a ledger: one without a case, or withheld, does not."""
        return self.history is not None and self.n > 0 and self.history.spent > 0

    @property
    def line(self) -> str:
        """The one line that a pipeline prints."""
        policy = ""
        if self.outcome is Outcome.UNDECIDED and self.question.undecided != "report":
            policy = f" (taken as {self.question.undecided})"
        return f"{self.word}{policy}: {self.sentence}"

    def flat(self) -> dict[str, Any]:
        """Return everything as one level of names and plain values, for metrics of any tool.

        What is withheld or undefined is None.
        """
        c = self.compared
        flat: dict[str, Any] = {
            "outcome": self.word.lower(),
            "passed": self.passed,
            "exit_code": self.exit_code,
            "n": self.n,
            **_ends(self.measure, c.candidate if c else None),
            **_ends(f"baseline_{self.measure}", c.baseline if c else None),
            **_ends("difference", c.difference if c else None),
            "margin": self.question.margin,
            "p_value": self.p_value,
            "p_opposite": self.p_opposite,
            "claim": self.question.claim,
            "measure": self.measure,
            "level": self.question.level,
            "baseline": self.baseline,
            "candidate": self.candidate,
            "findings": len(self.findings),
        }
        if self.history is not None:
            flat |= self.history.flat()
        return flat | {"sentence": self.sentence}

    def frame(self) -> pd.DataFrame:
        """Return the flat values as a table of one row."""
        import pandas as pd

        return pd.DataFrame([self.flat()])


def _ends(name: str, estimate: Estimate | None) -> dict[str, float | None]:
    interval = None if estimate is None else estimate.interval
    return {
        name: None if estimate is None else _plain(estimate.value),
        f"{name}_low": None if interval is None else _plain(interval.low),
        f"{name}_high": None if interval is None else _plain(interval.high),
    }


def _plain(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
