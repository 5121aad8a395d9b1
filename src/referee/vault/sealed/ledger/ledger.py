"""The ledger: every look in an SQLite file that only grows, each entry bound to those before it.

A look is written, and on the disk, before its answer is computed. Triggers keep honest programs
from changing an entry; the chain (`referee.vault.sealed.ledger.entry`) shows it when somebody did.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from referee.errors import InputError
from referee.vault.sealed.keys.key import Key
from referee.vault.sealed.labels.sealed_file import NewerFormatError
from referee.vault.sealed.ledger.entry import Entry, EntryKind, new_entry

__all__ = ["Ledger", "file_digest", "has_journal", "open_ledger"]

_VERSION = 1
_APPLICATION = 0x52464C47
_PATIENCE = 60.0

_SCHEMA = (
    """CREATE TABLE entries (
  number INTEGER PRIMARY KEY,
  time TEXT NOT NULL,
  kind TEXT NOT NULL,
  content TEXT NOT NULL,
  hash BLOB NOT NULL,
  mac BLOB NOT NULL
)""",
    """CREATE TRIGGER no_change BEFORE UPDATE ON entries
BEGIN SELECT RAISE(ABORT, 'the ledger only grows'); END""",
    """CREATE TRIGGER no_removal BEFORE DELETE ON entries
BEGIN SELECT RAISE(ABORT, 'the ledger only grows'); END""",
    """CREATE TRIGGER no_gap BEFORE INSERT ON entries
WHEN NEW.number <> (SELECT COALESCE(MAX(number), 0) + 1 FROM entries)
BEGIN SELECT RAISE(ABORT, 'entries are numbered without gaps'); END""",
)


class Ledger:
    """An open ledger. Use `open_ledger`, which closes it.

    Parameters
    ----------
    connection : sqlite3.Connection
        In autocommit mode; `writing` makes transactions.
    path : Path
        The file, for messages.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self.path = path

    def create(self) -> None:
        """Make the table and its triggers in an empty file."""
        self._connection.execute(f"PRAGMA application_id = {_APPLICATION}")
        self._connection.execute(f"PRAGMA user_version = {_VERSION}")
        for statement in _SCHEMA:
            self._connection.execute(statement)

    def check_schema(self) -> None:
        """Refuse a file whose table or triggers are not the ledger's."""
        rows = self._connection.execute("SELECT sql FROM sqlite_schema ORDER BY rowid").fetchall()
        (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        (application,) = self._connection.execute("PRAGMA application_id").fetchone()
        if application == _APPLICATION and version > _VERSION:
            raise NewerFormatError(self.path, version, _VERSION)
        if tuple(row[0] for row in rows) != _SCHEMA or version != _VERSION:
            raise InputError(
                f"{self.path} is not as referee made it: its table or its triggers were changed",
                at=str(self.path),
            )

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the right to write; what was appended is on the disk when this ends well.

        Where something raises inside, nothing was appended.
        """
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    def append(self, kind: EntryKind, content: Mapping[str, Any], before: Entry, key: Key) -> Entry:
        """Write the entry that comes after another and return it."""
        return self._insert(new_entry(before.hash, before.number + 1, kind, content, key))

    def begin(self, content: Mapping[str, Any], sealed: bytes, key: Key) -> Entry:
        """Write the first entry; its chain begins with the hash of the sealed file."""
        return self._insert(new_entry(sealed, 1, EntryKind.SEALED, content, key))

    def _insert(self, entry: Entry) -> Entry:
        self._connection.execute(
            "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)",
            (entry.number, entry.time, entry.kind, entry.text, entry.hash, entry.mac),
        )
        return entry

    def entries(self, start: int = 1) -> list[Entry]:
        """Return the entries from a number on, in order."""
        rows = self._connection.execute(
            "SELECT number, time, kind, content, hash, mac FROM entries WHERE number >= ? "
            "ORDER BY number",
            (start,),
        )
        return [self._entry(row) for row in rows]

    def first(self) -> Entry:
        """Return the entry with which the ledger began."""
        return self._one("number ASC")

    def last(self) -> Entry:
        """Return the last entry."""
        return self._one("number DESC")

    def _one(self, order: str) -> Entry:
        rows = self._connection.execute(
            f"SELECT number, time, kind, content, hash, mac FROM entries ORDER BY {order} LIMIT 1"
        ).fetchall()
        if not rows:
            raise InputError(f"{self.path} is empty: its entries were removed", remedy="restore it")
        return self._entry(rows[0])

    def _entry(self, row: tuple[Any, ...]) -> Entry:
        if tuple(map(type, row)) != (int, str, str, str, bytes, bytes):
            raise InputError(
                f"{self.path}, entry {row[0]!r}: not what referee writes", remedy="restore it"
            )
        return Entry(*row)

    def settle(self) -> bool:
        """Move everything from the journal into the file; tell whether that was possible."""
        (busy, *_) = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy


@contextlib.contextmanager
def open_ledger(path: Path, *, read_only: bool = False, new: bool = False) -> Iterator[Ledger]:
    """Open a ledger and close it again; troubles of SQLite become messages.

    Read-only opening leaves no trace, not even for a moment; it needs a settled ledger.
    """
    if not new and not path.is_file():
        raise InputError(
            f"{path} is missing: without its ledger a vault answers nothing", remedy="restore it"
        )
    mode = "ro&immutable=1" if read_only else ("rwc" if new else "rw")
    address = f"file:{quote(os.path.abspath(path))}?mode={mode}"
    try:
        connection = sqlite3.connect(address, uri=True, isolation_level=None, timeout=_PATIENCE)
        try:
            ledger = Ledger(connection, path)
            if new:
                # Entries are small, and each is a write of whole pages.
                connection.execute("PRAGMA page_size = 1024")
            _prepare(connection, read_only=read_only)
            if new:
                ledger.create()
            ledger.check_schema()
            yield ledger
        finally:
            connection.close()
    except (sqlite3.Error, UnicodeDecodeError) as problem:
        raise InputError(_trouble(path, problem)) from None


def _prepare(connection: sqlite3.Connection, *, read_only: bool) -> None:
    # Text that is not UTF-8 is a changed byte, to be found by the chain and not by a traceback.
    connection.text_factory = lambda data: data.decode(errors="backslashreplace")
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    if not read_only:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA fullfsync = ON")


def _trouble(path: Path, problem: Exception) -> str:
    name = getattr(problem, "sqlite_errorname", "")
    if name.startswith("SQLITE_FULL") or name.startswith("SQLITE_IOERR"):
        return f"{path} cannot be written: {problem}; make room on the disk (df says how much)"
    if name.startswith("SQLITE_BUSY"):
        return f"{path} is in use by another program ({problem}); try again when it has ended"
    if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
        return f"{path} cannot be written: {problem}; check the permissions of its directory"
    return f"{path} was changed or damaged: {problem}; restore it from a copy"


def has_journal(path: Path) -> bool:
    """Tell whether a process that wrote the ledger was stopped before it could tidy up."""
    journal = path.with_name(path.name + "-wal")
    return journal.exists() and journal.stat().st_size > 0


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
