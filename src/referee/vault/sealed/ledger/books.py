"""The books of a vault: ledger, key and head together, held by one process at a time."""

from __future__ import annotations

import contextlib
import hmac
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from referee.errors import InputError
from referee.intervals.looks import LadderState
from referee.vault.sealed.files import LEDGER, SEALED
from referee.vault.sealed.keys.key import Key
from referee.vault.sealed.keys.key_place import KeyPlace
from referee.vault.sealed.labels.header import Header
from referee.vault.sealed.ledger.entry import Entry, EntryKind, broken_links
from referee.vault.sealed.ledger.head import Head, read_head, write_head
from referee.vault.sealed.ledger.ledger import Ledger, file_digest, open_ledger
from referee.vault.sealed.ledger.lock import alone

__all__ = ["Books", "open_books", "right_key", "state_of", "tail_problem"]


def right_key(place: KeyPlace, header: Header) -> Key:
    """Return the key of a vault; refuse one that did not seal it."""
    key = place.key(header)
    if hmac.compare_digest(key.check, header.key_check):
        return key
    if header.stretching is not None:
        raise InputError(
            "the passphrase is not the one this vault was sealed with", remedy="try again"
        )
    raise InputError(
        f"{place.key_file(header.vault)} does not hold the key that sealed this vault, or the "
        "sealed file was changed",
        remedy="restore the key, or see referee vault check",
    )


def state_of(entry: Entry) -> LadderState:
    """Return where the vault stood after an entry."""
    try:
        state = entry.content["state"]
        return LadderState(int(state["looks"]), int(state["releases"]), int(state["rung"]))
    except (ValueError, KeyError, TypeError):
        raise InputError(
            f"entry {entry.number} of the ledger is not what referee writes",
            concerning="entry",
            remedy="see referee vault check, and restore the ledger from a copy",
        ) from None


def tail_problem(entries: list[Entry], head: Head, key: Key) -> str:
    """Say why the entries from the head on do not continue what the head knows; "" if they do."""
    if not entries or entries[0].number != head.number:
        return (
            f"the ledger is an older copy: the key knows of {head.number} entries, and entry "
            f"{head.number} is not there"
        )
    first, *rest = entries
    if first.hash.hex() != head.hash or not first.signed_by(key):
        return f"entry {first.number} is not the one that the key knows of"
    return next(broken_links(rest, first.hash, first.number + 1, key), "")


class Books:
    """An open ledger whose last entries were verified. Use `open_books`.

    Attributes
    ----------
    last : Entry
        The last entry.
    sealed : str
        The hash of the sealed file that the ledger began with.
    key : Key
        The key of the vault.
    """

    def __init__(self, ledger: Ledger, key: Key, head_path: Path, last: Entry) -> None:
        self.last = last
        self.sealed = _sealed_file_of(ledger.first())
        self.key = key
        self._ledger, self._head_path = ledger, head_path

    def append(self, kind: EntryKind, content: Callable[[Entry], Mapping[str, Any]]) -> Entry:
        """Write an entry and wait until it is on the disk, then move the head.

        `content` is asked while nobody else can write; where it refuses, nothing is written.
        """
        with self._ledger.writing():
            before = self._ledger.last()
            if before.hash != self.last.hash:
                raise InputError(
                    f"{self._ledger.path} was written to by another program meanwhile",
                    remedy="try again",
                )
            entry = self._ledger.append(kind, content(before), before, self.key)
        self.last = entry
        write_head(self._head_path, Head.of(entry), self.key)
        return entry


def _sealed_file_of(entry: Entry) -> str:
    try:
        return str(entry.content["sealed"])
    except (ValueError, KeyError):
        return ""


@contextlib.contextmanager
def open_books(
    directory: Path, header: Header, place: KeyPlace, *, trust: bool = False
) -> Iterator[Books]:
    """Open the books of a vault for writing; others wait until they are closed.

    With `trust` a ledger is taken as it stands though no head, or another one, is kept with the
    key.
    """
    key = right_key(place, header)
    path, head_path = directory / LEDGER, place.head_file(header.vault)
    with alone(directory / SEALED):
        with open_ledger(path) as ledger:
            last = _verified_last(ledger, key, head_path, trust=trust)
            books = Books(ledger, key, head_path, last)
            yield books
            settled = ledger.settle()
        if settled:
            write_head(head_path, Head.of(books.last, file_digest(path)), key)


def _verified_last(ledger: Ledger, key: Key, head_path: Path, *, trust: bool) -> Entry:
    last = ledger.last()
    if trust:
        return last
    head = read_head(head_path, key)
    if head is None:
        raise InputError(
            f"{head_path} is missing: it says how far the ledger had got, and without it an older "
            "one could be copied back unseen",
            remedy=("bring it along with the key (a vault whose head is lost can only be opened)"),
        )
    entries = ledger.entries(head.number)
    problem = tail_problem(entries, head, key)
    if problem:
        raise InputError(
            f"{ledger.path} is not what the key knows of: {problem}", remedy="restore it"
        )
    return entries[-1]
