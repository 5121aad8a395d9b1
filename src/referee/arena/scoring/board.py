"""The board before the end: what ladders released, and nothing that was not counted.

Values, intervals, tiers, ranks and buckets are all computed from released cells of the grid; the
labels are not looked at again. So the board gives nothing away that a release has not paid for.
An interval holds for a team that used its own answers only; teams that exchange theirs share one
transcript, which is why the private half decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlalchemy import Connection, select

from referee.arena.arena import Arena
from referee.arena.benchmark.benchmarks import Benchmark, find_version
from referee.arena.store import tables
from referee.comparing.scores.standings import rank_limits, tiers
from referee.core.arrays import Flags
from referee.intervals.looks import LookInterval

__all__ = ["BUCKETS", "PROMISE", "BoardEntry", "PublicBoard", "board"]

PROMISE = "if the team used its own answers only"
"""What the intervals of a public board hold under."""

BUCKETS = ("leader", "not distinguishable", "probably worse", "clearly worse")
"""An entry against the leader. Clearly worse: intervals that hold for all teams that looked at once
are apart. Probably worse: the guaranteed intervals of the two teams, each by itself, are."""


@dataclass(frozen=True, kw_only=True)
class BoardEntry:
    """A team on the board.

    Attributes
    ----------
    team : str
        Its name.
    value : float or None
        The best value that was released; None before the first release.
    interval : tuple of float or None
        Guaranteed, however often the team looked.
    rank, rank_low, rank_high, tier : int or None
        Ties share a rank; the ranks left open for all teams at once; 1 for teams that no other was
        shown to beat. None without a value.
    looks, releases : int
        How many there were.
    last_improved : str or None
        When.
    bucket : str or None
        One of `BUCKETS`.
    """

    team: str
    value: float | None
    interval: tuple[float, float] | None
    rank: int | None
    rank_low: int | None
    rank_high: int | None
    tier: int | None
    looks: int
    releases: int
    last_improved: str | None
    bucket: str | None


@dataclass(frozen=True, kw_only=True)
class PublicBoard:
    """The board of a benchmark before its private half is opened.

    Attributes
    ----------
    benchmark : Benchmark
        What it is the board of.
    state, updated_at : str
        "upcoming", "open", "closed", "frozen" or "finished"; when anything changed last.
    looks, teams : int
        All looks at the public half, by all teams, and how many teams looked.
    entries : tuple of BoardEntry
        Best first; teams without a value come last and have no rank.
    """

    benchmark: Benchmark
    state: str
    updated_at: str
    looks: int
    teams: int
    entries: tuple[BoardEntry, ...]

    def record(self) -> dict[str, Any]:
        """Return the board as the API gives it."""
        definition = self.benchmark.definition
        return {
            "benchmark": self.benchmark.slug,
            "version": self.benchmark.number,
            "state": self.state,
            "updated_at": self.updated_at,
            "measure": definition.measure.name,
            "greater_is_better": definition.greater_is_better,
            "baseline": definition.start,
            "level": definition.level,
            "interval_holds": PROMISE,
            "looks": self.looks,
            "teams": self.teams,
            "entries": [entry_record(entry) for entry in self.entries],
        }


def entry_record(entry: BoardEntry) -> dict[str, Any]:
    """Return an entry as the API gives it."""
    return {
        "team": entry.team,
        "value": entry.value,
        "interval": None if entry.interval is None else list(entry.interval),
        "tier": entry.tier,
        "rank": entry.rank,
        "rank_low": entry.rank_low,
        "rank_high": entry.rank_high,
        "looks": entry.looks,
        "releases": entry.releases,
        "last_improved": entry.last_improved,
        "bucket": entry.bucket,
    }


def board(arena: Arena, slug: str, number: int | None = None) -> PublicBoard:
    """Return the board of a benchmark as it stands."""
    with arena.store.read() as connection:
        benchmark = find_version(arena, connection, slug, number)
        standings = _standings(connection, benchmark)
    return board_of(benchmark, standings, arena.now())


def _standings(connection: Connection, benchmark: Benchmark) -> list[Any]:
    table, account = tables.standings, tables.accounts
    return list(
        connection.execute(
            select(table, account.c.name)
            .join(account, account.c.id == table.c.account)
            .where(table.c.version == benchmark.id)
            .order_by(table.c.improved_at, table.c.account)
        ).all()
    )


def board_of(benchmark: Benchmark, standings: list[Any], now: str) -> PublicBoard:
    """Return the board that these standings give."""
    ranked = [row for row in standings if row.rung > 0]
    ranked.sort(key=lambda row: (-row.rung, row.improved_at, row.account))
    entries = _ranked(benchmark, ranked, len(standings))
    entries += [_unranked(row) for row in standings if row.rung == 0]
    return PublicBoard(
        benchmark=benchmark,
        state=benchmark.phase(now),
        updated_at=benchmark.updated_at,
        looks=benchmark.looks,
        teams=len(standings),
        entries=tuple(entries),
    )


def _ranked(benchmark: Benchmark, rows: list[Any], teams: int) -> list[BoardEntry]:
    if not rows:
        return []
    level = benchmark.definition.level
    own = [_interval(benchmark, row, level) for row in rows]
    # For tiers and ranks the intervals of all teams have to hold at once.
    together = [_interval(benchmark, row, 1 - (1 - level) / teams) for row in rows]
    up = benchmark.definition.greater_is_better
    beats = _apart(together, up=up)
    alone = _apart(own, up=up)
    low, high = rank_limits(beats)
    tier = tiers(beats)
    rungs = [row.rung for row in rows]
    first = {rung: at for at, rung in reversed(list(enumerate(rungs, 1)))}  # best first: ties share
    return [
        BoardEntry(
            team=row.name,
            value=benchmark.definition.grid.value(row.rung),
            interval=(own[at].interval.low, own[at].interval.high),
            rank=first[row.rung],
            rank_low=low[at],
            rank_high=high[at],
            tier=tier[at],
            looks=row.looks,
            releases=row.releases,
            last_improved=row.improved_at,
            bucket=_bucket(row.rung == rungs[0], bool(beats[0, at]), bool(alone[0, at])),
        )
        for at, row in enumerate(rows)
    ]


def _unranked(row: Any) -> BoardEntry:
    return BoardEntry(
        team=row.name,
        value=None,
        interval=None,
        rank=None,
        rank_low=None,
        rank_high=None,
        tier=None,
        looks=row.looks,
        releases=row.releases,
        last_improved=None,
        bucket=None,
    )


def _interval(benchmark: Benchmark, row: Any, level: float) -> LookInterval:
    """Return the interval of the look that released a team's best value."""
    definition = benchmark.definition
    cell = definition.grid.cell(row.rung)
    return definition.interval(cell, row.release_look, row.releases - 1, level)


def _apart(looks: list[LookInterval], *, up: bool) -> Flags:
    """Return which entry (row) is better than which (column) even at the ends of intervals."""
    low = np.array([look.interval.low for look in looks])
    high = np.array([look.interval.high for look in looks])
    return low[:, None] > high[None, :] if up else high[:, None] < low[None, :]


def _bucket(first: bool, clearly: bool, probably: bool) -> str:
    """Return how an entry stands to the leader: who is first, and where intervals are apart."""
    if first:
        return BUCKETS[0]
    if clearly:
        return BUCKETS[3]
    return BUCKETS[2] if probably else BUCKETS[1]
