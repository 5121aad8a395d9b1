"""Requests: each gets a number, is counted, and leaves a line in the log without its content."""

from __future__ import annotations

import json
import logging
import secrets
import sys
import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from referee.arena.clock import system_clock, time_text

__all__ = ["RequestLog", "log_to_standard_error"]

_LOG = logging.getLogger("referee.arena.requests")


class RequestLog:
    """Middleware: the number is in the response (X-Request-ID), on error pages and in the log.

    Paths are logged without what follows the question mark; bodies, cookies and tokens never are.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        number, start, status = secrets.token_hex(8), time.perf_counter(), 500
        scope.setdefault("state", {})["number"] = number

        async def numbered(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], (b"x-request-id", number.encode())]
            await send(message)

        try:
            await self.app(scope, receive, numbered)
        finally:
            seconds = time.perf_counter() - start
            scope["app"].state.arena.metrics.count(scope["method"], status, seconds)
            if _LOG.isEnabledFor(logging.INFO):
                _LOG.info("request", extra={"record": _record(scope, number, status, seconds)})


def _record(scope: Scope, number: str, status: int, seconds: float) -> dict[str, object]:
    client = scope.get("client")
    return {
        "request": number,
        "method": scope["method"],
        "path": scope["path"][:300],
        "status": status,
        "milliseconds": round(1000 * seconds, 1),
        "address": client[0] if client else None,
    }


class _Lines(logging.Formatter):
    """A line of JSON for each record."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line = {
            "time": time_text(system_clock()),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
        }
        return json.dumps(line | getattr(record, "record", {}))


def log_to_standard_error() -> None:
    """Write what the arena logs as lines of JSON to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Lines())
    logger = logging.getLogger("referee.arena")
    logger.handlers[:] = [handler]
    logger.setLevel(logging.INFO)
    logger.propagate = False
