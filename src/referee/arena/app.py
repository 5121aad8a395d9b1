"""The app: the HTTP API over an arena, and the pages."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from fastapi import FastAPI
from starlette.routing import Route

from referee import __version__
from referee.arena.accounts.passwords import Passwords
from referee.arena.api import accounts, benchmarks, health, submissions
from referee.arena.api.bodies import MOST_BYTES, PATIENCE
from referee.arena.api.guard import Guard
from referee.arena.api.problems import add_problem_handlers
from referee.arena.arena import Arena, open_arena
from referee.arena.clock import Clock, system_clock
from referee.arena.pages.site import add_pages
from referee.arena.requests import RequestLog
from referee.arena.store.store import ROOM

__all__ = ["API", "Limits", "create_app"]

API = "/api/v1"


@dataclass(frozen=True)
class Limits:
    """What an upload may cost.

    Attributes
    ----------
    most_bytes : int
        Of a file.
    patience : float
        Seconds until its last byte.
    room : int
        Bytes that must be free on the disk.
    """

    most_bytes: int = MOST_BYTES
    patience: float = PATIENCE
    room: int = ROOM


def create_app(
    directory: str | Path,
    *,
    database: str | None = None,
    limits: Limits | None = None,
    clock: Clock = system_clock,
    passwords: Passwords | None = None,
    holding: AbstractContextManager[Arena] | None = None,
) -> FastAPI:
    """Return the app that serves an arena; the arena is held open while the app runs.

    Parameters
    ----------
    directory : str or path
        What `referee arena init` wrote.
    database : str, optional
        The address of a PostgreSQL database, for several workers.
    limits : Limits, optional
        What an upload may cost.
    clock, passwords
        For tests.
    holding : context manager, optional
        The arena, where it was opened before; it is closed when the app ends.
    """
    limits = limits or Limits()
    opening = holding or open_arena(
        directory, database=database, clock=clock, passwords=passwords, room=limits.room
    )

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        with opening as arena:
            app.state.arena = arena
            yield

    app = FastAPI(
        title="referee arena",
        version=__version__,
        openapi_url=f"{API}/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.limits = limits
    add_problem_handlers(app)
    for router in (accounts.router, benchmarks.router, submissions.router):
        app.include_router(router, prefix=API)
    app.include_router(health.router)
    add_pages(app)
    # The busiest two come first; FastAPI's routes for them describe them in the OpenAPI document.
    place = f"{API}/benchmarks/{{slug}}"
    app.router.routes[:0] = [
        Route(f"{place}/board", benchmarks.quick_board, methods=["GET"]),
        Route(f"{place}/submissions", submissions.quick_submit, methods=["POST"]),
    ]
    app.add_middleware(Guard)
    app.add_middleware(RequestLog)
    return app
