"""Finishing: the private half is opened once, and the final board is signed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np
from sqlalchemy import Connection, insert, select, update

from referee import __version__
from referee.arena.accounts.account import Account
from referee.arena.arena import Arena
from referee.arena.benchmark.benchmarks import Benchmark, find_version, require_organiser
from referee.arena.benchmark.packing import unpacked
from referee.arena.benchmark.truth import truth_of
from referee.arena.problem import Problem
from referee.arena.scoring.finals import finals_of
from referee.arena.scoring.private_half import PrivateStandings, judge_finals
from referee.arena.store import tables
from referee.vault.certificate.signing.envelope import sealed_envelope
from referee.vault.certificate.signing.statement import statement_of
from referee.vault.sealed.ledger.canonical import canonical_text

__all__ = [
    "PREDICATE_TYPE",
    "FinalBoard",
    "FinalEntry",
    "FinalScore",
    "final_board",
    "final_record",
    "finish",
]

PREDICATE_TYPE = "urn:referee:final-board:1"


@dataclass(frozen=True, kw_only=True)
class FinalScore:
    """A final on the private half.

    Attributes
    ----------
    id : str
        The submission.
    value : float
        On the private half.
    interval : tuple of float
        Holds together with those of all other finals.
    public : float or None
        What the ladder released for it; None if nothing.
    """

    id: str
    value: float
    interval: tuple[float, float]
    public: float | None


@dataclass(frozen=True, kw_only=True)
class FinalEntry:
    """A team at the end.

    Attributes
    ----------
    team : str
        Its name.
    value, interval
        Of the better of its finals; None for a team without one.
    public : float or None
        The best value that was released to it, for whichever submission; None if none was.
    gap : float or None
        How much worse the private value is than the best one that was released.
    rank, rank_low, rank_high, tier : int or None
        Ties share a rank; ranks hold for all teams at once.
    p_leader : float or None
        The adjusted p-value of the pair with the leader.
    looks, releases : int
        How often it looked.
    finals : tuple of FinalScore
        What it was judged by.
    """

    team: str
    value: float | None
    interval: tuple[float, float] | None
    public: float | None
    gap: float | None
    rank: int | None
    rank_low: int | None
    rank_high: int | None
    tier: int | None
    p_leader: float | None
    looks: int
    releases: int
    finals: tuple[FinalScore, ...]


@dataclass(frozen=True, kw_only=True)
class FinalBoard:
    """The end of a season.

    Attributes
    ----------
    record : dict
        All of it, as it was signed.
    entries : tuple of FinalEntry
        Best first; teams without a final come last.
    envelope : bytes
        The signed statement (DSSE, in-toto).
    """

    record: dict[str, Any]
    entries: tuple[FinalEntry, ...]
    envelope: bytes


def finish(
    arena: Arena, organiser: Account | None, slug: str, number: int | None = None
) -> FinalBoard:
    """Open the private half once, judge every team's finals, and sign the board.

    Parameters
    ----------
    arena, organiser
        Where, and who asks; None for whoever owns the directory.
    slug : str
        The benchmark.
    number : int or None
        Its version; the last if None.
    """
    time = arena.now()

    def work(connection: Connection) -> FinalBoard:
        benchmark = find_version(arena, connection, slug, number, lock=True)
        if organiser is not None:
            require_organiser(organiser, benchmark)
        if benchmark.state == "finished":
            raise Problem(409, f"{slug!r} is finished already; its final board stands")
        record = final_record(arena, connection, benchmark, time)
        envelope = _signed(arena, benchmark, record)
        _write(arena, connection, benchmark, organiser, time, record, envelope)
        return _board(record, envelope)

    return arena.store.write(work)


def final_board(arena: Arena, slug: str, number: int | None = None) -> FinalBoard:
    """Return the final board of a finished benchmark."""
    table = tables.results
    with arena.store.read() as connection:
        benchmark = find_version(arena, connection, slug, number)
        row = connection.execute(select(table).where(table.c.version == benchmark.id)).one_or_none()
    if row is None:
        raise Problem(404, f"{slug!r} is not finished; its private half is still closed")
    return _board(json.loads(row.content), bytes(row.envelope))


def final_record(
    arena: Arena, connection: Connection, benchmark: Benchmark, time: str
) -> dict[str, Any]:
    """Return everything that is to be said about the end."""
    definition = benchmark.definition
    finals = finals_of(connection, benchmark)
    teams = _teams(connection, benchmark)
    judged = [(at, row) for at, team in enumerate(teams) for row in finals.get(team.account, [])]
    owners = sorted({at for at, _ in judged})
    entries = [_unjudged(team) for at, team in enumerate(teams) if at not in owners]
    standings: PrivateStandings | None = None
    if judged:
        standings = _standings(arena, connection, benchmark, judged, owners)
        entries = _entries(benchmark, teams, judged, owners, standings) + entries
    return {
        "benchmark": benchmark.slug,
        "name": benchmark.name,
        "version": benchmark.number,
        "finished_at": time,
        "measure": definition.measure.name,
        "greater_is_better": definition.greater_is_better,
        "level": definition.level,
        "private_cases": definition.n - definition.n_public,
        "n": None if standings is None else standings.n,
        "finals": len(judged),
        "test": None if standings is None else standings.test,
        "adjustment": "holm",
        "interval_holds": "together with the intervals of all other finals",
        "looks": benchmark.looks,
        "commitment": definition.commitment,
        "referee": __version__,
        "entries": entries,
    }


def _teams(connection: Connection, benchmark: Benchmark) -> list[Any]:
    table, account = tables.standings, tables.accounts
    return list(
        connection.execute(
            select(table, account.c.name)
            .join(account, account.c.id == table.c.account)
            .where(table.c.version == benchmark.id)
            .order_by(table.c.account)
        ).all()
    )


def _standings(
    arena: Arena,
    connection: Connection,
    benchmark: Benchmark,
    judged: list[tuple[int, Any]],
    owners: list[int],
) -> PrivateStandings:
    table = tables.predictions
    digests = {row.digest for _, row in judged}
    contents = {
        row.digest: bytes(row.content)
        for row in connection.execute(select(table).where(table.c.digest.in_(digests)))
    }
    submissions = [unpacked(contents[row.digest], benchmark.definition) for _, row in judged]
    team = np.array([owners.index(at) for at, _ in judged], dtype=np.intp)
    truth = truth_of(arena, benchmark.id, benchmark.slug, benchmark.number)
    return judge_finals(benchmark.definition, truth, submissions, team)


def _unjudged(team: Any) -> dict[str, Any]:
    empty = dict.fromkeys(
        ("value", "interval", "public", "gap", "rank", "rank_low", "rank_high", "tier", "p_leader")
    )
    return {"team": team.name, **empty, **_looks(team), "finals": []}


def _looks(team: Any) -> dict[str, int]:
    return {"looks": team.looks, "releases": team.releases}


def _entries(
    benchmark: Benchmark,
    teams: list[Any],
    judged: list[tuple[int, Any]],
    owners: list[int],
    standings: PrivateStandings,
) -> list[dict[str, Any]]:
    grid = benchmark.definition.grid
    released = [None if row.rung is None else grid.value(row.rung) for _, row in judged]
    order = sorted(range(len(owners)), key=lambda k: (standings.ranks[k], owners[k]))
    leader = order[0]
    entries = []
    for k in order:
        team, best = teams[owners[k]], standings.finals[standings.best[k]]
        public = None if team.rung == 0 else grid.value(team.rung)
        p = float(standings.p[leader, k])
        entries.append(
            {
                "team": team.name,
                "value": best.value,
                "interval": [best.interval.low, best.interval.high],
                "public": public,
                "gap": None if public is None else _gap(benchmark, public, best.value),
                "rank": standings.ranks[k],
                "rank_low": standings.rank_low[k],
                "rank_high": standings.rank_high[k],
                "tier": standings.tiers[k],
                "p_leader": None if k == leader else p,
                **_looks(team),
                "finals": [
                    {
                        "id": row.id,
                        "predictions": row.digest,
                        "value": final.value,
                        "interval": [final.interval.low, final.interval.high],
                        "public": shown,
                    }
                    for (_, row), final, shown in zip(
                        judged, standings.finals, released, strict=True
                    )
                    if final.team == k
                ],
            }
        )
    return entries


def _gap(benchmark: Benchmark, public: float, private: float) -> float:
    return public - private if benchmark.definition.greater_is_better else private - public


def _signed(arena: Arena, benchmark: Benchmark, record: dict[str, Any]) -> bytes:
    digest = sha256(canonical_text(record).encode()).hexdigest()
    subjects = {
        f"{benchmark.slug}-v{benchmark.number}-final-board.json": digest,
        "commitment": benchmark.definition.commitment,
    }
    return sealed_envelope(statement_of(subjects, PREDICATE_TYPE, record), arena.signing_key)


def _write(
    arena: Arena,
    connection: Connection,
    benchmark: Benchmark,
    organiser: Account | None,
    time: str,
    record: dict[str, Any],
    envelope: bytes,
) -> None:
    version = tables.versions
    connection.execute(
        insert(tables.results).values(
            version=benchmark.id, content=canonical_text(record), envelope=envelope, created_at=time
        )
    )
    connection.execute(
        update(version)
        .where(version.c.id == benchmark.id)
        .values(state="finished", revision=version.c.revision + 1, updated_at=time)
    )
    arena.record(
        connection,
        time,
        "finished",
        {
            "benchmark": benchmark.slug,
            "version": benchmark.number,
            "by": None if organiser is None else organiser.name,
            "board": sha256(canonical_text(record).encode()).hexdigest(),
            "envelope": sha256(envelope).hexdigest(),
        },
    )


def _board(record: dict[str, Any], envelope: bytes) -> FinalBoard:
    return FinalBoard(
        record=record,
        entries=tuple(_entry(entry) for entry in record["entries"]),
        envelope=envelope,
    )


def _entry(entry: dict[str, Any]) -> FinalEntry:
    finals = tuple(
        FinalScore(
            id=final["id"],
            value=final["value"],
            interval=(final["interval"][0], final["interval"][1]),
            public=final["public"],
        )
        for final in entry["finals"]
    )
    interval = entry["interval"]
    return FinalEntry(
        **{**entry, "interval": None if interval is None else tuple(interval), "finals": finals}
    )
