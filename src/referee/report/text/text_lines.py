"""Lines of text on a terminal: broken between words, never between a number and its unit."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

__all__ = ["INDENT", "held", "print_prose", "wrapped"]

INDENT = "  "
_HELD = "\uffff"
"""A blank no line is broken at; rich breaks at no-break spaces too. No legible text holds it."""

_UNIT = re.compile(
    r"(?<=\d) (?=%)|(?<=\d) (?=\d{3}\b)|(?<=\b[pn]) (?=[=<] )|(?<=[pn] [=<]) (?=[.\d])"
)
"""Before a per cent sign and the next three digits, and around the sign of a p-value or an n."""


def held(text: str) -> str:
    """Return the text with blanks that keep a number, and it with its unit, in one word.

    Examples
    --------
    >>> len("errs on 0.72 % of cases".split()), len(held("errs on 0.72 % of cases").split())
    (6, 5)
    >>> [len(held(text).split()) for text in ("11 183 cases", "t test p = .024", "p < .001")]
    [2, 3, 1]
    """
    return _UNIT.sub(_HELD, text)


def wrapped(text: Text, console: Console, width: int) -> Text:
    """Return the text in lines of at most so many columns."""
    from rich.text import Text as RichText

    text = text.copy()
    text.plain = held(text.plain)
    lines = text.wrap(console, max(1, width), overflow="fold")
    for line in lines:
        line.plain = line.plain.replace(_HELD, " ")
        line.rstrip()
    return RichText("\n").join(lines)


def print_prose(text: Text, console: Console, *, indent: int = len(INDENT)) -> None:
    """Print the text in lines as long as the terminal allows."""
    from rich.padding import Padding

    console.print(Padding(wrapped(text, console, console.width - indent), (0, 0, 0, indent)))
