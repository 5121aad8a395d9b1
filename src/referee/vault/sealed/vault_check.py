"""The result of checking a vault: whether anything was changed since the seal."""

from __future__ import annotations

from dataclasses import dataclass

from referee.core.results import Outcome, Verdict
from referee.core.showing.reportable import Reportable

__all__ = ["VaultCheck"]


@dataclass(frozen=True, kw_only=True, eq=False)
class VaultCheck(Reportable):
    """What became of checking a vault.

    Attributes
    ----------
    vault : str
        The directory.
    problems : tuple of str
        What is not as it was written; empty if all is.
    notes : tuple of str
        What is worth knowing and no problem.
    entries, looks, releases : int
        How many there are.
    unanswered : tuple of int
        Looks that were spent and have no answer.
    head : str
        The hash of the last entry: one number that stands for the whole ledger.
    commitment : str
        The public hash of the labels.
    """

    vault: str
    problems: tuple[str, ...]
    notes: tuple[str, ...] = ()
    entries: int = 0
    looks: int = 0
    releases: int = 0
    unanswered: tuple[int, ...] = ()
    head: str = ""
    commitment: str = ""

    __str__ = Reportable.__str__

    def __repr__(self) -> str:
        return f"<VaultCheck: {self.verdict.sentence}>"

    @property
    def name(self) -> str:
        """The directory."""
        return self.vault

    @property
    def verdict(self) -> Verdict:
        """PASS where everything is as it was written."""
        if self.problems:
            more = f" (and {len(self.problems) - 1} more)" if len(self.problems) > 1 else ""
            sentence = f"{self.vault} is not as it was written: {self.problems[0]}{more}."
            return Verdict(outcome=Outcome.FAIL, sentence=sentence)
        return Verdict(outcome=Outcome.PASS, sentence=self._confirmed)

    @property
    def _confirmed(self) -> str:
        sentence = (
            f"{self.vault} is as it was written: the sealed labels, and all {self.entries} entries "
            f"of the ledger from the seal on, with {self.looks} look{_s(self.looks)} and "
            f"{self.releases} release{_s(self.releases)}"
        )
        if not self.unanswered:
            return f"{sentence}."
        numbers = ", ".join(str(number) for number in self.unanswered[:10])
        more = f" and {len(self.unanswered) - 10} more" if len(self.unanswered) > 10 else ""
        if len(self.unanswered) == 1:
            return f"{sentence}; look {numbers} was spent and has no answer."
        return f"{sentence}; looks {numbers}{more} were spent and have no answer."


def _s(number: int) -> str:
    return "" if number == 1 else "s"
