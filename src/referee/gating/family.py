"""Several gates at once: slices and measures of one candidate.

*all*: the candidate passes only if every gate shows its claim, each at the full level. That needs
no adjustment: if one claim is false, all are shown together with probability at most alpha
(intersection-union test; Berger 1982). *holm*: each gate is an answer of its own, and p-values are
raised so that any false one among them has probability at most alpha. Either way "worse" is said
of a slice by raised p-values only, for one slice of many would look worse by chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from referee.core.results import Finding, Outcome, Severity, Verdict
from referee.core.showing.numbers import p_text
from referee.core.showing.reportable import Reportable
from referee.errors import InputError
from referee.gating.decision import EXIT_CODES, Gate
from referee.significance import ADJUSTMENTS
from referee.significance.multiplicity.holm import holm

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["TOGETHER", "GateFamily", "gates_together"]

TOGETHER = {"all": "all must hold", "holm": "Holm's adjustment over the gates"}
"""How several gates are judged together."""


@dataclass(frozen=True, kw_only=True, eq=False)
class GateFamily(Reportable):
    """Several gates on one candidate, judged together.

    Attributes
    ----------
    gates : tuple of Gate
        Each with the outcome it has among the others.
    together : {"all", "holm"}
        How they were judged.
    p_values : tuple of float
        What each claim was judged by: raised for the number of gates under "holm".
    undecided : {"report", "pass", "fail"}
        What becomes of an undecided family.
    """

    gates: tuple[Gate, ...]
    together: str
    p_values: tuple[float, ...]
    undecided: str = "report"

    __str__ = Reportable.__str__

    def __repr__(self) -> str:
        return f"<GateFamily {self.word}: {self.sentence}>"

    @property
    def name(self) -> str:
        """The models in a few words."""
        return self.gates[0].name

    @property
    def outcome(self) -> Outcome:
        """PASS if all pass, FAIL if one fails, else UNDECIDED."""
        outcomes = {g.outcome for g in self.gates}
        if Outcome.FAIL in outcomes:
            return Outcome.FAIL
        return Outcome.UNDECIDED if Outcome.UNDECIDED in outcomes else Outcome.PASS

    @property
    def exit_code(self) -> int:
        """0 all shown, 1 one is worse, 3 undecided; undecided as its policy has it."""
        if self.outcome is Outcome.UNDECIDED:
            return {"pass": 0, "fail": 1, "report": 3}[self.undecided]
        return EXIT_CODES[self.outcome]

    @property
    def passed(self) -> bool:
        """Whether a pipeline should go on."""
        return self.exit_code == 0

    @property
    def word(self) -> str:
        """The outcome in a word."""
        words = [g.word for g in self.gates if g.outcome is self.outcome]
        return "WORSE" if "WORSE" in words else words[0]

    @property
    def sentence(self) -> str:
        """The outcome of all gates in one sentence."""
        shown = [g.label for g in self.gates if g.outcome is Outcome.PASS]
        text = f"{len(shown)} of {len(self.gates)} gates show their claim"
        for what in ("worse", "different", "undecided"):
            rest = [g.label for g in self.gates if g.word.lower() == what]
            text += f", {what}: {', '.join(rest)}" if rest else ""
        return f"{text} ({TOGETHER[self.together]})."

    @property
    def line(self) -> str:
        """The one line that a pipeline prints."""
        policy = ""
        if self.outcome is Outcome.UNDECIDED and self.undecided != "report":
            policy = f" (taken as {self.undecided})"
        return f"{self.word}{policy}: {self.sentence}"

    @property
    def verdict(self) -> Verdict:
        """The outcome and the sentence."""
        return Verdict(outcome=self.outcome, sentence=self.sentence, badge=self.word)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was found by any of the gates, each once."""
        every = {(f.code, f.message): f for g in self.gates for f in g.findings}
        return tuple(every.values())

    def flat(self) -> dict[str, Any]:
        """Return the outcome and, under each gate's name and a dot, what it says."""
        head: dict[str, Any] = {
            "outcome": self.word.lower(),
            "passed": self.passed,
            "exit_code": self.exit_code,
            "gates": len(self.gates),
            "together": self.together,
        }
        for g, p in zip(self.gates, self.p_values, strict=True):
            head |= {f"{g.label}.{name}": value for name, value in g.flat().items()}
            head[f"{g.label}.p_adjusted"] = p
        return head | {"sentence": self.sentence}

    def frame(self) -> pd.DataFrame:
        """Return one row for each gate."""
        import pandas as pd

        rows = [{"gate": g.label, **g.flat()} for g in self.gates]
        return pd.DataFrame(rows).assign(p_adjusted=self.p_values)


def gates_together(
    gates: Sequence[Gate], together: str = "all", *, undecided: str = "report"
) -> GateFamily:
    """Judge several gates together.

    Parameters
    ----------
    gates : sequence of Gate
        Decided one by one, at the same level.
    together : {"all", "holm"}
        Whether all must hold, or each is an answer of its own.
    undecided : {"report", "pass", "fail"}
        What becomes of an undecided family.
    """
    if together not in TOGETHER:
        raise InputError(
            f"together must be 'all' or 'holm', got {together!r}", concerning="together"
        )
    p_shown = [_p(g, g.p_value) for g in gates]
    p_worse = [_p(g, g.p_opposite) for g in gates]
    judged = ADJUSTMENTS[together].compute(p_shown) if together in ADJUSTMENTS else p_shown
    pairs = zip(gates, judged, holm(p_worse), strict=True)
    settled = [_settled(g, float(p), float(q)) for g, p, q in pairs]
    return GateFamily(
        gates=tuple(settled),
        together=together,
        p_values=tuple(float(p) for p in judged),
        undecided=undecided,
    )


def _p(gate: Gate, p: float | None) -> float:
    """Return a gate's p-value, 1 where none counts: it must not make it easier for the others."""
    return 1.0 if p is None or any(f.severity is Severity.SERIOUS for f in gate.findings) else p


def _settled(gate: Gate, shown: float, worse: float) -> Gate:
    """Return a gate as it is among the others, in words too."""
    outcome = _outcome(gate, shown, worse)
    if outcome is gate.outcome:
        return gate
    p = shown if gate.outcome is Outcome.PASS else worse
    text = f"undecided among all gates (Holm {p_text(p)}), though alone {gate.sentence}"
    return replace(gate, outcome=outcome, sentence=text)


def _outcome(gate: Gate, shown: float, worse: float) -> Outcome:
    """Return a gate's outcome by raised p-values; a finding that withholds it still does."""
    alpha = gate.question.alpha
    if gate.outcome is Outcome.PASS:
        return Outcome.PASS if shown <= alpha else Outcome.UNDECIDED
    if gate.outcome is Outcome.FAIL:
        return Outcome.FAIL if worse <= alpha else Outcome.UNDECIDED
    return Outcome.UNDECIDED
