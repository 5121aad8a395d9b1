"""The database behind a store: SQLite in the arena's directory, or PostgreSQL."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.pool import QueuePool

from referee.errors import InputError

__all__ = ["DatabaseAway", "database_url", "is_sqlite", "reading_engine", "writing_engine"]

_PATIENCE = 60.0


class DatabaseAway(InputError):
    """The database does not answer; it may come back."""


def database_url(text: str | None, file: Path) -> URL:
    """Return the address of the database; without one it is the SQLite file of the directory.

    Examples
    --------
    >>> database_url(None, Path("arena.sqlite")).database
    'arena.sqlite'
    >>> database_url("postgresql://me@localhost/arena", Path("arena.sqlite")).drivername
    'postgresql+psycopg'
    >>> database_url("mysql://localhost/arena", Path("arena.sqlite"))
    Traceback (most recent call last):
    ...
    referee.errors.InputError: database must begin with postgresql://, got 'mysql://...'; leave \
it out for SQLite
    """
    if text is None:
        return URL.create("sqlite", database=str(file))
    try:
        url = make_url(text)
    except ArgumentError:
        raise InputError(
            "database is no address",
            remedy="write postgresql://user@host/name",
        ) from None
    kind = url.get_backend_name()
    if kind != "postgresql":
        # The address may hold a password, so only its beginning is repeated.
        raise InputError(
            "must begin with postgresql://",
            argument="database",
            value=repr(f"{kind}://..."),
            remedy="leave it out for SQLite",
        )
    return url.set(drivername="postgresql+psycopg")


def is_sqlite(url: URL) -> bool:
    """Tell whether it is a file with one writer."""
    return url.get_backend_name() == "sqlite"


def writing_engine(url: URL, *, connections: int = 8) -> Engine:
    """Return the engine whose transactions write."""
    if is_sqlite(url):
        return _sqlite(url, begin="BEGIN IMMEDIATE", connections=1)
    engine = create_engine(
        url, pool_size=connections, max_overflow=0, pool_pre_ping=True, pool_timeout=_PATIENCE
    )
    check_answers(engine)
    return engine


def reading_engine(url: URL, writing: Engine, *, connections: int = 8) -> Engine:
    """Return the engine whose transactions only read."""
    if is_sqlite(url):
        return _sqlite(url, begin="BEGIN", connections=connections, query_only=True)
    return writing


def check_answers(engine: Engine) -> None:
    """Refuse a database that does not answer, without repeating its address."""
    try:
        with engine.connect():
            pass
    except SQLAlchemyError as problem:
        reason = str(getattr(problem, "orig", problem)).strip().splitlines()
        raise DatabaseAway(
            f"the database does not answer ({reason[0] if reason else type(problem).__name__}); "
            "start it, or correct the address given with --database"
        ) from None


def _sqlite(url: URL, *, begin: str, connections: int, query_only: bool = False) -> Engine:
    engine = create_engine(
        url,
        poolclass=QueuePool,
        pool_size=connections,
        max_overflow=0,
        pool_timeout=_PATIENCE,
        connect_args={"check_same_thread": False, "timeout": _PATIENCE, "isolation_level": None},
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _: Any) -> None:
        connection.isolation_level = None
        connection.execute("PRAGMA journal_mode = WAL")
        # The answer is sent after the commit, so the commit has to be on the disk by then.
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        if query_only:
            connection.execute("PRAGMA query_only = ON")

    @event.listens_for(engine, "begin")
    def start(connection: Any) -> None:
        connection.exec_driver_sql(begin)

    return engine
