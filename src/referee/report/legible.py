"""Names as they can be shown anywhere: on one line, with nothing in them that acts.

Names of models, classes and columns come from anywhere. A terminal obeys escape sequences, a
control character is no valid XML, and a bidirectional override turns the rest of a line around.
"""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any, TypeVar

from referee.report.document import Document, Drawing

__all__ = ["legible", "one_line"]

Part = TypeVar("Part")

_SPACE = re.compile(r"[\s\x1c-\x1f\x85\u2028\u2029]+")
_ACTING = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\uffff\ud800-\udfff]"
)


def one_line(text: str) -> str:
    r"""Return the text with blanks for line breaks and codes for characters that act.

    Examples
    --------
    >>> one_line("a\n b"), one_line("\x1b[31mred"), one_line("a\u202eb"), one_line("שלום 👩‍👧")
    ('a b', '\\x1b[31mred', 'a\\u202eb', 'שלום 👩‍👧')
    """
    return _ACTING.sub(_coded, _SPACE.sub(" ", text))


def _coded(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def legible(document: Document) -> Document:
    """Return the document with every text in it fit to be shown; its data stay as they are."""
    return replace(_cleaned(replace(document, data={})), data=document.data)


def _cleaned(part: Part) -> Part:
    cleaned: Any = part
    if isinstance(part, str) and not isinstance(part, Enum):
        cleaned = one_line(part)
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
