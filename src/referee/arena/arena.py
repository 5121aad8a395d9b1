"""Arena: an opened directory with its database, keys and clock; what every function takes first."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sqlalchemy import Connection, insert, select

from referee.arena.clock import Clock, system_clock, time_text
from referee.arena.metrics import Metrics
from referee.arena.places import Places, close_secrets, create_places, open_places
from referee.arena.store import chain, tables
from referee.arena.store.database import database_url
from referee.arena.store.migrating import migrate, newest, revision_of
from referee.arena.store.store import ROOM, Store
from referee.errors import InputError
from referee.vault.certificate.signing.signing_key import (
    PublicKey,
    create_signing_key,
    read_signing_key,
)
from referee.vault.sealed.keys.key import Key, create_key_file, new_secret, read_key_file
from referee.vault.sealed.ledger.durable import create_file
from referee.vault.sealed.ledger.entry import Entry
from referee.vault.sealed.ledger.lock import alone

if TYPE_CHECKING:
    from referee.arena.accounts.passwords import Passwords
    from referee.arena.benchmark.definition import Definition
    from referee.arena.benchmark.truth import Truth

__all__ = ["REGISTRATIONS", "Arena", "create_arena", "open_arena"]

REGISTRATIONS = ("approval", "open")
"""Who may take part: those an organiser approves, or everybody."""


class Arena:
    """What the arena's functions work on; use `open_arena`, which closes it.

    Attributes
    ----------
    places : Places
        Its files.
    store : Store
        Its database.
    key : Key
        Encrypts labels and authenticates the log.
    signing_key : Ed25519PrivateKey
        Signs receipts and final boards.
    clock : callable
        Tells the time.
    registration : str
        "approval" or "open".
    passwords, guesses, registrations
        How passwords are hashed, how fast they may be guessed, and accounts made.
    """

    def __init__(
        self,
        places: Places,
        store: Store,
        *,
        clock: Clock = system_clock,
        passwords: Passwords | None = None,
    ) -> None:
        from referee.arena.accounts.guesses import Guesses
        from referee.arena.accounts.passwords import Passwords
        from referee.arena.scoring.board_cache import BoardCache

        self.places, self.store, self.clock = places, store, clock
        self.key: Key = read_key_file(places.key, vault=places.arena)
        self.signing_key: Ed25519PrivateKey = read_signing_key(places.signing_key)
        self.passwords: Passwords = passwords or Passwords()
        self.guesses = Guesses()
        self.registrations = Guesses(
            what="new accounts from this address", pairs=20, addresses=20, accounts=None
        )
        self.boards = BoardCache()
        self.metrics = Metrics()
        self.definitions: dict[int, Definition] = {}
        self.truths: dict[int, Truth] = {}
        self.registration = self._setting("registration")

    @property
    def public_key(self) -> PublicKey:
        """The key that verifies receipts and final boards."""
        return PublicKey.of(self.signing_key.public_key())

    def now(self) -> str:
        """Return the time as the store writes it."""
        return time_text(self.clock())

    def record(
        self, connection: Connection, time: str, kind: str, content: Mapping[str, Any]
    ) -> Entry:
        """Write an entry of the log, inside the transaction that does what it tells."""
        return chain.append(connection, self.key, time, kind, content)

    def _setting(self, name: str) -> str:
        table = tables.settings
        with self.store.read() as connection:
            return str(
                connection.execute(select(table.c.value).where(table.c.name == name)).scalar_one()
            )


@contextlib.contextmanager
def create_arena(
    directory: Path,
    *,
    database: str | None = None,
    registration: str = "approval",
    clock: Clock = system_clock,
    passwords: Passwords | None = None,
) -> Iterator[Arena]:
    """Make an empty arena and hold it open; whatever goes wrong, the directory does not stay."""
    import shutil

    if registration not in REGISTRATIONS:
        raise InputError(
            "must be 'approval' or 'open'", argument="registration", value=repr(registration)
        )
    was_there = directory.exists()
    places = create_places(directory)
    try:
        create_key_file(places.key, Key(new_secret(), places.arena))
        create_signing_key(places.signing_key)
        if database is None:  # hashes of passwords and everybody's predictions will be in it
            create_file(places.database, b"", mode=0o600)
        with alone(places.lock, patience=0):
            store = Store(database_url(database, places.database), directory)
            try:
                _begin(store, places.arena, registration)
                yield Arena(places, store, clock=clock, passwords=passwords)
            finally:
                store.close()
    except BaseException:
        shutil.rmtree(directory, ignore_errors=True)
        if was_there:
            directory.mkdir(exist_ok=True)
        raise


def _begin(store: Store, arena: str, registration: str) -> None:
    with store.engine.begin() as connection:
        if revision_of(connection) is not None:
            raise InputError(
                "the database holds an arena already",
                concerning="database",
                remedy="name an empty one with --database",
            )
    migrate(store.engine)

    def work(connection: Connection) -> None:
        chain.begin_chain(connection, arena)
        for name, value in {"registration": registration, "arena": arena}.items():
            connection.execute(insert(tables.settings).values(name=name, value=value))

    store.write(work)


@contextlib.contextmanager
def open_arena(
    directory: str | Path,
    *,
    database: str | None = None,
    read_only: bool = False,
    clock: Clock = system_clock,
    passwords: Passwords | None = None,
    room: int = ROOM,
) -> Iterator[Arena]:
    """Hold an arena open. Only one process may write to an SQLite file at a time.

    Parameters
    ----------
    directory : str or path
        What `referee arena init` wrote.
    database : str or None
        The address of a PostgreSQL database; None for the directory's SQLite file.
    read_only : bool
        Whether nothing will be written, which another process may do meanwhile.
    clock, passwords
        For tests.
    room : int
        Bytes that must be free on the disk before anything is written.
    """
    places = open_places(Path(directory))
    close_secrets(places)
    url = database_url(database, places.database)
    with contextlib.ExitStack() as stack:
        single = database is None
        if single and not places.database.exists():
            raise InputError(
                f"{places.database} is missing",
                concerning="database",
                remedy="restore it from a backup, or name the arena's database with --database",
            )
        if single and not read_only:
            stack.enter_context(_only_writer(places))
        store = Store(url, places.directory, room=room)
        stack.callback(store.close)
        _check_tables(store, read_only=read_only)
        arena = Arena(places, store, clock=clock, passwords=passwords)
        if arena._setting("arena") != places.arena:
            raise InputError(
                f"the database belongs to another arena than {directory}",
                remedy="correct one of them",
            )
        yield arena


@contextlib.contextmanager
def _only_writer(places: Places) -> Iterator[None]:
    try:
        with alone(places.lock, patience=0):
            yield
    except InputError as problem:
        if "in use by another process" not in str(problem):
            raise
        raise InputError(
            f"{places.directory} is in use by another process, and an SQLite file has one writer",
            at=str(places.directory),
            remedy="stop referee arena serve first, or do this on the organiser's pages",
        ) from None


def _check_tables(store: Store, *, read_only: bool) -> None:
    if not read_only:
        migrate(store.engine)
        return
    with store.read() as connection:
        revision = revision_of(connection)
    if revision != newest():
        raise InputError(
            f"the database has revision {revision}, and this referee {newest()}",
            remedy="start referee arena serve once to bring it up to date",
        )
