"""Headers that every response carries, so that a browser does nothing it was not meant to."""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["CONTENT_SECURITY_POLICY", "SecurityHeaders"]

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

_ALWAYS = (
    ("content-security-policy", CONTENT_SECURITY_POLICY),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
)
_ENCODED = [(name.encode(), value.encode()) for name, value in _ALWAYS]
_SECURE = (b"strict-transport-security", b"max-age=31536000")


class SecurityHeaders:
    """Middleware that adds the headers; nothing is stored unless a route says how long."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=message["headers"])
                headers.setdefault("cache-control", "no-store")
                present = {name for name, _ in headers.raw}
                message["headers"] = [*headers.raw, *(h for h in _ENCODED if h[0] not in present)]
                if scope["scheme"] == "https":
                    message["headers"].append(_SECURE)
            await send(message)

        await self.app(scope, receive, guarded)
