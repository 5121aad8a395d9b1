"""A version as the log tells it: deadlines, tries, standings, finals; and whether tables agree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, select

from referee.arena.benchmark.benchmarks import Benchmark
from referee.arena.benchmark.truth import Truth
from referee.arena.clock import day_of
from referee.arena.store import tables
from referee.intervals.looks import LadderState

__all__ = ["Retold", "Standing", "Tries"]

_STATES = {"frozen": "frozen", "thawed": "open", "finished": "finished"}
_TERMS = ("opens_at", "closes_at", "per_day", "total")


@dataclass(frozen=True)
class Standing:
    """Where a team's ladder stands, and which look brought it there."""

    ladder: LadderState = field(default_factory=LadderState)
    release_look: int | None = None
    improved_at: str | None = None


@dataclass(frozen=True)
class Tries:
    """What a team has used, as the table of tries counts it."""

    day: str = ""
    today: int = 0
    total: int = 0

    def one_more(self, day: str) -> Tries:
        """Return the count after a try; one that arrived on an earlier day is not of today."""
        if day < self.day:
            return Tries(self.day, self.today, self.total + 1)
        return Tries(day, self.today + 1 if day == self.day else 1, self.total + 1)

    def at_least(self, days: Mapping[str, int]) -> Tries:
        """Return the count of a team whose members have used so many on each day.

        Examples
        --------
        >>> Tries("2026-03-01", 2, 7).at_least({"2026-02-28": 5, "2026-03-01": 3})
        Tries(day='2026-03-01', today=3, total=8)
        """
        day = max((self.day, *days))
        today = self.today if day == self.day else 0
        return Tries(day, max(today, days.get(day, 0)), max(self.total, sum(days.values())))


@dataclass
class Retold:
    """One version, and what the entries of the log so far come to.

    Attributes
    ----------
    benchmark, truth
        As they are stored.
    terms : dict
        Opening, deadline and numbers of tries, as far as the log has told them.
    state : str
        Open, frozen or finished.
    """

    benchmark: Benchmark
    truth: Truth
    terms: dict[str, Any] = field(default_factory=dict)
    state: str = "open"
    standings: dict[int, Standing] = field(default_factory=dict)
    tries: dict[int, Tries] = field(default_factory=dict)
    days: dict[tuple[int, str], int] = field(default_factory=dict)
    finals: dict[int, set[str]] = field(default_factory=dict)
    own: dict[int, dict[str, int]] = field(default_factory=dict)
    looks: int = 0

    @property
    def place(self) -> str:
        """How it is called in messages."""
        return f"{self.benchmark.slug}, version {self.benchmark.number}"

    def tell(self, kind: str, content: Mapping[str, Any]) -> None:
        """Take in an entry that is no submission."""
        if kind == "benchmark":
            self.terms = {name: content[name] for name in _TERMS if name in content}
        elif kind == "extended":
            self.terms["closes_at"] = content["closes_at"]
        elif kind == "finals":
            self.finals[content["account"]] = set(content["submissions"])
        self.state = _STATES.get(kind, self.state)

    def share(self, team: int, members: Iterable[int]) -> None:
        """Count for a team what its members have used, now that one more account is among them."""
        days: dict[str, int] = {}
        for account in members:
            for day, used in self.own.get(account, {}).items():
                days[day] = days.get(day, 0) + used
        if days:
            self.tries[team] = self.tries.get(team, Tries()).at_least(days)
        for day, used in days.items():
            self.days[team, day] = max(used, self.days.get((team, day), 0))

    def count(
        self, account: int, team: int, received_at: str, left: Mapping[str, int]
    ) -> str | None:
        """Take in the try of a submission; return what should have kept it out or was told wrong.

        Parameters
        ----------
        account, team : int
            Whose try it was.
        received_at : str
            When its last byte came.
        left : mapping
            The tries that were said to remain, today and in total.
        """
        day = day_of(received_at)
        self.looks += 1
        own = self.own.setdefault(account, {})
        own[day] = own.get(day, 0) + 1
        self.tries[team] = self.tries.get(team, Tries()).one_more(day)
        self.days[team, day] = self.days.get((team, day), 0) + 1
        opens, closes = self.terms.get("opens_at", ""), self.terms.get("closes_at")
        if self.state != "open":
            return f"it was taken while the benchmark was {self.state}"
        if received_at < opens or (closes is not None and received_at >= closes):
            return f"it came at {received_at}, outside of {opens} to {closes or 'the end'}"
        used, allowed = self.days[team, day], self.terms.get("per_day", self.benchmark.per_day)
        if used > allowed or self.tries[team].total > self.terms.get("total", self.benchmark.total):
            return "its team had no try left"
        return None if self._left(team, day) in (None, dict(left)) else "it told other tries left"

    def _left(self, team: int, day: str) -> dict[str, int] | None:
        """Return what remains after a try; None of a day that was over when it was counted."""
        tries = self.tries[team]
        if day < tries.day:
            return None
        total = self.terms.get("total", self.benchmark.total) - tries.total
        today = self.terms.get("per_day", self.benchmark.per_day) - tries.today
        return {"today": min(today, total), "total": total}

    def differences(self, connection: Connection) -> Iterator[str]:
        """Say where the tables are not what the log comes to."""
        stored = {name: getattr(self.benchmark, name) for name in (*self.terms, "state", "looks")}
        for name, computed in (self.terms | {"state": self.state, "looks": self.looks}).items():
            if stored[name] != computed:
                yield f"{self.place}: {name} is {stored[name]!r}, and by the log {computed!r}"
        if self._stored_standings(connection) != self.standings:
            yield f"{self.place}: standings are not what the submissions come to"
        if self._stored_tries(connection) != self.tries:
            yield f"{self.place}: tries are not what the submissions come to"
        if self._stored_finals(connection) != self.finals:
            yield f"{self.place}: finals are not those that were chosen by the log"

    def _rows(self, connection: Connection, table: Any) -> Any:
        return connection.execute(select(table).where(table.c.version == self.benchmark.id)).all()

    def _stored_standings(self, connection: Connection) -> dict[int, Standing]:
        return {
            row.account: Standing(
                LadderState(row.looks, row.releases, row.rung), row.release_look, row.improved_at
            )
            for row in self._rows(connection, tables.standings)
        }

    def _stored_tries(self, connection: Connection) -> dict[int, Tries]:
        rows = self._rows(connection, tables.tries)
        return {row.team: Tries(row.day, row.today, row.total) for row in rows if row.total}

    def _stored_finals(self, connection: Connection) -> dict[int, set[str]]:
        finals: dict[int, set[str]] = {}
        for row in self._rows(connection, tables.finals):
            finals.setdefault(row.account, set()).add(row.submission)
        return finals
