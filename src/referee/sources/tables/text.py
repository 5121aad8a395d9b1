"""Text of a file: read, unpacked and decoded, or a message that says why that is impossible."""

from __future__ import annotations

import codecs
import gzip
import io
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO, NoReturn, TextIO, cast

from referee.core.machine.limits import bytes_text
from referee.errors import TableError
from referee.sources.regular_file import LARGEST, STANDARD_INPUT, check_regular, read_bytes

__all__ = ["TextFile", "decode", "load_bytes", "load_text"]

_PIECE = 2**20


@dataclass(frozen=True)
class TextFile:
    r"""A UTF-8 text file that is gone through as often as need be, and never held as a whole.

    Parameters
    ----------
    path : str
        The file as the user named it; unpacked when its name ends in ``.gz``.
    data : bytes or None
        What stood in standard input, which can be read once only.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile(suffix=".csv") as file:
    ...     _ = file.write(b"\xef\xbb\xbfage,sex\n39,m")
    ...     file.flush()
    ...     text = TextFile.of(file.name)
    ...     with text.open() as lines:
    ...         list(lines)
    ['age,sex\n', '39,m']
    """

    path: str
    data: bytes | None = field(default=None, repr=False)

    @classmethod
    def of(cls, path: str) -> TextFile:
        """Open a file, having looked at every byte of it: all of them must be text."""
        if path == STANDARD_INPUT:
            file = cls(path, read_bytes(path))
        else:
            check_regular(path)
            file = cls(path)
        file._check()
        return file

    def open(self) -> TextIO:
        """Return the text from its beginning, with the ends of lines as they are."""
        return io.TextIOWrapper(self._bytes(), encoding="utf-8-sig", newline="")

    def _bytes(self) -> IO[bytes]:
        if self.data is not None:
            return io.BytesIO(self.data)
        try:
            if self.path.lower().endswith(".gz"):
                return cast(IO[bytes], gzip.open(self.path))
            return open(self.path, "rb")
        except OSError as problem:
            raise TableError(
                f"{self.path} cannot be read ({problem.strerror})",
                remedy="check the name and the permissions",
            ) from None

    def _pieces(self) -> Iterator[bytes]:
        with self._bytes() as file:
            try:
                while piece := file.read(_PIECE):
                    yield piece
            except (OSError, EOFError, zlib.error) as error:
                if self.path.lower().endswith(".gz"):
                    _refuse_packed(self.path, error)
                raise TableError(
                    f"{self.path} cannot be read ({error})",
                    at=str(self.path),
                ) from None

    def _check(self) -> None:
        """Refuse a file that is empty, too large or not text, and name the place."""
        decoder = codecs.getincrementaldecoder("utf-8")()
        size = line = 0
        blank = True
        for piece in self._pieces():
            if size == 0:
                _refuse_utf16(piece, self.path)
            zero = piece.find(b"\0")
            if zero >= 0:
                _refuse_binary(self.path, size + zero, line + piece.count(b"\n", 0, zero))
            begun = len(decoder.getstate()[0])
            try:
                decoder.decode(piece)
            except UnicodeDecodeError as error:
                before = line + error.object.count(b"\n", 0, error.start)
                _refuse_byte(self.path, error, size - begun + error.start, before)
            blank = blank and not piece.strip()
            size += len(piece)
            line += piece.count(b"\n")
            if size > LARGEST:
                _refuse_unpacked(self.path)
        if blank:
            _refuse_empty(self.path, size)
        try:
            decoder.decode(b"", final=True)
        except UnicodeDecodeError as error:
            _refuse_byte(self.path, error, size - len(error.object) + error.start, line)


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
        _refuse_empty(path, len(data))
    return data


def _unpack(data: bytes, path: str) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
            unpacked = packed.read(LARGEST + 1)
    except (OSError, EOFError, zlib.error) as error:
        _refuse_packed(path, error)
    if len(unpacked) > LARGEST:
        _refuse_unpacked(path)
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
    _refuse_utf16(data, path)
    zero = data.find(b"\0")
    if zero >= 0:
        _refuse_binary(path, zero, data.count(b"\n", 0, zero))
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        _refuse_byte(path, error, error.start, data.count(b"\n", 0, error.start))


def _refuse_empty(path: str, size: int) -> NoReturn:
    raise TableError(
        f"{path} is empty ({size} bytes); a table needs at least one row",
        at=str(path),
    )


def _refuse_packed(path: str, error: Exception) -> NoReturn:
    raise TableError(
        f"{path} is not a complete gzip file ({error})",
        at=str(path),
        remedy="download it again, or drop .gz from its name if it is not packed",
    ) from None


def _refuse_unpacked(path: str) -> NoReturn:
    raise TableError(
        f"{path} unpacks to more than {bytes_text(LARGEST)}, which is the most that is read",
        remedy="take fewer rows or columns of it",
    )


def _refuse_utf16(data: bytes, path: str) -> None:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise TableError(
            f"{path}, byte 0 (line 1): 0x{data[0]:02x} 0x{data[1]:02x} says UTF-16",
            at=str(path),
            remedy="save the file as UTF-8 (iconv -f utf-16 -t utf-8)",
        )


def _refuse_binary(path: str, offset: int, lines_before: int) -> NoReturn:
    raise TableError(
        f"{path}, {_at(offset, lines_before)}: 0x00 never occurs in text, so this is a binary file",
        at=str(path),
        remedy="give the table as CSV, TSV, ARFF, svmlight, Parquet or JSON lines",
    )


def _refuse_byte(path: str, error: UnicodeDecodeError, offset: int, lines_before: int) -> NoReturn:
    raise TableError(
        f"{path}, {_at(offset, lines_before)}: 0x{error.object[error.start]:02x} is not UTF-8",
        at=str(path),
        remedy="save the file as UTF-8 (iconv -f latin1 -t utf-8)",
    ) from None


def _at(offset: int, lines_before: int) -> str:
    return f"byte {offset} (line {lines_before + 1})"
