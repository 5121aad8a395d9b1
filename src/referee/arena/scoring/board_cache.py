"""The board as bytes, made anew only when something changed."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from hashlib import sha256

from referee.arena.arena import Arena
from referee.arena.benchmark.benchmarks import benchmark
from referee.arena.scoring.board import board

__all__ = ["BoardCache", "cached_board"]


@dataclass
class BoardCache:
    """Boards by benchmark, each with what it was made from."""

    boards: dict[str, tuple[tuple[int, int, str], bytes, str]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)


def cached_board(arena: Arena, slug: str) -> tuple[bytes, str]:
    """Return a board as JSON, and its ETag."""
    found = benchmark(arena, slug)
    key = (found.id, found.revision, found.phase(arena.now()))
    kept = arena.boards.boards.get(slug)
    if kept is not None and kept[0] == key:
        return kept[1], kept[2]
    with arena.boards.lock:  # one computes, the others wait for it
        kept = arena.boards.boards.get(slug)
        if kept is None or kept[0] != key:
            content = json.dumps(board(arena, slug).record(), allow_nan=False).encode()
            kept = key, content, f'"{sha256(content).hexdigest()[:32]}"'
            arena.boards.boards[slug] = kept
    return kept[1], kept[2]
