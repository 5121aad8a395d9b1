"""The final board: the private half against the public one, tests, and how to verify the file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from starlette.responses import Response

from referee.arena.benchmark.benchmarks import read_benchmark
from referee.arena.pages.page import Page
from referee.arena.pages.request.visitor import Visitor
from referee.arena.pages.showing.drawing import Scale
from referee.arena.pages.showing.paging import paged
from referee.arena.pages.showing.tiers import tier_title
from referee.arena.scoring.board import board
from referee.arena.scoring.finishing import FinalEntry, final_board

__all__ = ["PAGES"]

_TESTED = 30
"""Teams of the leading tier whose tests are shown; those of all are in the signed file."""


@dataclass(frozen=True)
class _Row:
    entry: FinalEntry
    before: int | None
    moved: str


@dataclass(frozen=True)
class _Band:
    title: str
    rows: Sequence[_Row]


def final(visitor: Visitor) -> Response:
    """Show the end of a season."""
    arena, slug, number = visitor.arena, visitor.path("slug"), visitor.version
    benchmark = read_benchmark(arena, slug, number)
    end = final_board(arena, slug, number)
    ranks = {entry.team: entry.rank for entry in board(arena, slug, number).entries}
    part = paged(end.entries, visitor.asked("page"), version=number)
    rows = [_row(entry, ranks.get(entry.team)) for entry in part.items]
    ends = [v for entry in end.entries if entry.interval for v in entry.interval]
    leading = [entry for entry in end.entries if entry.tier == 1]
    return visitor.show(
        "final.html",
        benchmark=benchmark,
        now=arena.now(),
        record=end.record,
        bands=_bands(rows),
        part=part,
        scale=Scale.of(ends, benchmark.definition.start),
        leading=leading,
        tested=leading[1 : _TESTED + 1],
        sentence=_sentence(leading, sum(entry.tier is not None for entry in end.entries)),
        key=arena.public_key.hex,
        version_query="" if number is None else f"?version={number}",
    )


def _row(entry: FinalEntry, before: int | None) -> _Row:
    if entry.rank is None or before is None or entry.rank == before:
        return _Row(entry, before, "")
    places = before - entry.rank
    return _Row(entry, before, f"{'up' if places > 0 else 'down'} {abs(places)}")


def _bands(rows: Sequence[_Row]) -> list[_Band]:
    bands = []
    for tier in dict.fromkeys(row.entry.tier for row in rows):
        title = tier_title(tier, "No final: not judged")
        bands.append(_Band(title, [row for row in rows if row.entry.tier == tier]))
    return bands


def _sentence(leading: Sequence[FinalEntry], judged: int) -> str:
    if not leading:
        return "No team had a submission to be judged."
    if judged == 1:
        return f"{leading[0].team} is the only team that was judged."
    if len(leading) == 1:
        return f"{leading[0].team} was shown to be better than every other team that was judged."
    best = sum(entry.rank == 1 for entry in leading)
    first = f"{leading[0].team} did best" if best == 1 else f"{best} teams share the best value"
    first += " on the private half"
    others = len(leading) - best
    if others == 0:
        return f"{first}."
    return (
        f"{first}; {others} other team{'' if others == 1 else 's'} could not be told apart from "
        "the best."
    )


PAGES = (Page("/benchmarks/{slug}/final", final, shared=True),)
