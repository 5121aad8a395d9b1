"""History: what was released, when, to whom; all of it stood on the board at its time."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import select

from referee.arena.arena import Arena
from referee.arena.benchmark.benchmarks import find_version
from referee.arena.store import tables

__all__ = ["Release", "history"]


@dataclass(frozen=True)
class Release:
    """A release.

    Attributes
    ----------
    team, time : str
        Whose, and when.
    value : float
        What was released.
    """

    team: str
    time: str
    value: float


def history(arena: Arena, slug: str, number: int | None = None) -> tuple[Release, ...]:
    """Return the releases of a benchmark in the order in which they came."""
    table, account = tables.submissions, tables.accounts
    with arena.store.read() as connection:
        benchmark = find_version(arena, connection, slug, number)
        rows = connection.execute(
            select(account.c.name, table.c.received_at, table.c.rung)
            .join(account, account.c.id == table.c.account)
            .where(table.c.version == benchmark.id, table.c.rung.is_not(None))
            .order_by(table.c.number)
        ).all()
    grid = benchmark.definition.grid
    return tuple(Release(row.name, row.received_at, grid.value(row.rung)) for row in rows)
