"""Limits: what no machine here can hold is refused before it is tried."""

from __future__ import annotations

import os
from pathlib import Path

from referee.errors import InputError

__all__ = [
    "LONGEST_LABEL",
    "MOST_CASES",
    "MOST_CLASSES",
    "MOST_FITS",
    "MOST_MODELS",
    "MOST_PERMUTATIONS",
    "MOST_SCORED",
    "bytes_text",
    "memory_limit",
    "refuse_memory",
]

LONGEST_LABEL = 1000
"""Characters of a class's name; longer ones are texts to be classified, or a column mixed up."""

MOST_FITS = 100_000
"""Models that one plan may train."""

MOST_CASES = 10**8
"""Cases of a test set that is planned or audited; larger ones answer no question of this kind."""

MOST_CLASSES = 1000
"""Classes: a table of confusion has a cell for each pair of them, and many of it are drawn."""

MOST_MODELS, MOST_SCORED = 50, 200
"""Models that are compared, each pair of them: by predictions, and by scores on data sets."""

MOST_PERMUTATIONS = 10_000_000
"""Relabellings of a permutation test."""

_SHARE = 0.5
"""Of the memory there is: other things need some, and so do copies."""

_GROUP_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
_UNKNOWN = 16 * 2**30


def memory_limit() -> int:
    """Return how many bytes one table or one plan may take on this machine.

    Half of what there is, by the machine, its container and the limits of this process.
    """
    return int(_SHARE * min(_machine(), _group(), _process()))


def _machine() -> int:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return _UNKNOWN


def _group() -> int:
    for name in _GROUP_LIMITS:
        try:
            text = Path(name).read_text(encoding="ascii").strip()
        except (OSError, ValueError):
            continue
        if text.isdigit():
            return int(text)
    return 2**62


def _process() -> int:
    try:
        import resource
    except ImportError:
        return 2**62
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    return 2**62 if soft == resource.RLIM_INFINITY else soft


def refuse_memory(
    needed: float, what: str, remedy: str, *, error: type[InputError] = InputError
) -> None:
    """Refuse what would take more memory than there is.

    Examples
    --------
    >>> refuse_memory(8e15, "a table of 10^15 numbers", "take fewer rows")
    Traceback (most recent call last):
    ...
    referee.errors.InputError: a table of 10^15 numbers takes about 8 000 000 GB of memory, and at
    most ... can be had here; take fewer rows
    """
    most = memory_limit()
    if needed > most:
        raise error(
            f"{what} takes about {bytes_text(needed)} of memory, and at most {bytes_text(most)} "
            "can be had here",
            remedy=remedy,
        )


def bytes_text(size: float) -> str:
    """Return a number of bytes as people say it.

    Examples
    --------
    >>> bytes_text(300), bytes_text(2.5e6), bytes_text(16e9)
    ('300 bytes', '2.5 MB', '16 GB')
    """
    for unit, bytes_ in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= bytes_:
            number = size / bytes_
            text = f"{number:,.0f}".replace(",", " ") if number >= 10 else f"{number:.2g}"
            return f"{text} {unit}"
    return f"{size:.0f} bytes"
