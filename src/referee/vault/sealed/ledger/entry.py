"""An entry of the ledger, and the chain of hashes that binds each to all before it."""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from functools import cached_property
from hashlib import sha256
from typing import Any

from referee.vault.sealed.keys.key import Key
from referee.vault.sealed.ledger.canonical import canonical_text

__all__ = ["Entry", "EntryKind", "broken_links", "new_entry", "now"]


class EntryKind(StrEnum):
    """What an entry records."""

    SEALED = "sealed"
    """The first entry: which sealed file this is the ledger of."""

    LOOK = "look"
    """A look was asked for. It has been spent from here on, whatever becomes of it."""

    ANSWER = "answer"
    """What a look was answered."""

    CERTIFYING = "certifying"
    """The labels are used for a certificate, once; no look follows."""

    CERTIFIED = "certified"
    """What the certificate says."""

    OPENED = "opened"
    """The labels came out; no look follows."""


@dataclass(frozen=True)
class Entry:
    """One line of the ledger.

    Attributes
    ----------
    number : int
        Counted from 1, without gaps.
    time : str
        When it was written, by the clock of the machine, in UTC.
    kind : str
        One of `EntryKind`.
    text : str
        Its content as canonical JSON.
    hash : bytes
        SHA-256 of the hash before it and of all the above.
    mac : bytes
        HMAC-SHA256 of the hash, by the ledger's key: nobody without it can write an entry.
    """

    number: int
    time: str
    kind: str
    text: str
    hash: bytes
    mac: bytes

    @cached_property
    def content(self) -> Mapping[str, Any]:
        """The content as a record; ValueError where it is none."""
        record = json.loads(self.text)
        if not isinstance(record, dict):
            raise ValueError("not a record")
        return record

    def follows(self, before: bytes) -> bool:
        """Tell whether the entry belongs where it stands, after an entry with that hash."""
        return hmac.compare_digest(
            self.hash, link(before, self.number, self.time, self.kind, self.text)
        )

    def signed_by(self, key: Key) -> bool:
        """Tell whether a holder of the key wrote the entry."""
        return hmac.compare_digest(self.mac, key.mac(self.hash))


def link(before: bytes, number: int, time: str, kind: str, text: str) -> bytes:
    """Return the hash of an entry: SHA-256 of the hash before it and of its four lines.

    Examples
    --------
    >>> link(bytes(32), 1, "2026-01-01T00:00:00Z", "look", "{}").hex()[:16]
    'a7309c9fd3a10d88'
    """
    return sha256(before + f"{number}\n{time}\n{kind}\n{text}\n".encode()).digest()


def new_entry(
    before: bytes, number: int, kind: EntryKind, content: Mapping[str, Any], key: Key
) -> Entry:
    """Return the entry that comes next, dated now."""
    time, text = now(), canonical_text(content)
    digest = link(before, number, time, kind.value, text)
    return Entry(number, time, kind.value, text, digest, key.mac(digest))


def now() -> str:
    """Return the time in UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def broken_links(
    entries: Iterable[Entry], before: bytes, number: int, key: Key | None
) -> Iterator[str]:
    """Say what is wrong with a run of entries that should begin at a number, after a hash.

    Without a key the chain alone is checked, which whoever changed it can have mended.
    """
    for entry in entries:
        if entry.number != number:
            yield f"entry {number} is missing or out of order (entry {entry.number} is there)"
        elif not entry.follows(before):
            yield f"entry {entry.number} was changed, or one before it removed"
        elif key is not None and not entry.signed_by(key):
            yield f"entry {entry.number} was not written by a holder of the key"
        before, number = entry.hash, entry.number + 1
