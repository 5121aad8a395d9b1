"""The container: a zip archive whose bytes follow from the files in it, and from nothing else.

Files are stored, not compressed, in order of their names, with a fixed date. So a container can be
packed anew from what was read, and any byte that differs (a comment, a date, something appended, an
entry twice) shows. It also means that no entry can unfold into more than is there.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from zipfile import ZIP_STORED, BadZipFile, ZipFile, ZipInfo
from zlib import crc32

from referee.errors import InputError

__all__ = ["MOST_BYTES", "Container", "pack", "unpack"]

MOST_BYTES = 2**31
"""Larger archives are not read, nor written."""

_MOST_ENTRIES = 64
_MADE_BY = (3 << 8) | 20
_NEEDS = 20
_MIDNIGHT, _FIRST_DAY = 0, 0x21
_READABLE = 0o100644 << 16
_LOCAL = struct.Struct("<4sHHHHHIIIHH")
_ENTRY = struct.Struct("<4sHHHHHHIIIHHHHHII")
_END = struct.Struct("<4sHHHHIIH")
_MALFORMED = (BadZipFile, struct.error, ValueError, EOFError, NotImplementedError, OverflowError)


@dataclass(frozen=True, eq=False)
class Container:
    """What an archive holds, and what is odd about it.

    Attributes
    ----------
    files : mapping of str to bytes
        The content of each entry.
    damaged : tuple of str
        Entries whose checksum is wrong.
    twice : tuple of str
        Names that occur more than once.
    canonical : bool
        Whether packing the files anew gives the same bytes.
    """

    files: Mapping[str, bytes]
    damaged: tuple[str, ...]
    twice: tuple[str, ...]
    canonical: bool


def pack(files: Mapping[str, bytes]) -> bytes:
    """Return the archive of the files; names must be ASCII.

    Examples
    --------
    >>> pack({"a": b"1", "b": b"2"}) == pack({"b": b"2", "a": b"1"})
    True
    >>> dict(unpack(pack({"a": b"1"}), "x.zip").files)
    {'a': b'1'}
    """
    total = sum(len(content) for content in files.values())
    if total > MOST_BYTES:
        raise InputError(
            f"a bundle holds at most {MOST_BYTES} bytes, this one would have {total}",
            concerning="result",
        )
    body, directory = bytearray(), bytearray()
    for name, content in sorted(files.items()):
        called = name.encode("ascii")
        sizes = (crc32(content), len(content), len(content), len(called))
        at = len(body)
        body += _LOCAL.pack(b"PK\3\4", _NEEDS, 0, 0, _MIDNIGHT, _FIRST_DAY, *sizes, 0)
        body += called + content
        directory += _ENTRY.pack(
            b"PK\1\2", _MADE_BY, _NEEDS, 0, 0, _MIDNIGHT, _FIRST_DAY, *sizes, 0, 0, 0, 0,
            _READABLE, at,
        )  # fmt: skip
        directory += called
    count = len(files)
    end = _END.pack(b"PK\5\6", 0, 0, count, count, len(directory), len(body), 0)
    return bytes(body + directory + end)


def unpack(data: bytes, path: str) -> Container:
    """Return the content of an archive; what is no archive of ours is refused.

    Nothing is written to disk, whatever the names of the entries say.
    """
    try:
        with ZipFile(BytesIO(data)) as archive:
            entries = archive.infolist()
    except _MALFORMED as problem:
        raise InputError(
            f"{path} is no zip archive, or only a part of one ({problem})", remedy="fetch it again"
        ) from None
    if len(entries) > _MOST_ENTRIES:
        raise InputError(
            f"{path} has {len(entries)} entries and is no bundle of referee",
            at=str(path),
        )
    for entry in entries:
        _refuse_odd(entry, path, len(data))
    files: dict[str, bytes] = {}
    twice = []
    damaged = []
    for entry in entries:
        name = entry.filename
        if name in files:
            twice.append(name)
        start = entry.header_offset + _LOCAL.size + len(name.encode())
        files[name] = data[start : start + entry.file_size]
        if crc32(files[name]) != entry.CRC:
            damaged.append(name)
    return Container(files, tuple(damaged), tuple(twice), _as_packed(files, data))


def _as_packed(files: Mapping[str, bytes], data: bytes) -> bool:
    try:
        return pack(files) == data
    except UnicodeEncodeError:
        return False


def _refuse_odd(entry: ZipInfo, path: str, size: int) -> None:
    """Refuse what referee never writes, before anything is read from it."""
    name = entry.filename
    if "/" in name or "\\" in name or name in ("", ".", ".."):
        raise InputError(
            f"{path} holds {name!r}, a name with folders, and is no bundle of referee",
            at=str(path),
            remedy="do not unpack it",
        )
    if entry.compress_type != ZIP_STORED or entry.flag_bits & 1:
        raise InputError(
            f"{path} is no bundle as referee wrote it: {name!r} is compressed or encrypted",
            remedy="use the file itself, not one that was packed again",
        )
    if entry.file_size > size or entry.file_size != entry.compress_size:
        raise InputError(
            f"{path}: {name!r} claims to hold {entry.file_size} bytes of a file of {size}; "
            "it is damaged, or not a bundle",
            at=str(path),
        )
