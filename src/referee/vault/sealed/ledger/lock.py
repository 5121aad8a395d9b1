"""The lock: one process at a time in a vault, so that looks are answered in their order.

The operating system takes it back from a process that dies, so it cannot be left behind.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from referee.errors import InputError

__all__ = ["alone"]

_PATIENCE = 60.0
_PAUSE = 0.01


@contextlib.contextmanager
def alone(path: Path, *, patience: float = _PATIENCE) -> Iterator[None]:
    """Hold the lock on a file; wait for whoever holds it, but not for ever."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError as problem:
        raise InputError(
            f"{path} cannot be read ({problem.strerror})",
            remedy="name a directory that referee vault seal wrote",
        ) from None
    try:
        deadline = time.monotonic() + patience
        while not _taken(handle):
            if time.monotonic() > deadline:
                raise InputError(
                    f"{path.parent} is in use by another process",
                    remedy="try again when it has ended",
                )
            time.sleep(_PAUSE)
        yield
    finally:
        os.close(handle)  # and with it the lock


if sys.platform == "win32":
    import msvcrt

    def _taken(handle: int) -> bool:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _taken(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
