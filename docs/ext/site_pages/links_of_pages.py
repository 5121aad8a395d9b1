"""Links as the repository writes them, put right for the site.

A reader of the repository follows ``../benchmarks/README.md`` and ``findings.md#R002`` and lands at
``<a id="R002">``. On the site the first is a page of its own, the second a generated page, and
anchors are labels that Sphinx checks.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import PurePosixPath
from typing import Any

from site_pages.catalogues import DOCS

__all__ = ["on_source_read", "rewritten"]

OUTSIDE = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "CHANGELOG.md": "project/changelog.md",
    "benchmarks/README.md": "project/benchmarks.md",
}
"""Files outside docs that are pages of the site."""

_ANCHOR = re.compile(r'^<a id="([^"]+)"></a>\s*\n', re.MULTILINE)
_LINK = re.compile(r"(?<=\]\()([^)\s]*)(?=\))")
_FINDING = re.compile(r"R\d{3}")


def on_source_read(app: Any, docname: str, content: list[str]) -> None:
    """Rewrite a page while Sphinx reads it."""
    if str(app.env.doc2path(docname)).endswith(".md"):
        content[0] = rewritten(content[0], docname)


def rewritten(text: str, docname: str) -> str:
    r"""Return the text of a page with its anchors as labels and its links within the site.

    Examples
    --------
    >>> rewritten('<a id="x"></a>\n## X\n[this](#x), [that](../benchmarks/README.md)', "page")
    '\n(page-x)=\n## X\n[this](#page-x), [that](/project/benchmarks.md)'
    """
    own = set(_ANCHOR.findall(text))
    text = _ANCHOR.sub(lambda m: f"\n({_label(docname, m[1])})=\n", text)
    return _LINK.sub(lambda m: _target(m[1], docname, own), text)


def _target(link: str, docname: str, own: set[str]) -> str:
    if "://" in link or not link:
        return link
    path, _, anchor = link.partition("#")
    if not path:
        return f"#{_label(docname, anchor)}" if anchor in own else link
    name = PurePosixPath(path).name
    if name == "findings.md" and _FINDING.fullmatch(anchor):
        return f"/reference/findings/{anchor}.md"
    for outside, page in OUTSIDE.items():
        if path == f"../{outside}":
            return f"/{page}"
    page = PurePosixPath(docname).parent / path if not path.startswith("/") else path[1:]
    if anchor and anchor in _anchors(str(page)):
        return f"#{_label(str(page).removesuffix('.md'), anchor)}"
    return link


@cache
def _anchors(page: str) -> frozenset[str]:
    """Return the anchors of a page below docs."""
    file = DOCS / page
    return frozenset(_ANCHOR.findall(file.read_text(encoding="utf-8")) if file.is_file() else ())


def _label(docname: str, anchor: str) -> str:
    return f"{docname}-{anchor}".replace("/", "-").lower()
