"""Files that are there whole or not at all, and are still there after the power has failed."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from referee.errors import InputError

__all__ = ["create_file", "replace_file", "sync_directory", "writing"]


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn what the operating system objects to into a message that names the file."""
    try:
        yield
    except FileExistsError as problem:
        there = problem.filename or path
        raise InputError(
            f"{there} exists already", remedy="name another place, or move it away"
        ) from None
    except OSError as problem:
        raise InputError(
            f"{path} cannot be written: {problem.strerror}", concerning="out"
        ) from None


def create_file(path: Path, content: bytes, *, mode: int = 0o644) -> None:
    """Write a new file and wait until it is on the disk; one that exists is left alone."""
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        try:
            _write(handle, content)
            sync_directory(path.parent)
        except BaseException:
            path.unlink(missing_ok=True)
            raise


def replace_file(path: Path, content: bytes, *, mode: int = 0o600) -> None:
    """Put a file in the place of another: at every moment there is the old or the new one.

    Only one process at a time may do that; what a killed one left half-written is overwritten.
    """
    new = path.with_name(f"{path.name}.new")
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        new.unlink(missing_ok=True)
        try:
            _write(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), content)
            os.replace(new, path)
            sync_directory(path.parent)
        except BaseException:
            new.unlink(missing_ok=True)
            raise


def _write(handle: int, content: bytes) -> None:
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def sync_directory(path: Path) -> None:
    """Wait until the names in a directory are on the disk, where the system can do that."""
    with contextlib.suppress(PermissionError, NotImplementedError):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
