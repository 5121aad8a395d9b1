"""The sealed file: a clear, authenticated header and the encrypted labels (docs/vault.md).

====== ==== =================================================================================
offset size content
====== ==== =================================================================================
0      8    the letters ``REFVAULT``
8      2    version of the format, 1
10     2    zero
12     4    H, the length of the header
16     H    the header: canonical JSON in UTF-8
16+H   12   nonce of AES-256-GCM
28+H   8    C, the length of what follows
36+H   C    the encrypted labels, the last 16 bytes being the tag
====== ==== =================================================================================

Numbers are unsigned and big-endian. Everything before the encrypted labels is associated data of
the encryption: change a bit of it, and the labels cannot be decrypted. The file ends with them.
"""

from __future__ import annotations

import hashlib
import os
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from referee.core.machine.plain_file import file_bytes
from referee.errors import InputError
from referee.vault.sealed.ledger.canonical import canonical_bytes, read_canonical

__all__ = ["FORMAT", "NewerFormatError", "SealedFile", "read_sealed_file", "seal_bytes"]

FORMAT = 1
"""The version that is written; newer ones are refused."""

_MAGIC = b"REFVAULT"
_START = struct.Struct(">8sHHI")
_LENGTH = struct.Struct(">Q")
_NONCE, _TAG = 12, 16


class NewerFormatError(InputError):
    """A file of a vault was written by a newer referee; nothing can be said about it."""

    def __init__(self, path: object, length: int, known: int) -> None:
        super().__init__(
            f"{path} has format {length}, and this referee reads format {known} only; install a "
            "newer referee (pip install --upgrade referee), or restore the file if it was changed"
        )


@dataclass(frozen=True, eq=False)
class SealedFile:
    """A sealed file as it stands on disk; nothing is decrypted yet.

    Attributes
    ----------
    header : mapping
        The clear part, not yet known to be authentic.
    associated : bytes
        All bytes before the encrypted labels.
    nonce, encrypted : bytes
        What the labels are decrypted from.
    sha256 : bytes
        The hash of the whole file, where the ledger's chain begins.
    path : str
        Where it was read from, for messages.
    """

    header: Mapping[str, Any]
    associated: bytes
    nonce: bytes
    encrypted: bytes
    sha256: bytes
    path: str

    def decrypt(self, key: bytes) -> bytes:
        """Return the secret part; refuse a file that is not, bit for bit, what was sealed."""
        try:
            return AESGCM(key).decrypt(self.nonce, self.encrypted, self.associated)
        except InvalidTag:
            raise InputError(
                f"{self.path} is not as it was sealed: it cannot be decrypted, though the key is "
                "the right one",
                remedy="restore the file from a copy",
            ) from None


def seal_bytes(header: Mapping[str, Any], secret: bytes, key: bytes) -> bytes:
    """Return the bytes of a sealed file.

    Examples
    --------
    >>> data = seal_bytes({"n": 2}, b"secret", bytes(32))
    >>> sealed = parse_sealed_file(data, "labels.sealed")
    >>> dict(sealed.header), sealed.decrypt(bytes(32))
    ({'n': 2}, b'secret')
    """
    clear = canonical_bytes(header)
    nonce = os.urandom(_NONCE)
    start = _START.pack(_MAGIC, FORMAT, 0, len(clear))
    associated = start + clear + nonce + _LENGTH.pack(len(secret) + _TAG)
    return associated + AESGCM(key).encrypt(nonce, secret, associated)


def read_sealed_file(path: Path) -> SealedFile:
    """Read a sealed file, or say why it is none."""
    try:
        data = file_bytes(path)
    except OSError as problem:
        raise InputError(
            f"{path} cannot be read ({problem.strerror})",
            remedy="name a directory that referee vault seal wrote",
        ) from None
    return parse_sealed_file(data, str(path))


def parse_sealed_file(data: bytes, path: str) -> SealedFile:
    """Return the parts of a sealed file; one that is cut short, longer or newer is refused."""
    if data[: len(_MAGIC)] != _MAGIC or len(data) < _START.size:
        raise InputError(f"{path} is no sealed file of referee", remedy="restore it from a copy")
    _, version, zero, length = _START.unpack_from(data)
    if version > FORMAT:
        raise NewerFormatError(path, version, FORMAT)
    end = _START.size + length
    body = end + _NONCE + _LENGTH.size
    size = _LENGTH.unpack_from(data, end + _NONCE)[0] if body <= len(data) else -1
    if version < 1 or zero or size < _TAG or len(data) != body + size:
        raise _damaged(path)
    try:
        header = read_canonical(data[_START.size : end])
    except (ValueError, RecursionError):
        raise _damaged(path) from None
    if not isinstance(header, dict):
        raise _damaged(path)
    return SealedFile(
        header=header,
        associated=data[:body],
        nonce=data[end : end + _NONCE],
        encrypted=data[body:],
        sha256=hashlib.sha256(data).digest(),
        path=path,
    )


def _damaged(path: str) -> InputError:
    return InputError(
        f"{path} is damaged: it is not as it was sealed", remedy="restore it from a copy"
    )
