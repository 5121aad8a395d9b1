"""A document as Markdown."""

from __future__ import annotations

from referee.report.document import Block, Document, Facts, Findings, Paragraph, Picture, Table

__all__ = ["to_markdown_text"]


def to_markdown_text(document: Document) -> str:
    """Return the document as Markdown with pipe tables."""
    lines = [f"# {_safe(document.title)}", "", _safe(document.subtitle), ""]
    lines += [f"**{document.word}.** {_safe(document.verdict.sentence)}", ""]
    for section in document.sections:
        blocks = [line for block in section.blocks for line in _block(block)]
        if blocks:
            lines += [f"## {_safe(section.title)}", "", *blocks]
    return "\n".join(lines).rstrip() + "\n"


def _block(block: Block) -> list[str]:
    if isinstance(block, Paragraph):
        return [_safe(block.text), ""]
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Findings):
        found = [
            f"- **{f.code} {f.severity.value}**: {_safe(f.title)}: {_safe(f.message)} "
            f"*{_safe(f.remedy)}*"
            for f in block.findings
        ]
        return [*found, ""]
    if isinstance(block, Facts):
        return [*(f"- {key}: `{value}`" for key, value in block.facts), ""]
    assert isinstance(block, Picture)
    # The picture's numbers stand in a table.
    return []


def _table(block: Table) -> list[str]:
    head = "| " + " | ".join(_safe(c.title) for c in block.columns) + " |"
    rule = "|" + "|".join("---:" if c.numeric else "---" for c in block.columns) + "|"
    rows = ["| " + " | ".join(_safe(cell) for cell in row) + " |" for row in block.rows]
    caption = [_safe(block.caption), ""] if block.caption else []
    return [head, rule, *rows, "", *caption]


def _safe(text: str) -> str:
    for character in "\\`*_[]<>|#":
        text = text.replace(character, "\\" + character)
    return " ".join(text.split())
