"""The key of a vault: 32 random bytes in a file, or a passphrase; and what is derived from it."""

from __future__ import annotations

import hmac
import os
import re
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from referee.core.machine.plain_file import file_bytes
from referee.errors import InputError, arg
from referee.vault.sealed.ledger.durable import create_file

__all__ = ["Key", "create_key_file", "new_secret", "read_key_file"]

_FIRST_LINE = "referee vault key, format 1"
_PATTERN = re.compile(
    re.escape(_FIRST_LINE) + r"\nvault ([0-9a-f]{32})\nkey ([0-9a-f]{64})\n", re.ASCII
)
_SIZE = 32


@dataclass(frozen=True, repr=False)
class Key:
    """The secret of one vault, and the keys derived from it by HKDF-SHA256.

    No key is used for two purposes: labels are encrypted with one, ledger entries authenticated
    with another.

    Examples
    --------
    >>> key = Key(bytes(32), vault="00" * 16)
    >>> key.labels != key.ledger, len(key.check)
    (True, 32)
    >>> key
    <key of vault 0000000000000000>
    """

    secret: bytes
    vault: str

    def __repr__(self) -> str:
        return f"<key of vault {self.vault[:16]}>"

    @cached_property
    def labels(self) -> bytes:
        """The key that encrypts the labels."""
        return self._derived("labels")

    @cached_property
    def ledger(self) -> bytes:
        """The key that authenticates ledger and head."""
        return self._derived("ledger")

    @cached_property
    def check(self) -> str:
        """32 digits by which the right key is recognised; they do not help to find it."""
        return self._derived("check")[:16].hex()

    def mac(self, message: bytes) -> bytes:
        """Return the code that only a holder of the key can give to a message."""
        return hmac.digest(self.ledger, message, sha256().name)

    def _derived(self, purpose: str) -> bytes:
        info = f"referee vault 1 {purpose}".encode()
        salt = bytes.fromhex(self.vault)
        return HKDF(algorithm=SHA256(), length=_SIZE, salt=salt, info=info).derive(self.secret)


def new_secret() -> bytes:
    """Return 32 bytes from the operating system's random numbers."""
    return os.urandom(_SIZE)


def create_key_file(path: Path, key: Key) -> None:
    """Write a key file that only its owner can read; one that exists is refused."""
    text = f"{_FIRST_LINE}\nvault {key.vault}\nkey {key.secret.hex()}\n"
    create_file(path, text.encode(), mode=0o600)


def read_key_file(path: Path, *, vault: str, argument: str = "key") -> Key:
    """Return the key of a vault from its file; `argument` is what names another one.

    Raises
    ------
    InputError
        If there is no such file, it holds no key, or the key of another vault.
    """
    try:
        text = file_bytes(path).decode("ascii", errors="replace")
    except FileNotFoundError:
        raise InputError(
            f"the key of this vault is missing: there is no {path}",
            remedy=f"name its file with {arg(argument)}, or ask the person who keeps it",
        ) from None
    except OSError as problem:
        raise InputError(
            f"the key {path} cannot be read: {problem.strerror}", concerning="key", at=str(path)
        ) from None
    match = _PATTERN.fullmatch(text)
    if match is None:
        raise InputError(
            f"{path} is no key of a vault, or a damaged one",
            remedy=f"name the right file with {arg(argument)}",
        )
    if match[1] != vault:
        raise InputError(
            f"{path} is the key of another vault ({match[1][:16]}...; this one is {vault[:16]}...)",
            remedy=f"name the right file with {arg(argument)}",
        )
    return Key(bytes.fromhex(match[2]), vault)
