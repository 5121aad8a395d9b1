"""Files that every page needs: one style sheet, one script, one icon, named by their content."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib import resources

from starlette.requests import Request
from starlette.responses import Response

from referee.arena.problem import Problem

__all__ = ["address_of", "static_file"]

_KINDS = {
    "site.css": "text/css",
    "site.js": "text/javascript",
    "icon.svg": "image/svg+xml",
}


@dataclass(frozen=True)
class _File:
    content: bytes
    kind: str
    tag: str


@cache
def _files() -> dict[str, _File]:
    """Return the files; the style sheet begins with that of the report, so that both look alike."""
    own = resources.files("referee.arena") / "static"
    contents = {name: (own / name).read_bytes() for name in _KINDS}
    report = resources.files("referee.report") / "templates" / "report.css"
    contents["site.css"] = report.read_bytes() + contents["site.css"]
    return {
        name: _File(content, _KINDS[name], sha256(content).hexdigest()[:16])
        for name, content in contents.items()
    }


def address_of(name: str) -> str:
    """Return the address of a file; it changes with the file, so that browsers may keep it."""
    return f"/static/{_files()[name].tag}/{name}"


async def static_file(request: Request) -> Response:
    """Return a file; one of an earlier version is answered with the present one."""
    file = _files().get(request.path_params["name"])
    if file is None:
        raise Problem(404, "there is no such file")
    fresh = request.path_params["tag"] == file.tag
    kept = "public, max-age=31536000, immutable" if fresh else "no-cache"
    return Response(file.content, media_type=file.kind, headers={"Cache-Control": kept})
