"""Numbers of things in sentences."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["counted", "few", "few_quoted", "listed"]


def counted(number: int, one: str, several: str | None = None) -> str:
    """Return a number with its noun.

    Examples
    --------
    >>> counted(1, "team"), counted(0, "team"), counted(2, "try", "tries")
    ('1 team', '0 teams', '2 tries')
    """
    return f"{number} {one if number == 1 else several or one + 's'}"


def listed(names: Sequence[str], most: int = 6) -> str:
    """Name all of a few, and of many the first and how many more there are.

    Examples
    --------
    >>> listed(["a"]), listed(["a", "b", "c"]), listed(["a", "b", "c"], most=2)
    ('a', 'a, b and c', 'a, b and 1 more')
    """
    if len(names) > most or len(names) < 2:
        return few(names, most)
    return ", ".join(names[:-1]) + f" and {names[-1]}"


def few(names: Sequence[str], most: int) -> str:
    """Name the first, with commas between, and how many more there are.

    Examples
    --------
    >>> few(["a", "b", "c"], most=3), few(["a", "b", "c"], most=2)
    ('a, b, c', 'a, b and 1 more')
    """
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def few_quoted(names: Sequence[object], most: int) -> str:
    """Name the first, each in quotes, and how many more there are.

    Examples
    --------
    >>> few_quoted(["a", "b", "c"], most=2)
    "'a', 'b' and 1 more"
    """
    return few([repr(name) for name in names], most)
