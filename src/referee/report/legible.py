"""Names as they can be shown anywhere: on one line, with nothing in them that acts.

Names of models, classes and columns come from anywhere. A terminal obeys escape sequences, a
control character is no valid XML, and a bidirectional override turns the rest of a line around.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any, TypeVar

from referee.core.showing.characters import one_line
from referee.report.document import Document, Drawing, Facts, Table
from referee.report.typesetting import typeset, typeset_cell

__all__ = ["legible", "one_line"]

Part = TypeVar("Part")


def legible(document: Document) -> Document:
    """Return the document with every text in it fit to be shown; its data stay as they are."""
    return replace(_cleaned(replace(document, data={})), data=document.data)


def _cleaned(part: Part) -> Part:
    cleaned: Any = part
    if isinstance(part, str) and not isinstance(part, Enum):
        cleaned = typeset(one_line(part))
    elif isinstance(part, Facts):
        # What can be typed again, as a command, is not typeset.
        cleaned = Facts(tuple((one_line(name), one_line(fact)) for name, fact in part.facts))
    elif isinstance(part, Table):
        cleaned = _table(part)
    elif isinstance(part, tuple):
        # Coordinates need no cleaning, and there may be very many.
        plain = all(isinstance(p, (int, float)) for p in part)
        cleaned = part if plain else tuple(_cleaned(p) for p in part)
    elif isinstance(part, Drawing):
        drawing = part
        cleaned = Drawing(lambda: _cleaned(drawing.picture))
    elif is_dataclass(part) and not isinstance(part, type):
        cleaned = replace(part, **{f.name: _cleaned(getattr(part, f.name)) for f in fields(part)})
    return cleaned  # type: ignore[no-any-return]


def _table(table: Table) -> Table:
    numeric = [c.numeric for c in table.columns]
    rows = tuple(
        tuple(
            typeset_cell(one_line(cell)) if number else one_line(cell)
            for cell, number in zip(row, numeric, strict=True)
        )
        for row in table.rows
    )
    return replace(
        table, columns=_cleaned(table.columns), rows=rows, caption=_cleaned(table.caption)
    )
