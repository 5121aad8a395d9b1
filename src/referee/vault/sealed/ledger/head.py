"""The head: the last entry of the ledger, kept with the key.

A ledger that is copied back from an earlier day is whole in itself. That it is not the newest one
shows only because somewhere else stands how far it had got.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from pathlib import Path

from referee.core.machine.plain_file import file_bytes
from referee.errors import InputError
from referee.vault.sealed.keys.key import Key
from referee.vault.sealed.ledger.canonical import canonical_bytes, read_canonical
from referee.vault.sealed.ledger.durable import create_file, replace_file
from referee.vault.sealed.ledger.entry import Entry

__all__ = ["Head", "create_head", "read_head", "write_head"]


@dataclass(frozen=True)
class Head:
    """How far the ledger had got when it was last written.

    Attributes
    ----------
    number : int
        The last entry.
    hash : str
        Its hash, in hexadecimal digits.
    file : str
        SHA-256 of the ledger's file as it was left; empty where that is not known, as after a
        process was stopped.
    """

    number: int
    hash: str
    file: str = ""

    @classmethod
    def of(cls, entry: Entry, file: str = "") -> Head:
        """Return the head of a ledger that ends with the entry."""
        return cls(entry.number, entry.hash.hex(), file)


def _bytes(head: Head, key: Key) -> bytes:
    record = {
        "file": head.file,
        "format": 1,
        "hash": head.hash,
        "number": head.number,
        "vault": key.vault,
    }
    return canonical_bytes(record | {"mac": _mac(record, key)})


def _mac(record: dict[str, object], key: Key) -> str:
    return key.mac(b"head\n" + canonical_bytes(record)).hex()


def create_head(path: Path, head: Head, key: Key) -> None:
    """Write the head of a new vault; one that exists is left alone."""
    create_file(path, _bytes(head, key), mode=0o600)


def write_head(path: Path, head: Head, key: Key) -> None:
    """Write the head, in the place of the one before."""
    replace_file(path, _bytes(head, key))


def read_head(path: Path, key: Key) -> Head | None:
    """Return the head, None where there is none; one that the key did not write is refused."""
    try:
        data = file_bytes(path)
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise InputError(
            f"{path} cannot be read: {problem.strerror}",
            at=str(path),
        ) from None
    try:
        record = dict(read_canonical(data))
        mac = record.pop("mac")
        if not hmac.compare_digest(str(mac), _mac(record, key)):
            raise ValueError("changed")
        return Head(int(record["number"]), str(record["hash"]), str(record["file"]))
    except (ValueError, KeyError, TypeError):
        raise InputError(
            f"{path}, the head of the ledger that is kept with the key, was changed or damaged",
            remedy="restore it from a copy",
        ) from None
