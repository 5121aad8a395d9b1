"""Regular files: the only ones that are read, besides standard input; up to a size that is said.

A device has no end, and a pipe that nobody writes to never begins.
"""

from __future__ import annotations

import os
import stat
import sys
from difflib import get_close_matches
from pathlib import Path

from referee.core.machine.limits import bytes_text
from referee.errors import InputError, TableError

__all__ = ["LARGEST", "STANDARD_INPUT", "check_regular", "read_bytes"]

LARGEST = 8 * 2**30
"""Bytes of a table; larger ones are refused."""

STANDARD_INPUT = "-"
"""The name that stands for standard input."""

_PIECE = 2**24

_KINDS = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)


def read_bytes(path: str, *, most: int = LARGEST, error: type[InputError] = TableError) -> bytes:
    """Return the content of a regular file, or of standard input where the name is ``-``.

    Parameters
    ----------
    path : str
        The file as the user named it.
    most : int
        Bytes that are read at most; a larger file is refused before it is read.
    error : type
        What to raise.

    Examples
    --------
    >>> read_bytes("no-such-folder/data.csv")
    Traceback (most recent call last):
    ...
    referee.errors.TableError: no-such-folder/data.csv: there is no such file; check the name
    and the folder
    >>> read_bytes("/dev/null")
    Traceback (most recent call last):
    ...
    referee.errors.TableError: /dev/null is a device, not a regular file; name a file, or - to read
    standard input
    """
    if path == STANDARD_INPUT:
        return _standard_input(most, error)
    check_regular(path, most=most, error=error)
    try:
        return Path(path).read_bytes()
    except OSError as problem:
        raise error(
            f"{path} cannot be read ({problem.strerror})",
            remedy="check the name and the permissions",
        ) from None


def check_regular(path: str, *, most: int = LARGEST, error: type[InputError] = TableError) -> None:
    """Refuse what is no regular file, or a larger one than is read, before it is opened."""
    try:
        status = os.stat(path)
        _refuse_irregular(path, status, error)
        _refuse_large(path, status.st_size, most, error)
    except FileNotFoundError:
        raise error(_no_such_file(path)) from None
    except (OSError, ValueError) as problem:
        if isinstance(problem, InputError):
            raise
        reason = getattr(problem, "strerror", None) or problem
        raise error(
            f"{path} cannot be read ({reason})", remedy="check the name and the permissions"
        ) from None


def _standard_input(most: int, error: type[InputError]) -> bytes:
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None or stream.closed or stream.isatty():
        raise error(
            "standard input (-) holds nothing", remedy="pipe a table into it, or name a file"
        )
    data = bytearray()
    try:
        while len(data) <= most and (piece := stream.read(_PIECE)):
            data += piece
    except OSError as problem:
        raise error(f"standard input (-) cannot be read ({problem.strerror})") from None
    _refuse_large("standard input (-)", len(data), most, error)
    return bytes(data)


def _refuse_irregular(path: str, status: os.stat_result, error: type[InputError]) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise error(f"{path} is a folder, not a file", remedy="name one file inside it")
    if not stat.S_ISREG(status.st_mode):
        kind = next((name for holds, name in _KINDS if holds(status.st_mode)), "something else")
        raise error(
            f"{path} is {kind}, not a regular file",
            remedy=f"name a file, or {STANDARD_INPUT} to read standard input",
        )


def _refuse_large(path: str, size: int, most: int, error: type[InputError]) -> None:
    if size > most:
        raise error(
            f"{path} has more than {bytes_text(most)}, which is the most that is read",
            remedy="take fewer rows or columns of it",
        )


def _no_such_file(path: str) -> str:
    folder, name = Path(path).parent, Path(path).name
    try:
        siblings = [p.name for p in folder.iterdir()] if folder.is_dir() else []
    except OSError:
        siblings = []
    close = get_close_matches(name, siblings, n=1, cutoff=0.8)
    hint = f"; did you mean {close[0]!r}?" if close else "; check the name and the folder"
    return f"{path}: there is no such file{hint}"
