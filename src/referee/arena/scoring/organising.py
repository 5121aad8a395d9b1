"""What organisers do with a benchmark while it runs; all of it stands in the log."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select, update

from referee.arena.accounts.account import Account
from referee.arena.arena import Arena
from referee.arena.benchmark.benchmarks import Benchmark, find_version, require_organiser
from referee.arena.clock import moment
from referee.arena.problem import Problem
from referee.arena.store import tables

__all__ = ["LogEntry", "audit_log", "extend", "freeze", "notices", "thaw"]


@dataclass(frozen=True)
class LogEntry:
    """An entry of the log as people read it.

    Attributes
    ----------
    number : int
        Counted from 1.
    time, kind : str
        When, and what.
    content : dict
        The rest.
    hash : str
        Its link of the chain.
    """

    number: int
    time: str
    kind: str
    content: dict[str, Any]
    hash: str


def freeze(
    arena: Arena, organiser: Account | None, slug: str, number: int | None = None
) -> Benchmark:
    """Take no more submissions until further notice; of the last version if none is named."""
    return _change(arena, organiser, (slug, number), "frozen", {"state": "frozen"}, {})


def thaw(
    arena: Arena, organiser: Account | None, slug: str, number: int | None = None
) -> Benchmark:
    """Take submissions again; of the last version if none is named."""
    return _change(arena, organiser, (slug, number), "thawed", {"state": "open"}, {})


def extend(
    arena: Arena, organiser: Account | None, slug: str, closes: str, number: int | None = None
) -> Benchmark:
    """Move the deadline to a later time; participants see that it was moved."""
    try:
        later = moment(closes, "closes")
    except ValueError as problem:
        raise Problem(422, str(problem)) from None
    moved = {"closes_at": later}
    return _change(arena, organiser, (slug, number), "extended", moved, moved)


def _change(
    arena: Arena,
    organiser: Account | None,
    which: tuple[str, int | None],
    kind: str,
    values: dict[str, Any],
    noted: dict[str, Any],
) -> Benchmark:
    (slug, number), time = which, arena.now()

    def work(connection: Connection) -> Benchmark:
        benchmark = find_version(arena, connection, slug, number, lock=True)
        if organiser is not None:
            require_organiser(organiser, benchmark)
        if benchmark.state == "finished":
            raise Problem(409, f"{slug!r} is finished; nothing about it can be changed")
        later = values.get("closes_at")
        if later is not None and (benchmark.closes_at is None or later <= benchmark.closes_at):
            was = benchmark.closes_at or "never"
            raise Problem(422, f"a deadline can only be moved to a later time; it is {was}")
        version = tables.versions
        connection.execute(
            update(version)
            .where(version.c.id == benchmark.id)
            .values(**values, revision=version.c.revision + 1, updated_at=time)
        )
        by = None if organiser is None else organiser.name
        content = {"benchmark": slug, "version": benchmark.number, "by": by, **noted}
        if "closes_at" in noted:
            content["before"] = benchmark.closes_at
        arena.record(connection, time, kind, content)
        return find_version(arena, connection, slug, number)

    return arena.store.write(work)


def audit_log(
    arena: Arena, organiser: Account, *, start: int = 1, most: int = 1000
) -> tuple[LogEntry, ...]:
    """Return entries of the log; for organisers."""
    organiser.require_organiser()
    table = tables.log
    with arena.store.read() as connection:
        rows = connection.execute(
            select(table).where(table.c.number >= start).order_by(table.c.number).limit(most)
        ).all()
    return tuple(_entry(row) for row in rows)


def notices(arena: Arena, slug: str) -> tuple[LogEntry, ...]:
    """Return what organisers changed about a benchmark, for everybody to see."""
    table = tables.log
    with arena.store.read() as connection:
        rows = connection.execute(
            select(table)
            .where(table.c.kind.in_(["benchmark", "frozen", "thawed", "extended", "finished"]))
            .order_by(table.c.number)
        ).all()
    entries = (_entry(row) for row in rows)
    return tuple(entry for entry in entries if entry.content.get("benchmark") == slug)


def _entry(row: Any) -> LogEntry:
    return LogEntry(row.number, row.time, row.kind, json.loads(row.content), bytes(row.hash).hex())
