"""The store: transactions that read and transactions that write, on SQLite or PostgreSQL."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection, Engine, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, OperationalError

from referee.arena.problem import Problem
from referee.arena.store.database import is_sqlite, reading_engine, writing_engine
from referee.arena.store.writer import Writer
from referee.errors import InputError

__all__ = ["Health", "Store"]

T = TypeVar("T")

ROOM = 16 * 2**20
"""Bytes that must be free before anything is taken in."""

_SAFE_WAL = (3, 51, 3)
"""Before this version two writers on one WAL file could lose a commit."""

_RETRIES = 5


@dataclass(frozen=True)
class Health:
    """How the store is.

    Attributes
    ----------
    database : str
        Kind and version of the database.
    sqlite : str
        The version of the SQLite library.
    writer : bool
        Whether what writes is alive.
    disk_free : int
        Bytes.
    """

    database: str
    sqlite: str
    writer: bool
    disk_free: int


class Store:
    """The arena's database.

    Parameters
    ----------
    url : URL
        Of the database.
    directory : Path
        The arena's directory, whose disk must not be full.
    room : int
        Bytes that must be free there.
    """

    def __init__(self, url: URL, directory: Path, *, room: int = ROOM) -> None:
        self.url, self.directory, self.room = url, directory, room
        self.single = is_sqlite(url)
        self.writes = 0  # grows after each transaction of this process
        self._writing: Engine = writing_engine(url)
        self._reading: Engine = reading_engine(url, self._writing)
        self._writer = Writer(self._writing) if self.single else None
        self._closing, self._counting = threading.Lock(), threading.Lock()

    @property
    def engine(self) -> Engine:
        """The engine that writes; for migrations, before the first job."""
        return self._writing

    def write(self, work: Callable[[Connection], T]) -> T:
        """Run a job in one transaction; its result returns when it is on the disk.

        A job may run more than once (only the last run counts), so it must not do anything but
        read and write through the connection.
        """
        self.refuse_full_disk()
        with _troubles():
            writer = self._writer
            result = self._write_here(work) if writer is None else writer.write(work)
        with self._counting:
            self.writes += 1
        return result

    def _write_here(self, work: Callable[[Connection], T]) -> T:
        for attempt in range(_RETRIES):
            try:
                with self._writing.begin() as connection:
                    return work(connection)
            except OperationalError as problem:
                if attempt == _RETRIES - 1 or not _worth_another_try(problem):
                    raise
        raise AssertionError("unreachable")

    @contextlib.contextmanager
    def read(self) -> Iterator[Connection]:
        """Hold a connection that reads one consistent state."""
        with _troubles(), self._reading.connect() as connection, connection.begin():
            yield connection

    def refuse_full_disk(self) -> None:
        """Refuse to begin what could not be finished."""
        if shutil.disk_usage(self.directory).free < self.room:
            raise Problem(
                507,
                f"less than {self.room // 2**20} MiB are free on the arena's disk, so nothing was "
                "recorded and no try was counted; try again when the operator has made room",
                retry_after=60,
            )

    def health(self) -> Health:
        """Say how the store is; the database is really asked."""
        with self.read() as connection:
            ask = "SELECT sqlite_version()" if self.single else "SHOW server_version"
            version = str(connection.execute(text(ask)).scalar())
        kind = "SQLite" if self.single else "PostgreSQL"
        return Health(
            database=f"{kind} {version}",
            sqlite=sqlite3.sqlite_version,
            writer=self._writer is None or self._writer.alive,
            disk_free=shutil.disk_usage(self.directory).free,
        )

    def backup(self, target: Path) -> None:
        """Write a consistent copy of an SQLite database while others write."""
        if not self.single:
            raise InputError(
                "a PostgreSQL database is backed up by pg_dump; referee arena backup copies SQLite"
            )
        with self._reading.connect() as connection:
            source = connection.connection.driver_connection
            assert isinstance(source, sqlite3.Connection)
            with contextlib.closing(sqlite3.connect(target)) as copy:
                source.backup(copy)

    def close(self) -> None:
        """Finish the jobs that wait, and let go of the database."""
        with self._closing:
            if self._writer is not None:
                self._writer.close()
            self._reading.dispose()
            self._writing.dispose()


def refuse_old_sqlite(writers: int) -> None:
    """Refuse more than one writer with a library whose log can be reset under them.

    Examples
    --------
    >>> refuse_old_sqlite(1)
    """
    if writers > 1 and sqlite3.sqlite_version_info < _SAFE_WAL:
        raise InputError(
            f"SQLite {sqlite3.sqlite_version} can lose a commit when two connections write "
            f"(mended in {'.'.join(map(str, _SAFE_WAL))})",
            concerning="database",
            remedy="use one worker, or PostgreSQL with --database postgresql://...",
        )


def _worth_another_try(problem: OperationalError) -> bool:
    """Tell whether PostgreSQL has only chosen this transaction to give way."""
    return getattr(problem.orig, "sqlstate", None) in ("40001", "40P01")


@contextlib.contextmanager
def _troubles() -> Iterator[None]:
    """Turn what a database objects to into what a client can act on."""
    try:
        yield
    except DBAPIError as problem:
        if _full(problem):
            raise Problem(
                507,
                "the arena's disk is full, so nothing was recorded and no try was counted; try "
                "again when the operator has made room",
                retry_after=60,
            ) from None
        if isinstance(problem, OperationalError):
            raise Problem(
                503,
                "the arena's database does not answer; nothing is known to have been recorded, so "
                "try again with the same Idempotency-Key",
                retry_after=5,
            ) from None
        raise


def _full(problem: DBAPIError) -> bool:
    code = getattr(problem.orig, "sqlite_errorname", "") or getattr(problem.orig, "sqlstate", "")
    return code in ("SQLITE_FULL", "53100") or str(code).startswith("SQLITE_IOERR_WRITE")
