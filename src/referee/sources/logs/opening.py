"""Opening: what kind of file a log is, and as much of it as shows which tool wrote it."""

from __future__ import annotations

import gzip
import json
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import IO, Any

from referee.errors import LogError
from referee.sources.regular_file import STANDARD_INPUT, check_regular

__all__ = ["Kind", "Opened", "json_lines", "load_json", "open_log", "parse_line"]


class Kind(StrEnum):
    """How a file is built."""

    JSON = "json"
    LINES = "lines"
    ZIP = "zip"
    PARQUET = "parquet"


@dataclass(frozen=True)
class Opened:
    """A file and what was seen of it at first.

    Attributes
    ----------
    path : str
        As the user named it.
    kind : Kind
        How it is built.
    content : object
        The whole document (JSON), the first record (lines), the names of the members (zip), or
        the names and types of the columns (Parquet).
    """

    path: str
    kind: Kind
    content: Any = field(repr=False)

    @property
    def folder(self) -> Path:
        """The folder the file stands in."""
        return Path(self.path).parent

    def has(self, *names: str) -> bool:
        """Return whether the content is an object (or a table) with all of these keys."""
        return isinstance(self.content, dict) and all(name in self.content for name in names)


def open_log(path: str) -> Opened | None:
    r"""Open a file that may be a log; None where it is neither JSON, zip nor Parquet.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
    ...     _ = file.write('{"doc_id": 0}\n{"doc_id": 1}\n')
    ...     file.flush()
    ...     opened = open_log(file.name)
    >>> opened.kind, opened.content
    (<Kind.LINES: 'lines'>, {'doc_id': 0})
    """
    if path == STANDARD_INPUT:  # it can be read once only, as a table
        return None
    with _reading(path) as file:
        head = file.read(4096)
    if head.startswith(b"PK\x03\x04"):
        return Opened(path, Kind.ZIP, _members(path))
    if head.startswith(b"PAR1"):
        return Opened(path, Kind.PARQUET, _columns(path))
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if start not in (b"{", b"["):
        return None
    if start == b"{" and _is_lines(path):
        first = next(iter(json_lines(path)), None)
        return None if first is None else Opened(path, Kind.LINES, first[1])
    return Opened(path, Kind.JSON, load_json(path))


def load_json(path: str) -> Any:
    """Return a JSON document, or say where it ends to be one."""
    with _reading(path) as file:
        try:
            return json.loads(file.read().removeprefix(b"\xef\xbb\xbf"))
        except json.JSONDecodeError as error:
            raise LogError(
                f"{path}, line {error.lineno}, character {error.colno}: not JSON ({error.msg}); "
                "the file may be cut short, so copy it again or run the evaluation again",
                at=str(path),
            ) from None
        except UnicodeDecodeError as error:
            raise LogError(
                f"{path}, byte {error.start}: not UTF-8, so this is no JSON",
                at=str(path),
                remedy="copy the file again",
            ) from None
        except (RecursionError, ValueError):
            raise LogError(_unreadable(path)) from None


def json_lines(path: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Give the objects of a file with one in each line, and the numbers of their lines."""
    with _reading(path) as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                yield number, parse_line(line, f"{path}, line {number}")


def parse_line(line: bytes, place: str) -> dict[str, Any]:
    """Return the object in a line, or say what is wrong with it."""
    try:
        value = json.loads(line.removeprefix(b"\xef\xbb\xbf"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        shown = line[-40:].decode("utf-8", "replace").strip()
        raise LogError(
            f"{place}: not JSON ({getattr(error, 'msg', 'not UTF-8')}; it ends in "
            f"{shown!r}); the file may be cut short, so copy it again or run the evaluation "
            "again",
            at=place,
        ) from None
    except (RecursionError, ValueError):
        raise LogError(_unreadable(place)) from None
    if not isinstance(value, dict):
        raise LogError(
            f"{place}: {str(value)[:40]!r} is not an object; this is no evaluation log",
            at=place,
        )
    return value


def _unreadable(place: str) -> str:
    return (
        f"{place}: values are nested too deeply, or a number has too many digits, to be read; this "
        "is no evaluation log"
    )


@contextmanager
def _reading(path: str) -> Iterator[IO[bytes]]:
    check_regular(path, error=LogError)
    try:
        with Path(path).open("rb") as raw:
            packed = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            yield gzip.GzipFile(fileobj=raw) if packed else raw  # type: ignore[misc]
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise LogError(
            f"{path} is not a complete gzip file ({error})",
            at=str(path),
            remedy="copy it again",
        ) from None
    except OSError as error:
        raise LogError(
            f"{path} cannot be read ({error.strerror})",
            at=str(path),
            remedy="check the name and the permissions",
        ) from None


def _is_lines(path: str) -> bool:
    """Return whether a file holds one object a line: its first line is one by itself."""
    name = path.lower().removesuffix(".gz")
    if name.endswith((".jsonl", ".ndjson")):
        return True
    if name.endswith(".json"):
        return False
    with _reading(path) as file:
        try:
            return isinstance(json.loads(file.readline()), dict) and bool(file.readline().strip())
        except ValueError:
            return False


def _members(path: str) -> dict[str, None]:
    try:
        with zipfile.ZipFile(path) as archive:
            return dict.fromkeys(archive.namelist())
    except zipfile.BadZipFile as error:
        raise LogError(
            f"{path} is not a complete zip file ({error}); it may be cut short, or the "
            "evaluation may still be writing it, so copy it again when it is done",
            at=str(path),
        ) from None


def _columns(path: str) -> dict[str, Any]:
    import polars as pl

    try:
        with Path(path).open("rb") as file:
            return dict(pl.read_parquet_schema(file))
    except (pl.exceptions.PolarsError, OSError, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise LogError(
            f"{path} is not a complete Parquet file ({reason})",
            at=str(path),
            remedy="copy it again",
        ) from None
