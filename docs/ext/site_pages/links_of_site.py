"""Checks the links of a built site: python docs/ext/site_pages/links_of_site.py build/docs.

Every address within the site must lead to a file, and to an anchor that is there; no page may load
a script, style or picture from elsewhere.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from html import unescape
from pathlib import Path
from urllib.parse import unquote

__all__ = ["broken_links"]

_TAG = re.compile(r"<(\w+)\s[^>]*?\b(href|src)=\"([^\"]*)\"")
_ID = re.compile(r"\s(?:id|name)=\"([^\"]*)\"")
_LOADED = ("script", "link", "img", "iframe")


def broken_links(site: Path) -> list[str]:
    """Return "page: link" for every link that leads nowhere."""
    pages = sorted(p for p in site.rglob("*.html") if "_static" not in p.parts)
    broken = []
    for page in pages:
        links = {m.groups() for m in _TAG.finditer(page.read_text(encoding="utf-8"))}
        broken += [
            f"{page.relative_to(site)}: {link}"
            for tag, _, link in sorted(links)
            if not _leads_somewhere(page, tag, unescape(link))
        ]
    return broken


def _leads_somewhere(page: Path, tag: str, link: str) -> bool:
    if link.startswith(("http://", "https://", "//")):
        return tag not in _LOADED
    if link.startswith(("mailto:", "data:", "javascript:")) or link in ("", "#"):
        return True
    path, _, anchor = link.partition("#")
    target = (page.parent / unquote(path.partition("?")[0])).resolve() if path else page.resolve()
    target = target / "index.html" if target.is_dir() else target
    if not target.is_file():
        return False
    return not anchor or target.suffix != ".html" or unquote(anchor) in _anchors(target)


@cache
def _anchors(page: Path) -> frozenset[str]:
    return frozenset(map(unescape, _ID.findall(page.read_text(encoding="utf-8"))))


def main() -> int:
    """Print what is broken; return the exit code."""
    broken = broken_links(Path(sys.argv[1]))
    sys.stdout.write("".join(f"broken link: {line}\n" for line in broken))
    return 1 if broken else 0


if __name__ == "__main__":
    raise SystemExit(main())
