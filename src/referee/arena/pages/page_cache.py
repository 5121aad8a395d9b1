"""Pages that everybody sees alike, kept until something in the arena changes.

Whatever changes what a page shows is a transaction that writes, or the hour at which a benchmark
opens or closes; so a kept page is right as long as neither has come.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from referee.arena.arena import Arena
from referee.arena.benchmark.benchmarks import next_change
from referee.arena.pages.request.cookie import session_secret
from referee.arena.pages.request.visitor import Visitor
from referee.arena.store.chain import log_length

__all__ = ["PageCache"]

_MOST, _LONGEST = 200, 300_000
"""How many pages are kept, and how many bytes one may have."""

_Key = tuple[str, str, str]


@dataclass(frozen=True)
class _Kept:
    content: bytes
    kind: str
    tag: str
    entries: int
    until: str


class PageCache:
    """Pages by address."""

    def __init__(self) -> None:
        self._pages: OrderedDict[_Key, _Kept] = OrderedDict()
        self._lock = threading.Lock()

    async def answer(self, request: Request, arena: Arena) -> Response | None:
        """Return a kept page if it is still right and the visitor is not signed in."""
        if session_secret(request) is not None:
            return None
        kept = self._pages.get(_key(request))
        if kept is None or arena.now() >= kept.until:
            return None
        single = arena.store.single
        entries = _entries(arena) if single else await run_in_threadpool(_entries, arena)
        return _response(request, kept) if entries == kept.entries else None

    def keep(self, visitor: Visitor, handler: Callable[[Visitor], Response]) -> Response:
        """Make a page, and keep it if others will see the same."""
        request, arena = visitor.request, visitor.arena
        if session_secret(request) is not None:
            return handler(visitor)
        entries, until = _entries(arena), next_change(arena)
        response = handler(visitor)
        content = bytes(response.body)
        if response.status_code != 200 or len(content) > _LONGEST:
            return response
        tag = f'"{sha256(content).hexdigest()[:32]}"'
        kept = _Kept(content, response.headers["content-type"], tag, entries, until)
        with self._lock:
            self._pages[_key(request)] = kept
            self._pages.move_to_end(_key(request))
            while len(self._pages) > _MOST:
                self._pages.popitem(last=False)
        return _response(request, kept)


def _entries(arena: Arena) -> int:
    """Return a number that grows with every change; one process knows of all it wrote itself."""
    if arena.store.single:
        return arena.store.writes
    with arena.store.read() as connection:
        return log_length(connection)


def _key(request: Request) -> _Key:
    # Sample code shows the address of the site, so a page is kept for that address only.
    return (
        f"{request.url.scheme}://{request.headers.get('host', '')}",
        request.scope["path"],
        request.scope["query_string"].decode("latin-1"),
    )


def _response(request: Request, kept: _Kept) -> Response:
    headers = {
        "Cache-Control": "no-cache",
        "ETag": kept.tag,
        "Vary": "Cookie",
        "Content-Type": kept.kind,
    }
    if kept.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(kept.content, headers=headers)
