"""What all SVG pictures share: a frame with a name, and a description for those who cannot see it.

Ink comes from the classes of the page's style sheet, so that pictures are legible in the dark.
"""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

__all__ = ["NARROW", "WIDE", "framed", "words"]

WIDE, NARROW = 640, 340
"""Widths pictures are laid out for, in pixels: a page, and a phone."""

_LONGEST = 2000


def framed(
    width: float,
    height: float,
    caption: str,
    parts: Iterable[str],
    *,
    description: str = "",
    kind: str = "picture",
) -> str:
    """Return the picture; `caption` is its name for screen readers, `told` what is to be seen."""
    if len(description) > _LONGEST:
        description = description[: description.rfind(" ", 0, _LONGEST)] + " …"
    described = f"<desc>{escape(description)}</desc>" if description else ""
    return (
        f'<svg viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" role="img" '
        f'aria-label={quoteattr(caption)} class="{kind}" preserveAspectRatio="xMinYMin meet">'
        f"{described}{''.join(parts)}</svg>"
    )


def words(x: float, y: float, text: str, anchor: str = "start", kind: str = "") -> str:
    """Return a text at a place."""
    looks = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{looks}>{escape(text)}</text>'
