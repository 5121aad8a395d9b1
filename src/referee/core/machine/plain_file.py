"""Plain files: content that is read whole, and never from something that has no end.

A device has no end, and a pipe that nobody writes to never begins; both are refused as if they
could not be opened, so that whoever reads a file has one kind of failure to word.
"""

from __future__ import annotations

import errno
import stat
from pathlib import Path

from referee.core.machine.limits import bytes_text

__all__ = ["file_bytes", "file_text", "short_text"]

_MOST = 2**30
_SHORT = 2**16


def file_bytes(path: Path, *, most: int = _MOST) -> bytes:
    """Return the content of a regular file.

    Raises
    ------
    OSError
        Also where it is no regular file, or a larger one; `strerror` says so.

    Examples
    --------
    >>> file_bytes(Path("/dev/zero"))
    Traceback (most recent call last):
    ...
    OSError: [Errno 22] it is a device or a pipe, not a regular file
    """
    status = path.stat()
    if not stat.S_ISREG(status.st_mode) and not stat.S_ISDIR(status.st_mode):
        raise OSError(errno.EINVAL, "it is a device or a pipe, not a regular file")
    if status.st_size > most:
        raise OSError(errno.EFBIG, f"it has more than {bytes_text(most)}")
    return path.read_bytes()


def file_text(path: Path, *, most: int = _MOST) -> str:
    """Return the text of a regular file in UTF-8, with plain line ends."""
    text = file_bytes(path, most=most).decode("utf-8")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def short_text(path: Path) -> str:
    """Return the beginning of a file, or of a pipe, that holds a secret: nothing long is one."""
    with path.open("rb") as file:
        return file.read(_SHORT).decode("utf-8")
