"""All generated pages; only those that changed are written, so that Sphinx reads no others."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from site_pages.api_pages import api_pages
from site_pages.choose_page import choose_page
from site_pages.command_pages import command_pages
from site_pages.finding_pages import finding_pages
from site_pages.measure_pages import measure_pages, scheme_pages
from site_pages.method_pages import method_pages
from site_pages.project_pages import project_pages

__all__ = ["GENERATED", "all_pages", "write_pages"]

GENERATED = ("reference", "project")
"""Folders below docs that hold nothing but generated pages."""


_REFERENCE = """# Reference

Generated from the catalogues and docstrings that the library itself reads.

```{toctree}
:maxdepth: 1

Which method? <choose>
Python <api/index>
Commands <commands/index>
Methods <methods/index>
Measures <measures/index>
Schemes <schemes/index>
Findings <findings/index>
Findings, and what they do to a verdict <../findings>
All catalogues on one page <../reference>
```
"""


def all_pages() -> Iterator[tuple[str, str]]:
    """Return (path below docs, text) of every generated page."""
    yield "reference/index.md", _REFERENCE
    yield from choose_page()
    yield from method_pages()
    yield from measure_pages()
    yield from scheme_pages()
    yield from finding_pages()
    yield from command_pages()
    yield from api_pages()
    yield from project_pages()


def write_pages(docs: Path | str) -> None:
    """Write the pages below docs, and remove those of names that are gone."""
    pages = dict(all_pages())
    for path, text in pages.items():
        file = Path(docs) / path
        if file.exists() and file.read_text(encoding="utf-8") == text:
            continue
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    for folder in GENERATED:
        _without_leftovers(Path(docs), folder, pages)


def _without_leftovers(docs: Path, folder: str, pages: dict[str, str]) -> None:
    for file in sorted((docs / folder).rglob("*"), reverse=True):
        if file.is_file() and file.relative_to(docs).as_posix() not in pages:
            file.unlink()
        elif file.is_dir() and not any(file.iterdir()):
            shutil.rmtree(file)
