"""Serving an arena: checks before the port is opened, then uvicorn."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn
from sqlalchemy.exc import DBAPIError

from referee.arena.app import create_app
from referee.arena.arena import Arena, open_arena
from referee.arena.problem import Problem
from referee.arena.requests import log_to_standard_error
from referee.arena.store.database import DatabaseAway
from referee.arena.store.store import refuse_old_sqlite
from referee.errors import InputError

__all__ = ["Serving", "app_from_environment", "serve"]

_DIRECTORY, _DATABASE = "REFEREE_ARENA_DIRECTORY", "REFEREE_ARENA_DATABASE"
_LOGGED = "REFEREE_ARENA_LOG"
_PATIENCE = 20.0
"""Seconds that a worker waits for its database before another takes its place."""


@dataclass(frozen=True, kw_only=True)
class Serving:
    """How an arena is served.

    Attributes
    ----------
    directory : Path
        The arena.
    host, port
        Where; port 0 takes a free one.
    database : str or None
        A PostgreSQL address.
    workers : int
        Processes; more than one needs PostgreSQL.
    trusted_proxy : str or None
        Addresses (or networks) of proxies that may say who asks and whether by TLS.
    log : bool
        Whether a line of JSON for each request goes to standard error.
    """

    directory: Path
    host: str = "127.0.0.1"
    port: int = 8000
    database: str | None = None
    workers: int = 1
    trusted_proxy: str | None = None
    log: bool = False

    def __post_init__(self) -> None:
        if self.workers < 1:
            raise InputError("must be at least 1", argument="workers", value=str(self.workers))
        if not 0 <= self.port <= 65535:
            raise InputError("must be between 0 and 65535", argument="port", value=str(self.port))
        if self.workers > 1 and self.database is None:
            refuse_old_sqlite(self.workers)
            raise InputError(
                f"{self.workers} workers would be {self.workers} writers, and an SQLite file "
                "has one",
                concerning="workers",
                remedy="use --workers 1, or PostgreSQL with --database postgresql://...",
            )


def serve(serving: Serving, *, ready: Callable[[str], None] = lambda _: None) -> None:
    """Serve an arena until the process is told to stop; submissions in flight are finished.

    Parameters
    ----------
    serving : Serving
        How.
    ready : callable
        Is told the address when the port is open.
    """
    listener = _listener(serving.host, serving.port)
    options: dict[str, Any] = {
        "log_level": "warning",
        "timeout_graceful_shutdown": 60,
        "server_header": False,
        "proxy_headers": serving.trusted_proxy is not None,
        "forwarded_allow_ips": serving.trusted_proxy,
    }
    if serving.log:
        log_to_standard_error()
    with listener:
        _check_once(serving)
        host = f"[{serving.host}]" if ":" in serving.host else serving.host
        ready(f"http://{host}:{listener.getsockname()[1]}")
        if serving.workers == 1:
            app = create_app(serving.directory, database=serving.database)
            uvicorn.Server(uvicorn.Config(app, **options)).run(sockets=[listener])
            return
        os.environ[_DIRECTORY] = str(serving.directory)
        os.environ[_DATABASE] = serving.database or ""
        os.environ[_LOGGED] = "yes" if serving.log else ""
        _run_workers(serving, listener, options)


def _check_once(serving: Serving) -> None:
    """Bring the tables up to date, and say what is wrong, before anybody is let in."""
    with open_arena(serving.directory, database=serving.database):
        pass


def _run_workers(serving: Serving, listener: socket.socket, options: dict[str, Any]) -> None:
    from uvicorn.supervisors import Multiprocess

    config = uvicorn.Config(
        f"{__name__}:app_from_environment",
        factory=True,
        workers=serving.workers,
        **options,
    )
    listener.set_inheritable(True)
    Multiprocess(config, sockets=[listener]).run()


def app_from_environment() -> Any:
    """Return the app in a worker process."""
    if os.environ.get(_LOGGED):
        log_to_standard_error()
    directory, database = os.environ[_DIRECTORY], os.environ[_DATABASE] or None
    return create_app(directory, database=database, holding=_opened(directory, database))


def _opened(directory: str, database: str | None) -> contextlib.AbstractContextManager[Arena]:
    """Open the arena of a worker, which may be started while the database is away.

    A worker that fails while it starts ends the whole site, for uvicorn takes its app to be broken.
    So it waits here, and one that has waited too long ends in a way that gets it replaced.
    """
    deadline = time.monotonic() + _PATIENCE
    while True:
        stack = contextlib.ExitStack()
        try:
            arena = stack.enter_context(open_arena(directory, database=database))
        except (DatabaseAway, DBAPIError, Problem):
            if time.monotonic() > deadline:
                sys.exit(1)
            time.sleep(0.2)
        else:
            return _held(stack, arena)


@contextlib.contextmanager
def _held(stack: contextlib.ExitStack, arena: Arena) -> Iterator[Arena]:
    with stack:
        yield arena


def _listener(host: str, port: int) -> socket.socket:
    """Open the port before anything else, so that one in use is said at once."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # By its protocol asyncio knows that it may send at once; else every answer waits 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(1024)
    except (OSError, OverflowError) as problem:
        listener.close()
        why = getattr(problem, "strerror", None) or str(problem)
        raise InputError(
            f"cannot listen on {host}, port {port}: {why}",
            concerning="port",
            remedy="name another with --port or --host",
        ) from None
    return listener
