"""Numbers of things in sentences."""

from __future__ import annotations

__all__ = ["counted"]


def counted(number: int, one: str, several: str | None = None) -> str:
    """Return a number with its noun.

    Examples
    --------
    >>> counted(1, "team"), counted(0, "team"), counted(2, "try", "tries")
    ('1 team', '0 teams', '2 tries')
    """
    return f"{number} {one if number == 1 else several or one + 's'}"
