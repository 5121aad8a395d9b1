"""Where the files that belong to a lock lie: beside it, under its name."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

__all__ = ["LockPlaces", "lock_places"]

_ENDING = ".lock.json"


@dataclass(frozen=True)
class LockPlaces:
    """The files of one protocol.

    Attributes
    ----------
    opening : Path
        The salt of a file of labels.
    run : Path
        That the protocol was run with a file of labels, and when.
    timestamp : Path
        The answer of a time stamping authority.
    """

    opening: Path
    run: Path
    timestamp: Path


def lock_places(lock: Path) -> LockPlaces:
    """Return the places that go with a lock.

    Examples
    --------
    >>> lock_places(Path("a/protocol.lock.json")).run.as_posix()
    'a/protocol.run.json'
    """
    base = lock.name.removesuffix(_ENDING) or lock.name
    return LockPlaces(
        lock.with_name(f"{base}.opening.json"),
        lock.with_name(f"{base}.run.json"),
        lock.with_name(f"{base}.tsr"),
    )
