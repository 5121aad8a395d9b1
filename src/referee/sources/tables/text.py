"""Text of a file: read, unpacked and decoded, or a message that says why that is impossible."""

from __future__ import annotations

import gzip
import io
import zlib

from referee.core.machine.limits import bytes_text
from referee.errors import TableError
from referee.sources.regular_file import LARGEST, read_bytes

__all__ = ["decode", "load_bytes", "load_text"]


def load_bytes(path: str) -> bytes:
    """Return the contents of a file, unpacked when its name ends in ``.gz``.

    Examples
    --------
    >>> load_bytes("no-such-folder/data.csv")
    Traceback (most recent call last):
    ...
    referee.errors.TableError: no-such-folder/data.csv: there is no such file; check the name
    and the folder
    """
    data = read_bytes(path)
    if path.lower().endswith(".gz"):
        data = _unpack(data, path)
    if not data.strip():
        raise TableError(f"{path} is empty ({len(data)} bytes); a table needs at least one row")
    return data


def _unpack(data: bytes, path: str) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
            unpacked = packed.read(LARGEST + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise TableError(
            f"{path} is not a complete gzip file ({error}); "
            "download it again, or drop .gz from its name if it is not packed"
        ) from None
    if len(unpacked) > LARGEST:
        raise TableError(
            f"{path} unpacks to more than {bytes_text(LARGEST)}, which is the most that is read",
            remedy="take fewer rows or columns of it",
        )
    return unpacked


def load_text(path: str) -> str:
    r"""Return the contents of a UTF-8 text file, without a byte order mark.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile(suffix=".csv") as file:
    ...     _ = file.write(b"\xef\xbb\xbfage,sex")
    ...     file.flush()
    ...     load_text(file.name)
    'age,sex'
    """
    return decode(load_bytes(path), path)


def decode(data: bytes, path: str) -> str:
    r"""Decode UTF-8, or name the first byte that is not text.

    Examples
    --------
    >>> decode("café\n".encode("latin-1"), "menu.csv")
    Traceback (most recent call last):
    ...
    referee.errors.TableError: menu.csv, byte 3 (line 1): 0xe9 is not UTF-8; save the file as
    UTF-8 (iconv -f latin1 -t utf-8)
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise TableError(
            f"{path}, byte 0 (line 1): 0x{data[0]:02x} 0x{data[1]:02x} says UTF-16; "
            "save the file as UTF-8 (iconv -f utf-16 -t utf-8)"
        )
    zero = data.find(b"\0")
    if zero >= 0:
        raise TableError(
            f"{path}, {_at(data, zero)}: 0x00 never occurs in text, so this is a binary file; "
            "give the table as CSV, TSV, ARFF, svmlight, Parquet or JSON lines"
        )
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise TableError(
            f"{path}, {_at(data, error.start)}: 0x{data[error.start]:02x} is not UTF-8; "
            "save the file as UTF-8 (iconv -f latin1 -t utf-8)"
        ) from None


def _at(data: bytes, offset: int) -> str:
    line = data.count(b"\n", 0, offset) + 1
    return f"byte {offset} (line {line})"
