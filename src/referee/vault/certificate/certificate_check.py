"""What became of checking a certificate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from referee.core.results import Outcome, Verdict
from referee.core.showing.reportable import Reportable

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["CertificateCheck", "Step"]


@dataclass(frozen=True)
class Step:
    """One thing that was checked.

    Attributes
    ----------
    name : str
        What.
    problem : str
        What is wrong with it; empty if nothing is.
    detail : str
        What was seen; or why it was not checked.
    checked : bool
        Whether it could be checked at all.
    """

    name: str
    problem: str = ""
    detail: str = ""
    checked: bool = True

    @property
    def state(self) -> str:
        """In one word or two."""
        if not self.checked:
            return "not checked"
        return "WRONG" if self.problem else "holds"


@dataclass(frozen=True, kw_only=True, eq=False)
class CertificateCheck(Reportable):
    """Whether a certificate is what was signed, and its numbers follow.

    Attributes
    ----------
    path, sha256 : str
        The file, and its hash.
    steps : tuple of Step
        What was checked, in order.
    predicate : mapping
        What the certificate says; empty where it cannot be read.
    """

    path: str
    sha256: str
    steps: tuple[Step, ...]
    predicate: Mapping[str, Any]

    __str__ = Reportable.__str__

    def __repr__(self) -> str:
        return f"<CertificateCheck: {self.verdict.sentence}>"

    @property
    def name(self) -> str:
        """The file."""
        return self.path

    @property
    def problems(self) -> tuple[str, ...]:
        """What is wrong."""
        return tuple(f"{s.name}: {s.problem}" for s in self.steps if s.problem)

    @property
    def verdict(self) -> Verdict:
        """PASS where everything holds that could be checked, whatever the certificate says."""
        if self.problems:
            problems = "; ".join(self.problems)
            return Verdict(outcome=Outcome.FAIL, sentence=f"{self.path} does not hold: {problems}.")
        left = [s.name for s in self.steps if not s.checked]
        rest = f" Not checked: {', '.join(left)}." if left else ""
        return Verdict(
            outcome=Outcome.PASS,
            sentence=f"{self.path} holds: it says {self.predicate['outcome']}, was signed by the "
            f"key of {self.predicate['signer']['name']}, and its numbers follow.{rest}",
        )

    def frame(self) -> pd.DataFrame:
        """Return one row a step: name, state, problem, detail."""
        import pandas as pd

        rows = [
            {"step": s.name, "state": s.state, "problem": s.problem, "detail": s.detail}
            for s in self.steps
        ]
        return pd.DataFrame(rows)
