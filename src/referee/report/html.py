"""A document as HTML: one self-contained page, or a part that can stand inside another page.

No network, no script; light and dark. Every rule of the style sheet is confined to the report, so a
notebook that shows one keeps its own looks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import TYPE_CHECKING, Any
from zlib import crc32

from referee.report.document import Document, Picture
from referee.report.figures.picture import svg_of
from referee.report.figures.svg import NARROW, WIDE
from referee.report.legible import legible

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = ["to_fragment_text", "to_html_text"]

_calls = count(1)
_THOUSANDS = re.compile(r"(?<![\d.])\d{1,3}(?: \d{3})+(?![\d.])")


def to_html_text(document: Document) -> str:
    """Return the page; every text in it is escaped."""
    return _rendered("report.html", document, "")


def to_fragment_text(document: Document) -> str:
    """Return the report for a notebook: names of places in it do not meet those of other ones.

    A notebook keeps what earlier sessions showed, so the content is in the names; it may show a
    result twice, so is the number of the call.
    """
    text = f"{document.title} {document.subtitle} {document.verdict.sentence}"
    prefix = f"r{crc32(text.encode(errors='replace')):08x}-{next(_calls)}-"
    return _rendered("fragment.html", document, prefix)


def _rendered(template: str, document: Document, prefix: str) -> str:
    places = _Places(prefix, document.anchors)
    return str(
        _environment()
        .get_template(template)
        .render(
            document=legible(document),
            prefix=prefix,
            anchor=places.anchor,
            leads=places.leads,
            names_in=places.names_in,
        )
    )


@dataclass(frozen=True)
class _Places:
    """Where names of methods lead to in this report."""

    prefix: str
    known: frozenset[str]

    def anchor(self, name: str) -> str:
        """Return the id of the row of a method."""
        return f"{self.prefix}method-{re.sub(r'[^A-Za-z0-9-]', '-', name)}"

    def names_in(self, cell: str) -> tuple[str, ...]:
        """Return the method a cell names, without the mark of a footnote."""
        return (cell.removesuffix(" *"),)

    def leads(self, text: str, names: tuple[str, ...]) -> list[tuple[str, str]]:
        """Return the text in parts, each with the place it leads to, or none."""
        wanted = sorted((n for n in names if n in self.known), key=len, reverse=True)
        if not wanted:
            return [(text, "")]
        parts = re.split("(" + "|".join(re.escape(name) for name in wanted) + ")", text)
        return [(part, self.anchor(part) if part in wanted else "") for part in parts if part]


@dataclass(frozen=True)
class _Drawings:
    """One picture, laid out for a page and, where that differs, for a phone."""

    wide: Markup
    narrow: Markup | None
    square: bool


def _drawings(picture: Picture) -> _Drawings:
    from markupsafe import Markup

    wide, narrow = svg_of(picture, WIDE), svg_of(picture, NARROW)
    square = bool(getattr(picture, "square", False))
    if square or wide == narrow:
        return _Drawings(Markup(wide), None, square)
    return _Drawings(Markup(wide), Markup(narrow), square)


def _whole(value: Any) -> Any:
    """Keep a number on one line; facts, which can be typed again, come escaped already."""
    if type(value) is not str:
        return value
    return _THOUSANDS.sub(lambda number: number[0].replace(" ", "\u00a0"), value)


@cache
def _environment() -> Any:
    from jinja2 import Environment, PackageLoader

    environment = Environment(
        loader=PackageLoader("referee.report"),
        autoescape=True,
        trim_blocks=True,
        finalize=_whole,
    )
    environment.globals["kind_of"] = lambda block: type(block).__name__
    environment.globals["drawings"] = _drawings
    return environment
