"""Benchmarks as they stand: what they are called, whether they are open, and until when."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, select, union_all

from referee.arena.accounts.account import Account
from referee.arena.arena import Arena
from referee.arena.benchmark.definition import Definition
from referee.arena.places import FILES
from referee.arena.problem import Problem
from referee.arena.store import tables

__all__ = [
    "Benchmark",
    "benchmarks",
    "download",
    "find_version",
    "next_change",
    "read_benchmark",
    "require_organiser",
]


@dataclass(frozen=True)
class Benchmark:
    """One version of a benchmark.

    Attributes
    ----------
    id, number : int
        The row, and the version counted from 1.
    slug, name : str
        Its address and its name.
    state : str
        "open", "frozen" or "finished", as the organiser has set it.
    opens_at, closes_at : str
        When submissions are taken; None for no deadline.
    per_day, total : int
        Tries of a team.
    rules : str
        Markdown.
    looks, revision : int
        All looks at the test set so far; a number that grows with each change.
    updated_at : str
        When anything on the board last changed.
    organiser : int or None
        The account that may run it; None for every organiser.
    versions : int
        How many versions there are.
    definition : Definition
        What is public about it.
    """

    id: int
    number: int
    slug: str
    name: str
    state: str
    opens_at: str
    closes_at: str | None
    per_day: int
    total: int
    rules: str
    looks: int
    revision: int
    updated_at: str
    organiser: int | None
    versions: int
    definition: Definition

    def phase(self, now: str) -> str:
        """Return "upcoming", "open", "closed", "frozen" or "finished"."""
        if self.state != "open":
            return self.state
        if now < self.opens_at:
            return "upcoming"
        return "closed" if self.closes_at is not None and now >= self.closes_at else "open"


def _query() -> Any:
    # The definition is long and never changes, so it is read once (`_definition`).
    version, table = tables.versions, tables.benchmarks
    columns = [column for column in version.c if column.name != "definition"]
    return select(*columns, table.c.slug, table.c.name, table.c.organiser).join(
        table, table.c.id == version.c.benchmark
    )


@cache
def _version_query(*, numbered: bool, lock: bool) -> Any:
    """Return the query for a version; building one costs more than running it."""
    version = tables.versions
    query = _query().where(tables.benchmarks.c.slug == bindparam("of_slug"))
    if numbered:
        query = query.where(version.c.number == bindparam("of_number"))
    query = query.order_by(version.c.number.desc()).limit(1)
    return query.with_for_update(of=version) if lock else query


def read_benchmark(arena: Arena, slug: str, number: int | None = None) -> Benchmark:
    """Return a benchmark; its last version if none is named."""
    with arena.store.read() as connection:
        return find_version(arena, connection, slug, number)


def find_version(
    arena: Arena,
    connection: Connection,
    slug: str,
    number: int | None = None,
    *,
    lock: bool = False,
) -> Benchmark:
    """Return a version inside a transaction, and hold it there if something will change."""
    version = tables.versions
    query = _version_query(numbered=number is not None, lock=lock)
    row = connection.execute(query, {"of_slug": slug, "of_number": number}).first()
    if row is None:
        wanted = slug if number is None else f"{slug}, version {number}"
        raise Problem(404, f"there is no benchmark {wanted!r}; GET /api/v1/benchmarks lists them")
    last = (
        row.number
        if number is None
        else connection.execute(
            select(func.max(version.c.number)).where(version.c.benchmark == row.benchmark)
        ).scalar_one()
    )
    return _of(arena, connection, row, int(last))


def benchmarks(arena: Arena) -> tuple[Benchmark, ...]:
    """Return the last version of every benchmark, the newest benchmark first."""
    version = tables.versions
    last = (
        select(version.c.benchmark, func.max(version.c.number).label("last"))
        .group_by(version.c.benchmark)
        .subquery()
    )
    query = (
        _query()
        .join(last, (last.c.benchmark == version.c.benchmark) & (last.c.last == version.c.number))
        .order_by(version.c.benchmark.desc())
    )
    with arena.store.read() as connection:
        rows = connection.execute(query).all()
        return tuple(_of(arena, connection, row, row.number) for row in rows)


def next_change(arena: Arena) -> str:
    """Return the next time at which a benchmark opens or closes; the last of all if none does."""
    version = tables.versions
    times = union_all(
        select(version.c.opens_at.label("time")),
        select(version.c.closes_at.label("time")),
    ).subquery()
    query = select(func.min(times.c.time)).where(times.c.time > arena.now())
    with arena.store.read() as connection:
        return connection.execute(query).scalar() or "9999"


def _definition(arena: Arena, connection: Connection, version: int) -> Definition:
    if version not in arena.definitions:
        text = connection.execute(
            select(tables.versions.c.definition).where(tables.versions.c.id == version)
        ).scalar_one()
        arena.definitions[version] = Definition.of(json.loads(text))
    return arena.definitions[version]


def _of(arena: Arena, connection: Connection, row: Row[Any], versions: int) -> Benchmark:
    return Benchmark(
        id=row.id,
        number=row.number,
        slug=row.slug,
        name=row.name,
        state=row.state,
        opens_at=row.opens_at,
        closes_at=row.closes_at,
        per_day=row.per_day,
        total=row.total,
        rules=row.rules,
        looks=row.looks,
        revision=row.revision,
        updated_at=row.updated_at,
        organiser=row.organiser,
        versions=versions,
        definition=_definition(arena, connection, row.id),
    )


def require_organiser(account: Account, benchmark: Benchmark) -> None:
    """Refuse anybody but an organiser of that benchmark."""
    account.require_organiser()
    if benchmark.organiser not in (None, account.id):
        raise Problem(403, f"{benchmark.slug!r} is run by another organiser")


def download(arena: Arena, slug: str, name: str, number: int | None = None) -> tuple[Path, str]:
    """Return a file for download and its SHA-256."""
    benchmark = read_benchmark(arena, slug, number)
    if name not in FILES:
        raise Problem(404, f"there is no file {name!r}; there are {', '.join(FILES)}")
    path = arena.places.file(slug, benchmark.number, name)
    return path, benchmark.definition.files[name]
