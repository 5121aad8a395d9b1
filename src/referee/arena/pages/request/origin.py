"""Origin: whether a form was sent by a page of this site.

Browsers say where a request comes from (Sec-Fetch-Site, and Origin before that); a page of another
site cannot change these headers. So no token has to be hidden in forms.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.requests import Request

from referee.arena.problem import Problem

__all__ = ["SAFE", "local_path", "require_same_origin"]

SAFE = ("GET", "HEAD", "OPTIONS")
"""Methods that change nothing."""

_REFUSED = (
    "this form was not sent from a page of this site, so nothing was done; open the page here and "
    "send it again (programs use /api/v1 with a token)"
)


def require_same_origin(request: Request) -> None:
    """Refuse a request that changes something and comes from elsewhere."""
    if request.method in SAFE:
        return
    fetched = request.headers.get("sec-fetch-site")
    if fetched is not None:
        if fetched not in ("same-origin", "none"):
            raise Problem(403, _REFUSED)
        return
    origin = request.headers.get("origin")
    own = f"{request.url.scheme}://{request.headers.get('host', '')}"
    if origin is None or origin.lower() != own.lower():
        raise Problem(403, _REFUSED)


def local_path(text: str, otherwise: str = "/") -> str:
    r"""Return a path of this site, or another one where the text could lead elsewhere.

    Examples
    --------
    >>> local_path("/benchmarks/wine/submit?a=1")
    '/benchmarks/wine/submit?a=1'
    >>> [local_path(text) for text in ("//evil.example", "https://evil.example", "/\\evil.example")]
    ['/', '/', '/']
    """
    plain = text.isascii() and text.isprintable() and "\\" not in text and " " not in text
    if not (plain and text.startswith("/") and not text.startswith("//")):
        return otherwise
    parts = urlsplit(text)
    return otherwise if parts.scheme or parts.netloc else text
