"""A report as data: sections of paragraphs, tables, pictures of intervals and findings.

Results are described once (`report.describe`); every renderer knows these few nouns and nothing of
the results they came from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeAlias

from referee.core.results import Finding, Verdict
from referee.core.showing.pictures import (
    Bar,
    Bars,
    Curve,
    Curves,
    Dots,
    Histogram,
    Matrix,
    Picture,
    PlanGrid,
    Ranks,
)

__all__ = [
    "Bar",
    "Bars",
    "Block",
    "Column",
    "Curve",
    "Curves",
    "Document",
    "Dots",
    "Drawing",
    "Facts",
    "Findings",
    "Headline",
    "Histogram",
    "Matrix",
    "Paragraph",
    "Picture",
    "PlanGrid",
    "Ranks",
    "Section",
    "Table",
]


@dataclass(frozen=True)
class Paragraph:
    """Running text.

    Attributes
    ----------
    methods : tuple of str
        Names of methods in the text; they lead to their rows where the report has them.
    """

    text: str
    methods: tuple[str, ...] = ()


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes
    ----------
    numeric : bool
        Whether it is set flush right.
    names_methods : bool
        Whether its cells are names of methods, which lead to their rows as in paragraphs.
    """

    title: str
    numeric: bool = False
    names_methods: bool = False


@dataclass(frozen=True)
class Table:
    """Rows of text under columns; `anchors` name the rows that can be led to."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
    anchors: tuple[str, ...] = ()


@dataclass(frozen=True)
class Findings:
    """Warnings with their codes."""

    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class Facts:
    """Names and values, for provenance."""

    facts: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Drawing:
    """A picture that takes a while to compute: made once, when a renderer first wants to draw it.

    Examples
    --------
    >>> drawing = Drawing(lambda: Bars((), "nothing"))
    >>> drawing.picture.caption, drawing.picture is drawing.picture
    ('nothing', True)
    """

    make: Callable[[], Picture]

    @cached_property
    def picture(self) -> Picture:
        """The picture."""
        return self.make()


Block: TypeAlias = Paragraph | Table | Picture | Drawing | Findings | Facts


@dataclass(frozen=True)
class Section:
    """A titled part of the report.

    Attributes
    ----------
    detail : bool
        Whether it is for those who check the result; left out on a terminal.
    """

    title: str
    blocks: tuple[Block, ...]
    detail: bool = False


@dataclass(frozen=True)
class Headline:
    """The one number of a report, with its interval.

    Attributes
    ----------
    value, what, between : str
        The number, what it is, and its interval in words; empty where there is none.
    picture : Picture or None
        The number with its interval, beside what it is to be compared with.
    """

    value: str
    what: str
    between: str = ""
    picture: Picture | None = None


@dataclass(frozen=True)
class Document:
    """A whole report.

    Attributes
    ----------
    title, subtitle : str
        What was judged, and on what.
    verdict : Verdict
        Stands at the top.
    sections : tuple of Section
        In reading order.
    data : mapping
        The same content for machines; what ``to_json`` writes.
    label : str
        Stands in for the outcome where there is none, as in a plan.
    headline : Headline or None
        Stands next to the verdict.
    """

    title: str
    subtitle: str
    verdict: Verdict
    sections: tuple[Section, ...]
    data: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""
    headline: Headline | None = None

    @property
    def blocks(self) -> Iterator[Block]:
        """All blocks of all sections, in reading order."""
        return (block for section in self.sections for block in section.blocks)

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """All pictures, in reading order; those that take a while are made now."""
        return tuple(self._drawn())

    @property
    def first_picture(self) -> Picture | None:
        """The picture that says most; no other is made for it."""
        return next(self._drawn(), None)

    def _drawn(self) -> Iterator[Picture]:
        if self.headline is not None and self.headline.picture is not None:
            yield self.headline.picture
        for block in self.blocks:
            if isinstance(block, Picture):
                yield block
            elif isinstance(block, Drawing):
                yield block.picture

    @property
    def anchors(self) -> frozenset[str]:
        """Names of the rows that can be led to."""
        tables = (b for b in self.blocks if isinstance(b, Table))
        return frozenset(name for table in tables for name in table.anchors)

    @property
    def word(self) -> str:
        """The outcome in a few words or in capitals, or the label of what judges nothing."""
        return self.label or self.verdict.badge or self.verdict.outcome.value.upper()

    @property
    def tone(self) -> str:
        """How the verdict looks: pass where the claim was shown, fail where its opposite was."""
        if self.label:
            return ""
        if self.verdict.refuted:
            return "fail"
        return "pass" if self.verdict.shown else "undecided"

    def from_command(self, command: str, *, seed: int | None = None) -> Document:
        """Return the report with the command that made it among the facts of its last section.

        `seed` is for reports that do not tell theirs.
        """
        *rest, last = self.sections
        more = [] if seed is None else [("seed", str(seed))]
        blocks = tuple(
            Facts((*more, *b.facts, ("command", command))) if isinstance(b, Facts) else b
            for b in last.blocks
        )
        return replace(self, sections=(*rest, replace(last, blocks=blocks)))
