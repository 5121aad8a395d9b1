"""Names of accounts: one way to write them, and no two that look alike."""

from __future__ import annotations

import unicodedata

from referee.arena.problem import Problem

__all__ = ["checked_name", "checked_text", "skeleton"]

LONGEST = 40

# Letters of other scripts that are drawn like a Latin letter or a digit.
_LOOKALIKES = str.maketrans(
    "аеорсухкмнтвіјѕԁԛԝһɡοαρνικτυχωβη01|ıł",
    "aeopcyxkmhtbijsdqwhgoapviktuxwbnollil",
)


def checked_name(text: str) -> str:
    r"""Return a name in its one form (NFKC, single blanks), or say why it can be none.

    Examples
    --------
    >>> checked_name("  Ａda   Lovelace ")
    'Ada Lovelace'
    >>> checked_name("a\u202eb")
    Traceback (most recent call last):
    ...
    referee.arena.problem.Problem: a name may hold letters, ... got the character U+202E; ...
    """
    name = " ".join(unicodedata.normalize("NFKC", text).split())
    for character in name:
        if not (character.isalnum() or unicodedata.category(character) in ("Mn", "Mc")) and (
            character not in " ._-"
        ):
            raise Problem(
                422,
                "a name may hold letters, digits, blanks and . _ - only, got the character "
                f"U+{ord(character):04X}; leave it out",
            )
    if not 2 <= len(name) <= LONGEST:
        raise Problem(422, f"a name must have between 2 and {LONGEST} characters, got {len(name)}")
    return name


def skeleton(name: str) -> str:
    """Return what a name looks like: two names with the same skeleton could be mistaken.

    Examples
    --------
    >>> skeleton("Аda_1") == skeleton("ada l")
    True
    """
    bare = unicodedata.normalize("NFD", name.casefold())
    letters = "".join(c for c in bare if unicodedata.category(c) != "Mn" and c not in " ._-")
    return letters.translate(_LOOKALIKES).replace("rn", "m").replace("vv", "w")


def checked_text(text: str, what: str, longest: int) -> str:
    """Return a short text of one line without characters that act, or say what is wrong.

    Examples
    --------
    >>> checked_text("second try", "note", 200)
    'second try'
    """
    for character in text:
        if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp"):
            raise Problem(
                422,
                f"{what} must be plain text of one line, got the character "
                f"U+{ord(character):04X}; leave it out",
            )
    if len(text) > longest:
        raise Problem(422, f"{what} may have {longest} characters, got {len(text)}; shorten it")
    return text.strip()
