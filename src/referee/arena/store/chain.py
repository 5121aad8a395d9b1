"""The chain: a log that only grows, each entry bound to all before it.

It is the vault's chain (`referee.vault.sealed.entry`) kept in a table. The row of `head` is locked
while an entry is written, so entries stand in the order in which they were decided.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from referee.arena.store.tables import head, log
from referee.vault.sealed.keys.key import Key
from referee.vault.sealed.ledger.canonical import canonical_text
from referee.vault.sealed.ledger.entry import Entry, link

__all__ = ["append", "begin_chain", "entries", "last_link", "log_length", "origin"]

# Statements of the way of a submission are built once: building one costs more than running it.
_LAST = select(head.c.number, head.c.hash).where(head.c.id == 1).with_for_update()
_NEXT = insert(log)
_ADVANCE = update(head).where(head.c.id == 1)


def origin(arena: str) -> bytes:
    """Return the hash before the first entry: the arena's number, twice."""
    return bytes.fromhex(arena) * 2


def begin_chain(connection: Connection, arena: str) -> None:
    """Make the head of an empty log."""
    connection.execute(insert(head).values(id=1, number=0, hash=origin(arena)))


def last_link(connection: Connection) -> tuple[int, bytes]:
    """Lock the head, and return the number and the hash of the last entry."""
    row = connection.execute(_LAST).one()
    return int(row.number), bytes(row.hash)


def log_length(connection: Connection) -> int:
    """Return the number of the last entry; it grows with every change."""
    return int(connection.execute(select(head.c.number).where(head.c.id == 1)).scalar_one())


def append(
    connection: Connection, key: Key, time: str, kind: str, content: Mapping[str, Any]
) -> Entry:
    """Write the next entry and return it; it stands when the transaction does."""
    number, before = last_link(connection)
    text = canonical_text(content)
    digest = link(before, number + 1, time, kind, text)
    entry = Entry(number + 1, time, kind, text, digest, key.mac(digest))
    last = {"number": entry.number, "hash": entry.hash}
    rest = {"time": time, "kind": kind, "content": text, "mac": entry.mac}
    connection.execute(_NEXT, last | rest)
    connection.execute(_ADVANCE, last)
    return entry


def entries(connection: Connection, start: int = 1, end: int | None = None) -> Iterator[Entry]:
    """Return the entries from a number on, in order."""
    query = select(log).where(log.c.number >= start).order_by(log.c.number)
    if end is not None:
        query = query.where(log.c.number <= end)
    for row in connection.execution_options(yield_per=1000).execute(query):
        yield entry_of(row)


def entry_of(row: Row[Any]) -> Entry:
    """Return the entry that a row holds."""
    return Entry(row.number, row.time, row.kind, row.content, bytes(row.hash), bytes(row.mac))
