"""Small pieces of Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

__all__ = ["bullets", "contents", "facts_list", "in_one_line", "section", "table"]


def in_one_line(text: str) -> str:
    """Return the text without line breaks."""
    return " ".join(text.split())


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; empty where it would have no rows."""
    lines = [" | ".join(in_one_line(cell).replace("|", "\\|") for cell in row) for row in rows]
    if not lines:
        return ""
    body = "".join(f"| {line} |\n" for line in lines)
    return f"| {' | '.join(head)} |\n|{'---|' * len(head)}\n{body}\n"


def bullets(entries: Iterable[str]) -> str:
    """Return a list."""
    return "".join(f"- {in_one_line(entry)}\n" for entry in entries)


def facts_list(facts: Iterable[tuple[str, str]]) -> str:
    """Return a list of what is known, leaving out what is not."""
    return bullets(f"**{name}:** {fact}" for name, fact in facts if fact) + "\n"


def section(title: str, text: str) -> str:
    """Return a section; nothing where there is nothing to say."""
    return f"## {title}\n\n{text.rstrip()}\n\n" if text.strip() else ""


def contents(pages: Iterable[str], *, hidden: bool = True, depth: int = 1) -> str:
    """Return the table of contents that makes pages part of the site."""
    shown = ":hidden:\n" if hidden else ""
    return f"```{{toctree}}\n{shown}:maxdepth: {depth}\n\n" + "\n".join(pages) + "\n```\n"
