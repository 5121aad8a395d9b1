"""A document as Markdown."""

from __future__ import annotations

import re

from referee.report.document import (
    Block,
    Document,
    Facts,
    Findings,
    Headline,
    Matrix,
    Paragraph,
    Table,
)
from referee.report.legible import legible
from referee.report.text.text_pictures import as_table

__all__ = ["to_markdown_text"]


def to_markdown_text(document: Document) -> str:
    """Return the document as Markdown with pipe tables."""
    document = legible(document)
    lines = [f"# {_safe(document.title)}", "", _safe(document.subtitle), ""]
    lines += [f"**{_safe(document.word)}.** {_safe(document.verdict.sentence)}", ""]
    lines += _headline(document.headline)
    for section in document.sections:
        blocks = [line for block in section.blocks for line in _block(block)]
        if blocks:
            lines += [f"## {_safe(section.title)}", "", *blocks]
    return "\n".join(lines).rstrip() + "\n"


def _headline(headline: Headline | None) -> list[str]:
    if headline is None or not headline.value:
        return []
    between = f" ({_safe(headline.between)})" if headline.between else ""
    return [f"**{_safe(headline.value)}** {_safe(headline.what)}{between}", ""]


def _block(block: Block) -> list[str]:
    if isinstance(block, Paragraph):
        return [_safe(block.text), ""]
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Findings):
        lines = [
            f"- **{f.code} {f.severity.value}**: {_safe(f.title)}: {_safe(f.message)} "
            f"*{_safe(f.remedy)}*"
            for f in block.findings
        ]
        return [*lines, ""]
    if isinstance(block, Facts):
        return [*(f"- {_safe(key)}: {_code(value)}" for key, value in block.facts), ""]
    if isinstance(block, Matrix) and (table := as_table(block)) is not None:
        return _table(table)
    # Other pictures have their numbers in a table.
    return []


def _table(block: Table) -> list[str]:
    head = "| " + " | ".join(_safe(c.title) for c in block.columns) + " |"
    rule = "|" + "|".join("---:" if c.numeric else "---" for c in block.columns) + "|"
    rows = ["| " + " | ".join(_safe(cell) for cell in row) + " |" for row in block.rows]
    caption = [_safe(block.caption), ""] if block.caption else []
    return [head, rule, *rows, "", *caption]


def _code(text: str) -> str:
    """Return the text as code, between more backquotes than it has itself in a row."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    blank = " " if longest else ""
    return f"{fence}{blank}{text}{blank}{fence}"


def _safe(text: str) -> str:
    for character in "\\`*_[]<>|#~&!":
        text = text.replace(character, "\\" + character)
    return " ".join(text.split())
