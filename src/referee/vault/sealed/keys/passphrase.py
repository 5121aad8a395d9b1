"""A passphrase in place of a key file, stretched by scrypt.

References
----------
Percival (2009), Stronger key derivation via sequential memory-hard functions; RFC 7914.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from referee.errors import InputError

__all__ = ["Stretching"]

_SIZE = 32
_MOST_MEMORY = 2**30


@dataclass(frozen=True)
class Stretching:
    """How a passphrase becomes a key: scrypt with its salt and its three numbers.

    By default one try takes 128 MiB and some tenths of a second.

    Attributes
    ----------
    salt : str
        32 hexadecimal digits, another for every vault.
    n, r, p : int
        Cost, block size and parallelism.

    Examples
    --------
    >>> cheap = Stretching("00" * 16, n=2)
    >>> len(cheap.secret("correct horse"))
    32
    >>> cheap.secret("café") == cheap.secret("cafe" + chr(0x301))
    True
    """

    salt: str
    n: int = 2**17
    r: int = 8
    p: int = 1

    @classmethod
    def new(cls) -> Stretching:
        """Return the default with a fresh salt."""
        return cls(os.urandom(16).hex())

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Stretching:
        """Read it from a header; ValueError where no machine should try."""
        stretching = cls(str(record["salt"]), *(int(record[name]) for name in ("n", "r", "p")))
        bytes.fromhex(stretching.salt)
        power_of_two = stretching.n > 1 and stretching.n & (stretching.n - 1) == 0
        if not power_of_two or min(stretching.r, stretching.p) < 1 or stretching.p > 16:
            raise ValueError("not parameters of scrypt")
        if 128 * stretching.n * stretching.r > _MOST_MEMORY:
            raise ValueError("would take more than a gibibyte")
        return stretching

    def secret(self, passphrase: str) -> bytes:
        """Return the 32 bytes that a passphrase stands for, however its letters are composed."""
        if not passphrase:
            raise InputError("the passphrase is empty", remedy="give at least one character")
        text = unicodedata.normalize("NFC", passphrase).encode()
        salt = bytes.fromhex(self.salt)
        return Scrypt(salt=salt, length=_SIZE, n=self.n, r=self.r, p=self.p).derive(text)
