"""The status of a vault: what was sealed, how many looks there were, what they gave away."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from referee.core.results import Outcome, Verdict
from referee.core.showing.reportable import Reportable
from referee.errors import InputError
from referee.vault.sealed.files import LEDGER, SEALED
from referee.vault.sealed.history import LookRecord, look_records
from referee.vault.sealed.labels.header import Header
from referee.vault.sealed.ledger.books import state_of
from referee.vault.sealed.ledger.entry import Entry, EntryKind
from referee.vault.sealed.ledger.ledger import has_journal, open_ledger
from referee.vault.sealed.ledger.lock import alone
from referee.vault.sealed.look import value_text

__all__ = ["VaultStatus", "looks_counted", "read_entries", "read_status"]


@dataclass(frozen=True, kw_only=True, eq=False)
class VaultStatus(Reportable):
    """What the ledger of a vault tells; it is not verified.

    Attributes
    ----------
    vault : str
        The directory.
    header : Header
        What was sealed.
    looks : tuple of LookRecord
        All looks, in order.
    opened : str
        When the labels came out; empty if they did not.
    certified : str
        When they were used for a certificate; empty if they were not.
    """

    vault: str
    header: Header
    looks: tuple[LookRecord, ...]
    opened: str
    certified: str = ""

    __str__ = Reportable.__str__

    def __repr__(self) -> str:
        return f"<VaultStatus: {self.verdict.sentence}>"

    @property
    def name(self) -> str:
        """The directory."""
        return self.vault

    @property
    def releases(self) -> tuple[LookRecord, ...]:
        """The looks that gave something away."""
        return tuple(look for look in self.looks if look.released is not None)

    @property
    def unanswered(self) -> tuple[LookRecord, ...]:
        """The looks that were spent and have no answer."""
        return tuple(look for look in self.looks if not look.answered)

    @property
    def left(self) -> int | None:
        """How many looks are left; None for any number."""
        if self.opened or self.certified:
            return 0
        allowed = self.header.policy.looks
        return None if allowed is None else allowed - len(self.looks)

    @property
    def verdict(self) -> Verdict:
        """The state in one sentence; nothing is claimed."""
        return Verdict(outcome=Outcome.UNDECIDED, sentence=self._sentence)

    @property
    def _sentence(self) -> str:
        looks, releases = len(self.looks), len(self.releases)
        sealed = f"{self.vault}: {self.header.n} sealed cases, {_counted(looks, 'look')}"
        if releases:
            measure = self.header.measure.measure
            value = self.releases[-1].released
            assert value is not None
            bound = "" if self.header.policy.exact else " or better"
            sealed += f", {_counted(releases, 'release')}, {measure.title} "
            sealed += f"{value_text(measure, value)}{bound}"
        if self.unanswered:
            numbers = ", ".join(str(look.number) for look in self.unanswered[:5])
            more = f" and {len(self.unanswered) - 5} more" if len(self.unanswered) > 5 else ""
            one = len(self.unanswered) == 1
            sealed += f"; look{'' if one else 's'} {numbers}{more} "
            sealed += f"{'has' if one else 'have'} no answer"
        return f"{sealed}; {self._future}."

    @property
    def _future(self) -> str:
        if self.opened:
            return f"opened on {self.opened[:10]}, so it answers no more"
        if self.certified:
            return f"used for a certificate on {self.certified[:10]}, so it answers no more"
        if self.left is None:
            return "any number of looks may follow"
        return f"{_counted(self.left, 'look')} left"


def _counted(number: int, what: str) -> str:
    return f"{number or 'no'} {what}{'' if number == 1 else 's'}"


def read_entries(directory: Path) -> list[Entry]:
    """Return the entries of a ledger, leaving no trace unless a stopped process left a journal."""
    path = directory / LEDGER
    with open_ledger(path, read_only=not has_journal(path)) as ledger:
        return ledger.entries()


def looks_counted(directory: Path) -> int:
    """Return how many looks the last entry of a ledger counts."""
    path = directory / LEDGER
    with alone(directory / SEALED), open_ledger(path, read_only=not has_journal(path)) as ledger:
        return state_of(ledger.last()).looks


def read_status(directory: Path, header: Header) -> VaultStatus:
    """Return what the ledger tells."""
    with alone(directory / SEALED):
        entries = read_entries(directory)
    try:
        return VaultStatus(
            vault=str(directory),
            header=header,
            looks=look_records(entries),
            opened=next((e.time for e in entries if e.kind == EntryKind.OPENED), ""),
            certified=next((e.time for e in entries if e.kind == EntryKind.CERTIFYING), ""),
        )
    except (ValueError, KeyError, TypeError):
        raise InputError(
            f"{directory / LEDGER} holds entries that referee did not write",
            remedy="see referee vault check, and restore it from a copy",
        ) from None
