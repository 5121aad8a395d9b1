"""The cookies: one carries a session's secret, one tells a browser that has signed in before.

The second opens nothing; it only keeps the guesses of others from holding up its owner.
"""

from __future__ import annotations

from datetime import timedelta

from starlette.requests import Request
from starlette.responses import Response

from referee.arena.accounts.sessions import LONGEST

__all__ = ["browser_kept", "drop_cookie", "remember_browser", "session_secret", "set_cookie"]

_SESSION, _BROWSER = "referee_session", "referee_browser"
_KNOWN = timedelta(days=365)


def _named(request: Request, name: str) -> tuple[str, bool]:
    """Behind TLS the name itself keeps other hosts and plain HTTP from setting it."""
    secure = request.url.scheme == "https"
    return (f"__Host-{name}", True) if secure else (name, False)


def session_secret(request: Request) -> str | None:
    """Return the secret that a browser sent."""
    return request.cookies.get(_named(request, _SESSION)[0])


def browser_kept(request: Request) -> str | None:
    """Return what a browser was given when somebody signed in with it."""
    return request.cookies.get(_named(request, _BROWSER)[0])


def set_cookie(request: Request, response: Response, secret: str) -> None:
    """Let the browser keep a session."""
    _set(request, response, _SESSION, secret, LONGEST)


def remember_browser(request: Request, response: Response, kept: str) -> None:
    """Let the browser keep by what it is known again."""
    _set(request, response, _BROWSER, kept, _KNOWN)


def _set(request: Request, response: Response, cookie: str, value: str, lasting: timedelta) -> None:
    name, secure = _named(request, cookie)
    response.set_cookie(
        name,
        value,
        max_age=int(lasting.total_seconds()),
        path="/",
        secure=secure,
        httponly=True,
        samesite="lax",
    )


def drop_cookie(request: Request, response: Response) -> None:
    """Let the browser forget its session."""
    name, secure = _named(request, _SESSION)
    response.delete_cookie(name, path="/", secure=secure, httponly=True, samesite="lax")
