"""Finals: the at most two submissions a team is judged by on the private half."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from referee.arena.accounts.account import Account
from referee.arena.arena import Arena
from referee.arena.benchmark.benchmarks import Benchmark, find_version
from referee.arena.problem import Problem
from referee.arena.store import tables

__all__ = ["MOST", "choose_finals", "finals_of", "own_finals"]

MOST = 2
"""Finals of a team."""


def choose_finals(
    arena: Arena, account: Account, slug: str, ids: Sequence[str], number: int | None = None
) -> tuple[str, ...]:
    """Choose the submissions that count at the end of a version; the last choice holds."""
    account.require_active()
    chosen = tuple(dict.fromkeys(ids))
    if not 1 <= len(chosen) <= MOST:
        raise Problem(422, f"choose one or {MOST} submissions, got {len(chosen)}")
    time = arena.now()

    def work(connection: Connection) -> tuple[str, ...]:
        benchmark = find_version(arena, connection, slug, number, lock=True)
        if benchmark.state == "finished":
            raise Problem(409, f"{slug!r} is finished; finals can no longer be chosen")
        _check_own(connection, benchmark, account, chosen)
        table = tables.finals
        connection.execute(
            delete(table).where(table.c.version == benchmark.id, table.c.account == account.id)
        )
        for name in chosen:
            connection.execute(
                insert(table).values(version=benchmark.id, account=account.id, submission=name)
            )
        arena.record(
            connection,
            time,
            "finals",
            {
                "benchmark": slug,
                "version": benchmark.number,
                "account": account.id,
                "submissions": list(chosen),
            },
        )
        return chosen

    return arena.store.write(work)


def _check_own(
    connection: Connection, benchmark: Benchmark, account: Account, chosen: Sequence[str]
) -> None:
    table = tables.submissions
    own = set(
        connection.execute(
            select(table.c.id).where(
                table.c.version == benchmark.id,
                table.c.account == account.id,
                table.c.id.in_(list(chosen)),
            )
        ).scalars()
    )
    unknown = [name for name in chosen if name not in own]
    if unknown:
        which = "" if benchmark.versions == 1 else f", version {benchmark.number}"
        raise Problem(
            422, f"{unknown[0][:40]!r} is no submission of yours to {benchmark.slug!r}{which}"
        )


def own_finals(
    arena: Arena, account: Account, slug: str, number: int | None = None
) -> tuple[str, ...]:
    """Return what an account is judged by: its choice, or its last two improvements."""
    with arena.store.read() as connection:
        benchmark = find_version(arena, connection, slug, number)
        return tuple(row.id for row in finals_of(connection, benchmark).get(account.id, []))


def finals_of(connection: Connection, benchmark: Benchmark) -> dict[int, list[Any]]:
    """Return the finals of every account, in the order in which they were submitted."""
    table, chosen = tables.submissions, tables.finals
    columns = (table.c.number, table.c.id, table.c.account, table.c.digest, table.c.rung)
    by_choice = connection.execute(
        select(*columns)
        .join(chosen, chosen.c.submission == table.c.id)
        .where(chosen.c.version == benchmark.id)
        .order_by(table.c.number)
    ).all()
    improved = connection.execute(
        select(*columns)
        .where(table.c.version == benchmark.id, table.c.rung.is_not(None))
        .order_by(table.c.number)
    ).all()
    finals: dict[int, list[Any]] = {}
    for row in improved:
        finals.setdefault(row.account, []).append(row)
    finals = {account: rows[-MOST:] for account, rows in finals.items()}
    picked: dict[int, list[Any]] = {}
    for row in by_choice:
        picked.setdefault(row.account, []).append(row)
    return finals | picked
