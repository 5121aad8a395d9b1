"""Tokens: what programs sign in with. Shown once, stored as a hash."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from hashlib import sha256

from sqlalchemy import Connection, bindparam, insert, select, update

from referee.arena.accounts.account import Account
from referee.arena.accounts.names import checked_text
from referee.arena.arena import Arena
from referee.arena.problem import Problem
from referee.arena.store import tables

__all__ = ["NewToken", "Token", "create_token", "revoke_token", "token_account", "tokens"]

_OWNER = (
    select(tables.accounts)
    .join(tables.tokens, tables.tokens.c.account == tables.accounts.c.id)
    .where(tables.tokens.c.sha256 == bindparam("digest"), tables.tokens.c.revoked_at.is_(None))
)


@dataclass(frozen=True)
class Token:
    """A token without its secret.

    Attributes
    ----------
    id, label, created_at : str
        Its name, what its owner calls it, and when it was made.
    """

    id: str
    label: str
    created_at: str


@dataclass(frozen=True)
class NewToken(Token):
    """A token with its secret, which is shown this once.

    Attributes
    ----------
    secret : str
        256 random bits.
    """

    secret: str


def create_token(arena: Arena, account: Account, label: str) -> NewToken:
    """Make a token for an account."""
    label = checked_text(label, "label", 80)
    secret, name, time = secrets.token_urlsafe(32), secrets.token_hex(8), arena.now()

    def work(connection: Connection) -> NewToken:
        connection.execute(
            insert(tables.tokens).values(
                id=name,
                account=account.id,
                label=label,
                sha256=token_digest(secret),
                created_at=time,
            )
        )
        return NewToken(name, label, time, secret)

    return arena.store.write(work)


def tokens(arena: Arena, account: Account) -> tuple[Token, ...]:
    """Return the tokens of an account that still work."""
    table = tables.tokens
    with arena.store.read() as connection:
        rows = connection.execute(
            select(table)
            .where(table.c.account == account.id, table.c.revoked_at.is_(None))
            .order_by(table.c.created_at)
        ).all()
    return tuple(Token(row.id, row.label, row.created_at) for row in rows)


def revoke_token(arena: Arena, account: Account, name: str) -> None:
    """End a token of an account; those of others do not exist for it."""
    time, table = arena.now(), tables.tokens

    def work(connection: Connection) -> None:
        ended = connection.execute(
            update(table)
            .where(table.c.id == name, table.c.account == account.id, table.c.revoked_at.is_(None))
            .values(revoked_at=time)
        )
        if ended.rowcount != 1:
            raise Problem(404, "there is no such token of yours")

    arena.store.write(work)


def token_account(arena: Arena, secret: str) -> Account:
    """Return whose token it is."""
    with arena.store.read() as connection:
        row = connection.execute(_OWNER, {"digest": token_digest(secret)}).one_or_none()
    if row is None:
        raise Problem(401, "the token is unknown or was revoked; make one with POST /tokens")
    return Account.of(row)


def token_digest(secret: str) -> str:
    """Return what is stored of a token."""
    return sha256(secret.encode(errors="surrogatepass")).hexdigest()
