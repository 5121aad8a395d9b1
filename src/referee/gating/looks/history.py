"""History: how often a gate was asked, and what that costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["History"]


@dataclass(frozen=True, kw_only=True)
class History:
    """The runs of a gate up to this one.

    Attributes
    ----------
    runs : int
        How many there were, this one included.
    looks : int
        How many of them were on cases that were all known before.
    look : bool
        Whether this one was.
    new_cases : int
        How many cases nobody had used before; the decision rests on those unless it is a look.
    stream : int
        New cases of this version so far.
    known_cases : int
        Cases of this run that were left out because an earlier one used them.
    version : str
        Which candidate it is, as the user calls it; empty for one that no other run was of.
    versions : int
        How many there were; each run without a name is one.
    spent : float
        The share of alpha that this decision may spend.
    again : int
        The number of the run that asked exactly the same; 0 where none did.
    """

    runs: int
    looks: int
    look: bool
    new_cases: int
    stream: int
    known_cases: int
    version: str
    versions: int
    spent: float
    again: int = 0

    def flat(self) -> dict[str, Any]:
        """Return the counts, for metrics of any tool."""
        return {
            "runs": self.runs,
            "looks": self.looks,
            "new_cases": self.new_cases,
            "cases_so_far": self.stream,
            "versions": self.versions,
            "alpha_share": self.spent,
        }

    @property
    def sentence(self) -> str:
        """The counts in words."""
        runs = f"run {self.runs}" + (
            f", {self.versions} versions so far" if self.versions > 1 else ""
        )
        looks = "no look" if not self.looks else f"{self.looks} look{'s'[: self.looks > 1]}"
        return f"{runs}; {looks} at cases used before"
