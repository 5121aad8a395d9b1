"""Agreement: what a result states, held against what was recomputed, value by value."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

__all__ = ["ABSENT", "Agreement", "Value", "compare_records"]

ABSENT = "absent"
"""Stands for a value that one side lacks."""

_SHORT = 26


class Agreement(StrEnum):
    """How a stated value compares with the recomputed one."""

    EXACT = "exactly"
    CLOSE = "nearly"
    DIFFERS = "differs"
    STATED = "not recomputed"


@dataclass(frozen=True)
class Value:
    """One value of results.json.

    Attributes
    ----------
    path : str
        Where it stands, as ``estimates.error.value``.
    stated, recomputed : number, text, bool or None
        What the file says, and what follows from the evidence.
    agreement : Agreement
        How they compare.
    why : str
        Why it was not recomputed; empty otherwise.
    """

    path: str
    stated: Any
    recomputed: Any
    agreement: Agreement
    why: str = ""

    def apart(self) -> tuple[str, str]:
        """Return both sides as short texts; long ones from shortly before they differ.

        Examples
        --------
        >>> Value("a", "x" * 50 + "1", "x" * 50 + "2", Agreement.DIFFERS).apart()
        ('…xxxxxxxxxxxx1', '…xxxxxxxxxxxx2')
        """
        sides = (str(self.stated), str(self.recomputed))
        if max(map(len, sides)) <= _SHORT:
            return sides
        pairs = enumerate(zip(*sides, strict=False))
        alike = next((k for k, (a, b) in pairs if a != b), min(map(len, sides)))
        start = max(0, alike - 12)
        first, second = (("…" if start else "") + side[start:] for side in sides)
        return _cut(first), _cut(second)


def _cut(text: str) -> str:
    return text if len(text) <= _SHORT else text[: _SHORT - 1] + "…"


def compare_records(
    stated: Any, recomputed: Any, *, tolerance: float = 0.0, untold: Mapping[str, str]
) -> tuple[Value, ...]:
    """Compare two records leaf by leaf.

    Parameters
    ----------
    stated, recomputed : dictionaries and lists, as from JSON
    tolerance : float
        Relative difference up to which numbers agree nearly; 0 wants the same number.
    untold : mapping of str to str
        Beginnings of paths that were not recomputed but taken over from the request or the
        tables, and why; where they differ even so, that counts.

    Examples
    --------
    >>> result = compare_records({"a": 1.0, "b": "x"}, {"a": 2.0, "b": "x"}, untold={"b": "asked"})
    >>> [(v.path, v.agreement.value) for v in result]
    [('a', 'differs'), ('b', 'not recomputed')]
    """
    said, again = dict(_leaves(stated)), dict(_leaves(recomputed))
    return tuple(
        _compared(path, said.get(path, ABSENT), again.get(path, ABSENT), tolerance, untold)
        for path in dict.fromkeys([*said, *again])
    )


def _leaves(record: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every value with its path; an empty list or object is a value, too."""
    if isinstance(record, Mapping) and record:
        for key, value in record.items():
            # A model may be called "a.b": such names are quoted, so that no two paths are alike.
            name = key if key.isidentifier() else repr(key)
            yield from _leaves(value, f"{path}.{name}" if path else name)
    elif isinstance(record, list) and record:
        for number, value in enumerate(record):
            yield from _leaves(value, f"{path}[{number}]")
    else:
        yield path, record


def _compared(
    path: str, stated: Any, recomputed: Any, tolerance: float, untold: Mapping[str, str]
) -> Value:
    why = next((text for start, text in untold.items() if _below(path, start)), "")
    agreement = _agreement(stated, recomputed, tolerance)
    # What the evidence repeats, and does not prove, must at least be the same in both places.
    if why and agreement is not Agreement.DIFFERS:
        return Value(path, stated, None, Agreement.STATED, why)
    return Value(path, stated, recomputed, agreement)


def _below(path: str, start: str) -> bool:
    return path == start or (path.startswith(start) and path[len(start)] in ".[")


def _agreement(stated: Any, recomputed: Any, tolerance: float) -> Agreement:
    if type(stated) is type(recomputed) and stated == recomputed:
        return Agreement.EXACT
    numbers = isinstance(stated, float) and isinstance(recomputed, float)
    if (
        numbers
        and tolerance
        and math.isclose(stated, recomputed, rel_tol=tolerance, abs_tol=tolerance)
    ):
        return Agreement.CLOSE
    return Agreement.DIFFERS
