"""Tries: how many a team has used, counted in the transaction that uses one.

The row of a team is locked (or there is one writer), so that no number of requests at the same
time can use more tries than there are. A try that was counted is never given back, and who is
linked to a team brings along the tries that were used before.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, func, select, update
from sqlalchemy.dialects import postgresql, sqlite

from referee.arena.benchmark.benchmarks import Benchmark
from referee.arena.clock import day_of
from referee.arena.problem import Problem
from referee.arena.scoring.retold import Tries
from referee.arena.store import tables

__all__ = ["Remaining", "remaining", "share_tries", "use_try"]

_OWN = (
    tables.tries.c.version == bindparam("of_version"),
    tables.tries.c.team == bindparam("of_team"),
)
_MINE = select(tables.tries).where(*_OWN)
_MINE_ALONE = _MINE.with_for_update()
_COUNT = update(tables.tries).where(*_OWN)
_NONE = {
    "sqlite": sqlite.insert(tables.tries).on_conflict_do_nothing(),
    "postgresql": postgresql.insert(tables.tries).on_conflict_do_nothing(),
}


@dataclass(frozen=True)
class Remaining:
    """Tries that are left.

    Attributes
    ----------
    today, total : int
        Until midnight UTC, and until the end.
    """

    today: int
    total: int


def remaining(connection: Connection, benchmark: Benchmark, team: int, time: str) -> Remaining:
    """Return how many tries a team has left."""
    row = connection.execute(_MINE, {"of_version": benchmark.id, "of_team": team}).one_or_none()
    if row is None:
        return _left(benchmark, 0, 0)
    return _left(benchmark, _used(connection, benchmark, row, day_of(time)), row.total)


def use_try(connection: Connection, benchmark: Benchmark, team: int, time: str) -> Remaining:
    """Count a try and return what is left after it; refuse one too many."""
    day, mine = day_of(time), {"of_version": benchmark.id, "of_team": team}
    row = connection.execute(_MINE_ALONE, mine).one_or_none()
    if row is None:  # several requests may be a team's first at once
        none = {"version": benchmark.id, "team": team, "day": day, "today": 0, "total": 0}
        connection.execute(_NONE[connection.dialect.name], none)
        row = connection.execute(_MINE_ALONE, mine).one()
    today = _used(connection, benchmark, row, day)
    if row.total >= benchmark.total:
        raise Problem(429, f"all {benchmark.total} tries of the team were used; there are no more")
    if today >= benchmark.per_day:
        raise Problem(
            429,
            f"all {benchmark.per_day} tries of {day} (UTC) were used; the next day has new ones",
        )
    values: dict[str, Any] = {"total": row.total + 1}
    if day >= row.day:
        values |= {"day": day, "today": today + 1}
    connection.execute(_COUNT, mine | values)
    return _left(benchmark, today + 1, row.total + 1)


def share_tries(connection: Connection, team: int, former: int) -> None:
    """Count for a team, in every version, what its members have used; none of it is lost.

    Parameters
    ----------
    connection : Connection
        Of the transaction in which an account came to the team.
    team, former : int
        The team, and the one that the account was of before.
    """
    table = tables.tries
    rows = connection.execute(
        select(table)
        .where(table.c.team.in_((team, former)))
        .order_by(table.c.version, table.c.team)
        .with_for_update()
    ).all()
    before = {row.version: Tries(row.day, row.today, row.total) for row in rows if row.team == team}
    for version, days in _days_of_members(connection, team).items():
        after = before.get(version, Tries()).at_least(days)
        if version not in before:
            none = {"version": version, "team": team, "day": after.day, "today": 0, "total": 0}
            connection.execute(_NONE[connection.dialect.name], none)
        connection.execute(_COUNT, {"of_version": version, "of_team": team} | asdict(after))


def _days_of_members(connection: Connection, team: int) -> dict[int, dict[str, int]]:
    """Return how many tries the accounts of a team used, by version and day."""
    table, account = tables.submissions, tables.accounts
    day = func.substr(table.c.received_at, 1, 10)
    rows = connection.execute(
        select(table.c.version, day, func.count())
        .select_from(table.join(account, account.c.id == table.c.account))
        .where(func.coalesce(account.c.team, account.c.id) == team)
        .group_by(table.c.version, day)
    )
    tries: dict[int, dict[str, int]] = {}
    for version, when, used in rows:
        tries.setdefault(version, {})[when] = used
    return tries


def _used(connection: Connection, benchmark: Benchmark, row: Any, day: str) -> int:
    """Return the tries of a day. One that came before midnight may be recorded after midnight."""
    if day >= row.day:
        return int(row.today) if row.day == day else 0
    table, account = tables.submissions, tables.accounts
    return connection.execute(
        select(func.count())
        .select_from(table.join(account, account.c.id == table.c.account))
        .where(
            table.c.version == benchmark.id,
            func.coalesce(account.c.team, account.c.id) == row.team,
            func.substr(table.c.received_at, 1, 10) == day,
        )
    ).scalar_one()


def _left(benchmark: Benchmark, today: int, total: int) -> Remaining:
    left = max(0, benchmark.total - total)
    return Remaining(today=max(0, min(benchmark.per_day - today, left)), total=left)
