"""The board as bytes, made anew only when something changed."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from hashlib import sha256

from referee.arena.arena import Arena
from referee.arena.benchmark.benchmarks import Benchmark, read_benchmark
from referee.arena.scoring.board import board

__all__ = ["BoardCache", "KeptBoard", "cached_board", "fresh_board"]


@dataclass(frozen=True)
class KeptBoard:
    """A board as JSON.

    Attributes
    ----------
    content, tag
        The bytes, and their ETag.
    key : tuple
        What it was made from: version, revision, phase.
    writes : int
        How many transactions this process had written by then.
    until : str
        When its benchmark opens or closes next.
    """

    content: bytes
    tag: str
    key: tuple[int, int, str]
    writes: int
    until: str


@dataclass
class BoardCache:
    """Boards by benchmark and version; None for the last."""

    boards: dict[tuple[str, int | None], KeptBoard] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)


def fresh_board(arena: Arena, slug: str, number: int | None = None) -> KeptBoard | None:
    """Return the kept board if it must still be right, without asking the database.

    One process writes to an SQLite file, so it knows of every change; elsewhere nobody does.
    """
    kept = arena.boards.boards.get((slug, number))
    if kept is None or not arena.store.single or kept.writes != arena.store.writes:
        return None
    return kept if arena.now() < kept.until else None


def cached_board(arena: Arena, slug: str, number: int | None = None) -> KeptBoard:
    """Return a board; it is computed if its benchmark changed since."""
    writes, now = arena.store.writes, arena.now()
    benchmark = read_benchmark(arena, slug, number)
    key = (benchmark.id, benchmark.revision, benchmark.phase(now))
    with arena.boards.lock:  # one computes, the others wait for it
        kept = arena.boards.boards.get((slug, number))
        if kept is None or kept.key != key:
            content = json.dumps(board(arena, slug, number).record(), allow_nan=False).encode()
            tag = f'"{sha256(content).hexdigest()[:32]}"'
        else:
            content, tag = kept.content, kept.tag
        kept = KeptBoard(content, tag, key, writes, _next_change(benchmark, now))
        arena.boards.boards[slug, number] = kept
    return kept


def _next_change(benchmark: Benchmark, now: str) -> str:
    times = [
        time
        for time in (benchmark.opens_at, benchmark.closes_at)
        if time is not None and time > now
    ]
    return min(times, default="9999")
