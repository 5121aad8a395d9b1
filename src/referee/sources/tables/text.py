"""Text of a file: read, unpacked and decoded, or a message that says why that is impossible."""

from __future__ import annotations

import gzip
import zlib
from difflib import get_close_matches
from pathlib import Path

from referee.errors import TableError

__all__ = ["decode", "load_bytes", "load_text", "missing_file"]


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
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError:
        raise TableError(missing_file(path)) from None
    except IsADirectoryError:
        raise TableError(f"{path} is a folder, not a file; name one file inside it") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise TableError(
            f"{path} cannot be read ({reason}); check the name and the permissions"
        ) from None
    if path.lower().endswith(".gz"):
        data = _unpack(data, path)
    if not data.strip():
        raise TableError(f"{path} is empty ({len(data)} bytes); a table needs at least one row")
    return data


def missing_file(path: str) -> str:
    """Say that there is no such file, and which name nearby may be meant."""
    folder, name = Path(path).parent, Path(path).name
    siblings = [p.name for p in folder.iterdir()] if folder.is_dir() else []
    close = get_close_matches(name, siblings, n=1, cutoff=0.8)
    hint = f"; did you mean {close[0]!r}?" if close else "; check the name and the folder"
    return f"{path}: there is no such file{hint}"


def _unpack(data: bytes, path: str) -> bytes:
    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise TableError(
            f"{path} is not a complete gzip file ({error}); "
            "download it again, or drop .gz from its name if it is not packed"
        ) from None


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
