"""Names as text that can be written down, and shown on one line with nothing in it that acts."""

from __future__ import annotations

import re

__all__ = ["harmless", "one_line", "whole_characters"]

_SPACE = re.compile(r"[\s\x1c-\x1f\x85\u2028\u2029]+")
_ACTING = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\uffff\ud800-\udfff]"
)


def whole_characters(name: str) -> str:
    r"""Return a name with codes for bytes of the command line that are no text.

    Examples
    --------
    >>> whole_characters("caf\udce9")
    'caf\\xe9'
    """
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def one_line(text: str) -> str:
    r"""Return the text with blanks for line breaks and codes for characters that act.

    Examples
    --------
    >>> one_line("a\n b"), one_line("\x1b[31mred"), one_line("a\u202eb"), one_line("שלום 👩‍👧")
    ('a b', '\\x1b[31mred', 'a\\u202eb', 'שלום 👩‍👧')
    """
    return _ACTING.sub(_coded, _SPACE.sub(" ", text))


def harmless(text: str) -> str:
    r"""Return lines of text with codes for characters that act; lines and blanks stay.

    Examples
    --------
    >>> harmless("two\n  lines, \x1b[31mred")
    'two\n  lines, \\x1b[31mred'
    """
    return "\n".join(_ACTING.sub(_coded, line) for line in text.split("\n"))


def _coded(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
