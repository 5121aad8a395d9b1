"""Sessions: what a browser signs in with, in the database so that they can be ended."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from sqlalchemy import Connection, insert, select, update

from referee.arena.accounts.account import Account
from referee.arena.accounts.tokens import token_digest
from referee.arena.arena import Arena
from referee.arena.clock import time_text
from referee.arena.store import tables

__all__ = ["begin_session", "end_session", "end_sessions", "session_account"]

IDLE, LONGEST = timedelta(hours=12), timedelta(days=14)
"""How long a session lasts without a visit, and at most."""

_FRESH = timedelta(minutes=5)
"""Visits closer together than this are not written down."""


def begin_session(arena: Arena, account: Account) -> str:
    """Make a session and return the secret for the cookie; the store keeps a hash."""
    secret, time = secrets.token_urlsafe(32), arena.now()

    def work(connection: Connection) -> str:
        connection.execute(
            insert(tables.sessions).values(
                sha256=token_digest(secret), account=account.id, created_at=time, seen_at=time
            )
        )
        return secret

    return arena.store.write(work)


def session_account(arena: Arena, secret: str) -> Account | None:
    """Return whose session it is; None if it ended, expired or never was."""
    table, account = tables.sessions, tables.accounts
    digest, now = token_digest(secret), arena.clock()
    with arena.store.read() as connection:
        row = connection.execute(
            select(account, table.c.seen_at, table.c.created_at.label("begun_at"))
            .join(table, table.c.account == account.c.id)
            .where(table.c.sha256 == digest, table.c.ended_at.is_(None))
        ).one_or_none()
    if row is None or row.seen_at < time_text(now - IDLE):
        return None
    if row.begun_at < time_text(now - LONGEST):
        return None
    _seen(arena, digest, row.seen_at, now)
    return Account.of(row)


def _seen(arena: Arena, digest: str, before: str, now: datetime) -> None:
    if before >= time_text(now - _FRESH):
        return
    table = tables.sessions

    def work(connection: Connection) -> None:
        connection.execute(
            update(table).where(table.c.sha256 == digest).values(seen_at=time_text(now))
        )

    arena.store.write(work)


def end_session(arena: Arena, secret: str) -> None:
    """Sign out."""
    table, time = tables.sessions, arena.now()

    def work(connection: Connection) -> None:
        connection.execute(
            update(table).where(table.c.sha256 == token_digest(secret)).values(ended_at=time)
        )

    arena.store.write(work)


def end_sessions(arena: Arena, account: Account) -> None:
    """Sign out everywhere."""
    table, time = tables.sessions, arena.now()

    def work(connection: Connection) -> None:
        connection.execute(
            update(table)
            .where(table.c.account == account.id, table.c.ended_at.is_(None))
            .values(ended_at=time)
        )

    arena.store.write(work)
