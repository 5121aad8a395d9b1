"""The example of each finding: a section of a script of the gallery, with what it prints and draws.

A section is headed ``# R009: columns that tell nothing`` and draws one picture. Pages take words
and code from the script, and the message from what the gallery printed when it ran it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from site_pages.catalogues import DOCS

__all__ = ["Section", "filled", "on_source_read", "sections", "shown"]

_SECTION = re.compile(
    r"^# %%\n# (R\d{3}): [^\n]*\n# -+\n((?:#[^\n]*\n)+)\n(.*?)(?=^# %%|\Z)", re.M | re.S
)
_PRINTED = re.compile(r"<!-- printed by (\w+), (R\d{3}) -->")


@dataclass(frozen=True)
class Section:
    """One finding in a script: which picture is its own, its words and its code."""

    script: str
    picture: int
    words: str
    code: str


@cache
def sections() -> dict[str, Section]:
    """Return the section of each code that the gallery shows."""
    found: dict[str, Section] = {}
    for script in sorted((DOCS.parent / "examples").glob("plot_*.py")):
        parts = _SECTION.findall(script.read_text(encoding="utf-8"))
        for number, (code, words, lines) in enumerate(parts, start=1):
            text = re.sub(r"^# ?", "", words, flags=re.M).strip()
            found[code] = Section(script.stem, number, text, lines.strip())
    return found


def shown(code: str) -> str:
    """Return the example of a finding for its page."""
    part = sections()[code]
    picture = f"/examples/images/sphx_glr_{part.script}_{part.picture:03}.png"
    return (
        f"{part.words}\n\n```python\n{part.code}\n```\n\nThe report of the mistake says:\n\n"
        f"<!-- printed by {part.script}, {code} -->\n\n"
        f"![{code}: the estimate of the mistake, and that of the mend]({picture})\n\n"
        f"The whole script: [](/examples/{part.script}.rst).\n"
    )


def on_source_read(app: Any, docname: str, content: list[str]) -> None:
    """Put what the gallery printed into a page on a finding."""
    for script, _ in _PRINTED.findall(content[0]):
        app.env.note_dependency(str(Path(app.srcdir) / "examples" / f"{script}.rst"))
    content[0] = filled(content[0], Path(app.srcdir) / "examples")


def filled(text: str, gallery: Path) -> str:
    """Return the text with each mark replaced by the message that the gallery's script printed."""
    return _PRINTED.sub(
        lambda m: _printed((gallery / f"{m[1]}.rst").read_text(encoding="utf-8"), m[2]), text
    )


def _printed(page: str, code: str) -> str:
    block = re.search(rf"^    {code} [^\n]*\n(?:    \S[^\n]*\n)*", page, re.M)
    if block is None:
        raise ValueError(f"the gallery printed no message of {code}; its example calls mended()")
    lines = block[0].splitlines()
    return "\n".join(f"> {line.strip()}" for line in lines)
