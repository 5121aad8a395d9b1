"""Files of the repository that are pages of the site as well."""

from __future__ import annotations

import re
from collections.abc import Iterator

from site_pages.catalogues import DOCS
from site_pages.links_of_pages import OUTSIDE

__all__ = ["project_pages"]

_LINK = re.compile(r"(?<=\]\()(?:\.\./)?docs/([^)\s]*)(?=\))")


def project_pages() -> Iterator[tuple[str, str]]:
    """Return (path below docs, text) of each page."""
    for file, page in OUTSIDE.items():
        if page.startswith("project/"):
            text = (DOCS.parent / file).read_text(encoding="utf-8")
            yield page, _LINK.sub(lambda m: f"/{m[1]}", text)
