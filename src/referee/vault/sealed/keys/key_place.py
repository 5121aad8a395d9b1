"""Where the key of a vault is kept, and beside it the head of its ledger."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from referee.errors import InputError, arg
from referee.vault.sealed.keys.key import Key, read_key_file

if TYPE_CHECKING:
    from referee.vault.sealed.labels.header import Header

__all__ = ["KeyPlace", "Passphrase", "configuration"]

Passphrase: TypeAlias = str | Callable[[], str] | None
"""A passphrase, or something that asks for it when it is needed."""


def configuration() -> Path:
    """Return the directory of keys: ``referee/vaults`` in the user's configuration directory.

    ``XDG_CONFIG_HOME`` says where that is; without it ``~/.config``, on Windows ``%APPDATA%``.
    """
    base = os.environ.get("XDG_CONFIG_HOME", "")
    if not os.path.isabs(base):  # the specification says that others are to be ignored
        base = os.environ.get("APPDATA", "") if os.name == "nt" else ""
    home = Path(base) if base else Path.home() / ".config"
    return home / "referee" / "vaults"


@dataclass(frozen=True)
class KeyPlace:
    """Where to find the key of a vault.

    Attributes
    ----------
    file : Path or None
        The key file that was named; None for the one in the configuration directory.
    passphrase : str, callable or None
        The passphrase, where the vault has one.
    argument : str
        What messages call the argument that names the file.
    """

    file: Path | None = None
    passphrase: Passphrase = None
    argument: str = "key"

    def key_file(self, vault: str) -> Path:
        """Return the file that holds the key of a vault."""
        return self.file if self.file is not None else configuration() / f"{vault}.key"

    def head_file(self, vault: str) -> Path:
        """Return the file that holds the head of a vault's ledger."""
        if self.file is not None:
            return self.file.with_name(f"{self.file.name}.head")
        return configuration() / f"{vault}.head"

    def key(self, header: Header) -> Key:
        """Return the key of a vault; a missing or wrong one is refused, with the remedy."""
        if header.stretching is None:
            return self._from_file(header)
        return self._from_passphrase(header)

    def _from_file(self, header: Header) -> Key:
        path = self.key_file(header.vault)
        return read_key_file(path, vault=header.vault, argument=self.argument)

    def _from_passphrase(self, header: Header) -> Key:
        assert header.stretching is not None
        passphrase = self.passphrase() if callable(self.passphrase) else self.passphrase
        if passphrase is None:
            raise InputError(
                "this vault was sealed with a passphrase",
                remedy=f"give the one it was sealed with by {arg('passphrase')}",
            )
        return Key(header.stretching.secret(passphrase), header.vault)
