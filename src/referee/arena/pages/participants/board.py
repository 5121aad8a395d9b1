"""The board: tiers as bands, values with intervals, and what each team has used."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from starlette.responses import Response

from referee.arena.pages.page import Page
from referee.arena.pages.request.visitor import Visitor
from referee.arena.pages.showing.drawing import Scale, drawn_history
from referee.arena.pages.showing.paging import paged
from referee.arena.pages.showing.table_file import table_bytes
from referee.arena.pages.showing.tiers import tier_title
from referee.arena.scoring.board import PROMISE, BoardEntry, PublicBoard, board, entry_record
from referee.arena.scoring.history import history
from referee.vault.sealed.ledger.canonical import canonical_bytes

__all__ = ["PAGES"]

_Order = Callable[[BoardEntry], tuple[bool, float | str]]


def _by(name: str) -> _Order:
    def order(entry: BoardEntry) -> tuple[bool, float | str]:
        value = getattr(entry, name)
        if isinstance(value, tuple):
            value = value[0]
        return value is None, "" if value is None else value

    return order


_COLUMNS: dict[str, tuple[str, bool, _Order]] = {
    "rank": ("Rank", True, _by("rank")),
    "team": ("Team", False, lambda entry: (False, entry.team.casefold())),
    "value": ("Value", True, _by("value")),
    "interval": ("Interval", False, _by("interval")),
    "ranks": ("Ranks", False, _by("rank_low")),
    "bucket": ("Against the leader", False, _by("bucket")),
    "tries": ("Tries", True, _by("looks")),
    "releases": ("Releases", True, _by("releases")),
    "improved": ("Last improvement", False, _by("last_improved")),
}
"""Name in the address -> title, whether it is a number, and what it is sorted by."""


@dataclass(frozen=True)
class _Column:
    title: str
    numeric: bool
    sorted: str
    link: str


@dataclass(frozen=True)
class _Band:
    title: str
    entries: Sequence[BoardEntry]


def board_page(visitor: Visitor) -> Response:
    """Show the board."""
    arena, slug = visitor.arena, visitor.path("slug")
    number = visitor.version
    shown = board(arena, slug, number)
    sort, down = _sorting(visitor)
    entries = _sorted(shown.entries, sort, down=down)
    order = "down" if down else None
    part = paged(entries, visitor.asked("page"), sort=sort, order=order, version=number)
    releases = history(arena, slug, shown.benchmark.number)
    return visitor.show(
        "board.html",
        benchmark=shown.benchmark,
        board=shown,
        now=arena.now(),
        sentence=_sentence(shown),
        promise=PROMISE,
        columns=_columns(sort, down=down, version=number),
        bands=_bands(part.items) if sort == "rank" and not down else [_Band("", part.items)],
        scale=_scale(shown),
        part=part,
        history=drawn_history(shown, releases) if releases else None,
        version_query="" if number is None else f"?version={number}",
    )


def _sorting(visitor: Visitor) -> tuple[str, bool]:
    sort = visitor.asked("sort")
    return (sort if sort in _COLUMNS else "rank"), visitor.asked("order") == "down"


def _sorted(entries: Sequence[BoardEntry], sort: str, *, down: bool) -> list[BoardEntry]:
    """Return entries in an order; those without a value come last in either direction."""
    if sort == "rank" and not down:
        return list(entries)
    order = _COLUMNS[sort][2]
    present = [entry for entry in entries if not order(entry)[0]]
    absent = [entry for entry in entries if order(entry)[0]]
    return sorted(present, key=order, reverse=down) + absent


def _columns(sort: str, *, down: bool, version: int | None) -> list[_Column]:
    columns = []
    for name, (title, numeric, _) in _COLUMNS.items():
        here = name == sort
        direction = ("descending" if down else "ascending") if here else ""
        link = _link(name, down=here and not down, version=version)
        columns.append(_Column(title, numeric, direction, link))
    return columns


def _link(sort: str, *, down: bool, version: int | None) -> str:
    asked: dict[str, str | int] = {"sort": sort}
    if down:
        asked["order"] = "down"
    if version is not None:
        asked["version"] = version
    return "?" + urlencode(asked)


def _bands(entries: Sequence[BoardEntry]) -> list[_Band]:
    """Return the entries by tier, in the order of the board."""
    bands: list[_Band] = []
    for tier in dict.fromkeys(entry.tier for entry in entries):
        members = [entry for entry in entries if entry.tier == tier]
        bands.append(_Band(tier_title(tier, "No release yet: no value, no rank"), members))
    return bands


def _sentence(shown: PublicBoard) -> str:
    """Say what the board shows."""
    first = [entry for entry in shown.entries if entry.tier == 1]
    if not first:
        return "No score has been released yet."
    if sum(entry.tier is not None for entry in shown.entries) == 1:
        return f"{first[0].team} is the only team with a score so far."
    if len(first) == 1:
        return f"{first[0].team} leads, and every other team with a score was shown to be worse."
    leaders = [entry for entry in first if entry.rank == 1]
    if len(leaders) == 1:
        others = len(first) - 1
        return (
            f"{leaders[0].team} has the best score, and {others} other "
            f"team{'' if others == 1 else 's'} cannot be told apart from the best."
        )
    return f"{len(leaders)} teams share the best score."


def _scale(shown: PublicBoard) -> Scale:
    ends = [end for entry in shown.entries if entry.interval for end in entry.interval]
    return Scale.of(ends, shown.benchmark.definition.start)


def board_csv(visitor: Visitor) -> Response:
    """Return the board as a table."""
    shown = board(visitor.arena, visitor.path("slug"), visitor.version)
    names = ["rank", "team", "value", "low", "high", "tier", "rank_low", "rank_high"]
    names += ["looks", "releases", "last_improved", "bucket"]
    rows = []
    for entry in shown.entries:
        record = entry_record(entry)
        record["low"], record["high"] = entry.interval or (None, None)
        rows.append([record[name] for name in names])
    return _file(table_bytes(names, rows), "text/csv", f"{shown.benchmark.slug}-board.csv")


def board_json(visitor: Visitor) -> Response:
    """Return the board as the API gives it."""
    shown = board(visitor.arena, visitor.path("slug"), visitor.version)
    content = canonical_bytes(shown.record())
    return _file(content, "application/json", f"{shown.benchmark.slug}-board.json")


def _file(content: bytes, kind: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=kind, headers=headers)


PAGES = (
    Page("/benchmarks/{slug}/board", board_page, shared=True),
    Page("/benchmarks/{slug}/board.csv", board_csv),
    Page("/benchmarks/{slug}/board.json", board_json),
)
