"""Places: the files of an arena's directory.

::

    DIR/
      arena.json       format and number of this arena
      arena.sqlite     accounts, submissions, log (unless it is a PostgreSQL database)
      public/SLUG/vN/  train.csv, test.csv, example.csv: all that is ever served
      secret/          0700: key, signing.pem, labels/SLUG-vN.sealed (0600)

Labels are never below `public`, and nothing outside of it is served.
"""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import dataclass
from pathlib import Path

from referee.errors import InputError
from referee.vault.sealed.ledger.canonical import canonical_bytes
from referee.vault.sealed.ledger.durable import create_file

__all__ = ["FILES", "FORMAT", "Places", "close_secrets", "create_places", "open_places"]

FORMAT = 1
"""The version of the directory; others are refused."""

FILES = ("train", "test", "example")
"""The files of a benchmark that anyone may download."""


@dataclass(frozen=True)
class Places:
    """The files of one arena.

    Attributes
    ----------
    directory : Path
        Where it lives.
    arena : str
        32 hexadecimal digits that name the arena; the salt of its keys.
    """

    directory: Path
    arena: str

    @property
    def database(self) -> Path:
        """The SQLite file."""
        return self.directory / "arena.sqlite"

    @property
    def lock(self) -> Path:
        """The file whose lock a writing process holds."""
        return self.directory / "arena.json"

    @property
    def key(self) -> Path:
        """The key that encrypts labels and authenticates the log."""
        return self.directory / "secret" / "key"

    @property
    def signing_key(self) -> Path:
        """The key that signs receipts and final boards; its public half is beside it."""
        return self.directory / "secret" / "signing.pem"

    def labels(self, slug: str, number: int) -> Path:
        """Return where the sealed labels of a version are."""
        return self.directory / "secret" / "labels" / f"{slug}-v{number}.sealed"

    def public(self, slug: str, number: int) -> Path:
        """Return the directory that is served for a version."""
        return self.directory / "public" / slug / f"v{number}"

    def file(self, slug: str, number: int, name: str) -> Path:
        """Return a file for download."""
        return self.public(slug, number) / f"{name}.csv"


def create_places(directory: Path) -> Places:
    """Make the directory of a new arena; one that holds anything is refused."""
    if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
        raise InputError(
            f"{directory} exists already and is not empty",
            at=str(directory),
            remedy="name a new directory, or add a benchmark to an arena with referee arena add",
        )
    places = Places(directory, os.urandom(16).hex())
    record = {"format": FORMAT, "arena": places.arena}
    (directory / "secret" / "labels").mkdir(parents=True, exist_ok=True)
    (directory / "secret").chmod(0o700)
    (directory / "secret" / "labels").chmod(0o700)
    (directory / "public").mkdir(exist_ok=True)
    create_file(places.lock, canonical_bytes(record) + b"\n")
    return places


def close_secrets(places: Places) -> None:
    """Let only the owner read secrets and the database; what unpacks a backup may open them."""
    secret = places.directory / "secret"
    paths = [secret, *sorted(secret.rglob("*")), *places.directory.glob("arena.sqlite*")]
    for path in paths:
        with contextlib.suppress(OSError):  # gone since, or another's, who has to see to it
            mode = path.stat().st_mode
            if mode & 0o077:
                path.chmod(mode & 0o700)


def open_places(directory: Path) -> Places:
    """Return the places of an arena, or say why there is none."""
    file = directory / "arena.json"
    try:
        record = json.loads(file.read_bytes())
        version, arena = record["format"], record["arena"]
        bytes.fromhex(arena)
    except OSError as problem:
        raise InputError(
            f"{directory} is no arena: {file.name} cannot be read ({problem.strerror})",
            at=str(directory),
            remedy="make one with referee arena init",
        ) from None
    except (ValueError, KeyError, TypeError):
        raise InputError(
            f"{file} is damaged",
            at=str(file),
            remedy="restore it from a backup",
        ) from None
    if version != FORMAT:
        raise InputError(
            f"{directory} has format {version}, and this referee reads format {FORMAT}",
            at=str(directory),
            remedy="use the version of referee that wrote it",
        )
    return Places(directory, arena)
