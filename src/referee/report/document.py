"""A report as data: sections of paragraphs, tables, pictures of intervals and findings.

Results are described once (`report.describe`); every renderer knows these few nouns and nothing of
the results they came from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from referee.core.pictures import Bar, Bars, Curve, Curves, Dots, Histogram, Picture, Ranks
from referee.core.results import Finding, Verdict

__all__ = [
    "Bar",
    "Bars",
    "Block",
    "Column",
    "Curve",
    "Curves",
    "Document",
    "Dots",
    "Facts",
    "Findings",
    "Histogram",
    "Paragraph",
    "Picture",
    "Ranks",
    "Section",
    "Table",
]


@dataclass(frozen=True)
class Paragraph:
    """Running text."""

    text: str


@dataclass(frozen=True)
class Column:
    """A column of a table; numbers are set flush right."""

    title: str
    numeric: bool = False


@dataclass(frozen=True)
class Table:
    """Rows of text under columns."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""


@dataclass(frozen=True)
class Findings:
    """Warnings with their codes."""

    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class Facts:
    """Names and values, for provenance."""

    facts: tuple[tuple[str, str], ...]


Block: TypeAlias = Paragraph | Table | Picture | Findings | Facts


@dataclass(frozen=True)
class Section:
    """A titled part of the report."""

    title: str
    blocks: tuple[Block, ...]


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
    """

    title: str
    subtitle: str
    verdict: Verdict
    sections: tuple[Section, ...]
    data: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """All pictures, in reading order."""
        blocks = (b for s in self.sections for b in s.blocks)
        return tuple(b for b in blocks if isinstance(b, Picture))

    @property
    def word(self) -> str:
        """The outcome in capitals, or the label of a report that judges nothing."""
        return self.label or self.verdict.outcome.value.upper()
