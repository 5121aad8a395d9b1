"""Verification: whether a bundle is whole, and whether its numbers follow from its predictions."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.core.results import Outcome, Verdict
from referee.core.showing.reportable import Reportable
from referee.vault.bundle.agreement import Agreement, Value

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["INTACT", "FileCheck", "Verification"]

INTACT = "as written"


@dataclass(frozen=True)
class FileCheck:
    """One file of a bundle.

    Attributes
    ----------
    name : str
        The file, or "the archive" for the zip around them.
    state : str
        "as written", or what is wrong with it.
    size : int
        Its bytes.
    sha256 : str
        Their hash.
    """

    name: str
    state: str
    size: int = 0
    sha256: str = ""

    @property
    def intact(self) -> bool:
        """Whether nothing is wrong with it."""
        return self.state == INTACT


@dataclass(frozen=True, kw_only=True, eq=False)
class Verification(Reportable):
    """What became of checking a bundle.

    Attributes
    ----------
    path : str
        The bundle.
    sha256 : str
        The hash of the whole bundle: the one number to compare, publish or sign.
    files : tuple of FileCheck
        Every file in it.
    values : tuple of Value
        Every value of results.json, stated and recomputed; empty if a file was changed.
    kind : str
        Which kind of result it holds.
    claim : str
        The sentence the bundle states.
    rows : int
        Rows of evidence the values were recomputed from.
    tolerance : float
        Relative difference up to which numbers agree nearly; 0 where the same was asked for.
    changes : tuple of str
        What is different here from where the numbers were computed.
    command : str
        The command line the bundle names.
    """

    path: str
    sha256: str
    files: tuple[FileCheck, ...]
    values: tuple[Value, ...] = ()
    kind: str = ""
    claim: str = ""
    rows: int = 0
    tolerance: float = 0.0
    changes: tuple[str, ...] = ()
    command: str = ""

    __str__ = Reportable.__str__

    def __repr__(self) -> str:
        return f"<Verification of {self.path}: {self.verdict.sentence}>"

    @property
    def name(self) -> str:
        """The bundle's path."""
        return self.path

    @property
    def changed(self) -> tuple[str, ...]:
        """The files that are not as written."""
        return tuple(f.name for f in self.files if not f.intact)

    @property
    def counts(self) -> Counter[Agreement]:
        """How many values agree exactly, nearly, not, or were not recomputed."""
        return Counter(v.agreement for v in self.values)

    @property
    def differing(self) -> tuple[Value, ...]:
        """The values that do not follow from the evidence, numbers first."""
        odd = [v for v in self.values if v.agreement is Agreement.DIFFERS]
        return tuple(sorted(odd, key=lambda v: not isinstance(v.stated, float)))

    @property
    def verdict(self) -> Verdict:
        """PASS where every file is as written and every recomputed value agrees."""
        if self.changed:
            return Verdict(outcome=Outcome.FAIL, sentence=self._broken)
        if self.differing:
            return Verdict(outcome=Outcome.FAIL, sentence=self._contradicted)
        return Verdict(outcome=Outcome.PASS, sentence=self._confirmed)

    @property
    def _broken(self) -> str:
        states = "; ".join(f"{f.name}: {f.state}" for f in self.files if not f.intact)
        return f"{self.path} is not as it was written, and nothing was recomputed: {states}."

    @property
    def _contradicted(self) -> str:
        first = self.differing[0]
        stated, recomputed = first.apart()
        return (
            f"{self.path} does not hold: {len(self.differing)} of {self._recomputed} recomputed "
            f"values do not follow from its evidence, first {first.path} (stated {stated}, "
            f"recomputed {recomputed})."
        )

    @property
    def _confirmed(self) -> str:
        near = self.counts[Agreement.CLOSE]
        how = f", {near} of them within {self.tolerance:g}" if near else " exactly"
        left = self.counts[Agreement.STATED]
        rest = f"; {left} more were not recomputed" if left else ""
        return (
            f"{self.path} is as it was written, and all {self._recomputed} recomputed values agree"
            f"{how}{rest}."
        )

    @property
    def _recomputed(self) -> int:
        return len(self.values) - self.counts[Agreement.STATED]

    def frame(self) -> pd.DataFrame:
        """Return one row per value: where it stands, stated, recomputed, whether they agree."""
        import pandas as pd

        rows = [
            {
                "value": v.path,
                "stated": v.stated,
                "recomputed": v.recomputed,
                "agreement": v.agreement.value,
                "why": v.why,
            }
            for v in self.values
        ]
        return pd.DataFrame(rows, columns=["value", "stated", "recomputed", "agreement", "why"])
