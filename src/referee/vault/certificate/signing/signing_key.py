"""Keys that sign certificates: Ed25519, as PEM files that other tools read, too."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from referee.core.machine.plain_file import file_bytes
from referee.errors import InputError
from referee.vault.certificate.extra import extra_module
from referee.vault.sealed.ledger.durable import create_file

__all__ = ["PublicKey", "create_signing_key", "read_public_key", "read_signing_key"]


@dataclass(frozen=True)
class PublicKey:
    """A key that verifies signatures.

    Attributes
    ----------
    hex : str
        The 32 bytes of the key, in hexadecimal.
    """

    hex: str

    @classmethod
    def of(cls, key: Ed25519PublicKey) -> PublicKey:
        """Take the key from the library's own form."""
        return cls(key.public_bytes(Encoding.Raw, PublicFormat.Raw).hex())

    @property
    def checked(self) -> Any:
        """The key as `securesystemslib` knows it."""
        signer = extra_module("securesystemslib.signer")
        return signer.SSlibKey.from_crypto(
            Ed25519PublicKey.from_public_bytes(bytes.fromhex(self.hex))
        )

    @property
    def keyid(self) -> str:
        """The name of the key in envelopes: a SHA-256 of it."""
        return str(self.checked.keyid)


def create_signing_key(path: Path) -> Path:
    """Write a new key, readable by its owner alone, and its public half beside it.

    Returns
    -------
    Path
        The public key: the same name with ``.pub``.
    """
    public = path.with_suffix(".pub")
    for target in (path, public):
        if os.path.lexists(target):
            raise InputError(
                f"{target} exists already", remedy="name another file, or move it away"
            )
    key = Ed25519PrivateKey.generate()
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    create_file(path, secret, mode=0o600)
    try:
        shown = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        create_file(public, shown)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return public


def read_signing_key(path: Path) -> Ed25519PrivateKey:
    """Read a key that signs; anything else is refused, and nothing of it is shown."""
    content = _content(path)
    try:
        key = load_pem_private_key(content, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        raise InputError(
            f"{path} holds no Ed25519 key that signs", remedy="make one with referee certify keygen"
        )
    return key


def read_public_key(path: Path) -> PublicKey:
    """Read a public key."""
    content = _content(path)
    try:
        key = load_pem_public_key(content)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PublicKey):
        raise InputError(
            f"{path} holds no public Ed25519 key",
            remedy="name the .pub file that referee certify keygen wrote",
        )
    return PublicKey.of(key)


def _content(path: Path) -> bytes:
    try:
        return file_bytes(path)
    except OSError as problem:
        raise InputError(
            f"{path} cannot be read ({problem.strerror})",
            remedy="make keys with referee certify keygen",
        ) from None
