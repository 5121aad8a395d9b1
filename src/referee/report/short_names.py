"""Names shortened for a picture, so that those that differ still do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile

__all__ = ["distinct_names", "fitted"]

_PAIR = " – "
_PAIRS = (" – ", " against ")
"""What stands between the names of a pair; a shortened pair has the first."""
_ROOM_FOR_A_PAIR = 16
"""In fewer letters two names cannot be told."""
Width = Callable[[str], int]


def fitted(text: str, most: int, width: Width = len) -> str:
    """Return a name of at most so many letters; what tells names apart is often at their end.

    Examples
    --------
    >>> fitted("a name of far more letters than fit, number 12", 26)
    'a name of far m… number 12'
    >>> fitted("LogisticRegression against GaussianNB", 26)  # of a pair, each of the two
    'Logisti…sion – GaussianNB'
    """
    if width(text) <= most:
        return text
    pair = _sides(text)
    if len(pair) == 2 and most >= _ROOM_FOR_A_PAIR:
        return _PAIR.join(_both(pair, most - len(_PAIR), width))
    head = most * 3 // 5
    tail = _beginning(text[::-1], most - 1 - head, width)[::-1]
    return f"{_beginning(text, head, width)}…{tail}"


def _sides(name: str) -> list[str]:
    """Return the two names of a pair, or the one name."""
    return next((pair for by in _PAIRS if len(pair := name.split(by)) == 2), [name])


def _both(pair: list[str], most: int, width: Width) -> list[str]:
    """Return two names that together have so many letters; a short one leaves room to the other."""
    spare = [max(0, most // 2 - width(name)) for name in pair]
    return [fitted(name, most // 2 + spare[1 - at], width) for at, name in enumerate(pair)]


def distinct_names(names: Iterable[str], most: int, width: Width = len) -> list[str]:
    """Return each name in at most so many letters, different names by different ones.

    What names have in common is dropped before what they differ in; where that does not help they
    are numbered. `width` measures a text where some letters take more room than others.

    Examples
    --------
    >>> distinct_names(["diagnosis 1 of the lung", "diagnosis 2 of the lung", "healthy"], 12)
    ['diagnosis 1…', 'diagnosis 2…', 'healthy']
    >>> distinct_names(["x" * 30 + "1" + "x" * 30, "x" * 30 + "2" + "x" * 30], 12)
    ['xxxx…xxx (1)', 'xxxx…xxx (2)']
    """
    given = [" ".join(name.split()) for name in names]
    shown = {name: fitted(name, most, width) for name in given}
    if _clashes(shown):
        # All that are too long, so that they are shortened in the same way.
        shown |= _parted([name for name in shown if shown[name] != name], most, width)
    for alike in _clashes(shown):
        shown |= _parted(alike, most, width)
    for alike in _clashes(shown):
        shown |= _numbered(alike, list(shown), most, width)
    if _clashes(shown):
        shown = _numbered(list(shown), list(shown), most, width)
    return [shown[name] for name in given]


def _clashes(shown: dict[str, str]) -> list[list[str]]:
    """Return the different names that are shown alike."""
    clashes: dict[str, list[str]] = {}
    for name, short in shown.items():
        clashes.setdefault(short, []).append(name)
    return [names for names in clashes.values() if len(names) > 1]


def _parted(names: list[str], most: int, width: Width) -> dict[str, str]:
    """Return names without the words they share; of pairs, each of the two by itself."""
    pairs = [_sides(name) for name in names]
    if all(len(pair) == 2 for pair in pairs):
        sides = list(dict.fromkeys(side for pair in pairs for side in pair))
        short = distinct_names(sides, (most - len(_PAIR)) // 2, width)
        called = dict(zip(sides, short, strict=True))
        return {
            name: _PAIR.join(called[side] for side in pair)
            for name, pair in zip(names, pairs, strict=True)
        }
    words = [name.split() for name in names]
    before = _shared(words)
    after = min(_shared([w[::-1] for w in words]), min(len(w) for w in words) - before)
    left, right = before, after
    # Words next to what differs come back as long as there is room.
    while left and _fit(words, left - 1, right, most, width):
        left -= 1
    while right and _fit(words, left, right - 1, most, width):
        right -= 1
    cores = (_cut(w, left, right) for w in words)
    return {name: fitted(core, most, width) for name, core in zip(names, cores, strict=True)}


def _fit(words: list[list[str]], left: int, right: int, most: int, width: Width) -> bool:
    return all(width(_cut(w, left, right)) <= most for w in words)


def _cut(words: list[str], left: int, right: int) -> str:
    kept = " ".join(words[left : len(words) - right])
    return f"{'…' if left else ''}{kept}{'…' if right else ''}"


def _shared(words: Sequence[list[str]]) -> int:
    """Return with how many words all begin alike."""
    columns = zip(*words, strict=False)
    return sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, columns))


def _numbered(names: list[str], order: list[str], most: int, width: Width) -> dict[str, str]:
    """Return names with their number among all."""
    tags = {name: f" ({order.index(name) + 1})" for name in names}
    return {name: fitted(name, max(2, most - len(tag)), width) + tag for name, tag in tags.items()}


def _beginning(text: str, room: int, width: Width) -> str:
    while width(text[:room]) > room:
        text = text[: min(len(text), room) - 1]
    return text[:room]
