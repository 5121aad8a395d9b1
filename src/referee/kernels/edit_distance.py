"""Levenshtein's edit distance, an ingredient of functions of strings."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from referee.errors import InputError

__all__ = ["edit_distance"]


def edit_distance(x: Sequence[Hashable], z: Sequence[Hashable]) -> int:
    """Return the fewest insertions, deletions and replacements that turn x into z.

    Parameters
    ----------
    x, z : str, or sequences of things that can be compared

    Notes
    -----
    Row by row through the table of Wagner and Fischer [1]_, after common ends are cut off.

    References
    ----------
    .. [1] R. A. Wagner, M. J. Fischer (1974). The string-to-string correction problem. Journal of
       the ACM 21, 168-173.

    Examples
    --------
    >>> edit_distance("kitten", "sitting"), edit_distance("", "abc"), edit_distance("ab", "ab")
    (3, 3, 0)
    """
    for name, value in (("x", x), ("z", z)):
        if not isinstance(value, Sequence):
            raise InputError(
                f"{name} must be a string or another sequence", concerning=name, value=repr(value)
            )
    x, z = _without_common_ends(x, z)
    above = list(range(len(z) + 1))
    for i, a in enumerate(x, start=1):
        row = [i]
        for j, b in enumerate(z, start=1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (a != b)))
        above = row
    return above[-1]


def _without_common_ends(
    x: Sequence[Hashable], z: Sequence[Hashable]
) -> tuple[Sequence[Hashable], Sequence[Hashable]]:
    shorter = min(len(x), len(z))
    start = 0
    while start < shorter and x[start] == z[start]:
        start += 1
    end = 0
    while end < shorter - start and x[-1 - end] == z[-1 - end]:
        end += 1
    return x[start : len(x) - end], z[start : len(z) - end]
