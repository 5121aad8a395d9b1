"""The guard around the app: what goes wrong says nothing secret.

An exception may hold labels in its message. So it ends here: the client gets a problem, the log
its kind and place, and the server never sees it, which would print it with all it holds.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from referee.arena.api.problems import place_of, problem_response
from referee.arena.problem import Problem

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["Guard"]

_LOG = logging.getLogger("referee.arena")


class Guard:
    """ASGI middleware around everything else."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; whatever happens, with a response."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun = False

        async def sent(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self.app(scope, receive, sent)
        except Exception as problem:
            place = f"{type(problem).__name__} at {place_of(problem)}"
            _LOG.error("%s %s: %s", scope["method"], scope["path"], place)
            if not begun:
                answer = Problem(
                    500, "something went wrong here; it was logged, and nothing recorded"
                )
                await problem_response(answer)(scope, receive, sent)
