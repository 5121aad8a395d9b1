"""Client: the arena's HTTP API from Python, with nothing but the standard library."""

from __future__ import annotations

import json
import secrets
import time
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import Request, urlopen

from referee.arena.problem import Problem
from referee.core.machine.limits import bytes_text
from referee.core.machine.plain_file import file_bytes
from referee.errors import InputError

__all__ = ["Client"]

_KINDS = {".parquet": "application/vnd.apache.parquet"}
_TRIES, _PAUSE = 4, 0.5
_LARGEST = 2**31
"""Bytes of an answer; a server that never stops would fill the memory."""


class Client:
    """A participant's side of an arena.

    Parameters
    ----------
    url : str
        Where the arena is, for example ``"http://127.0.0.1:8000"``.
    token : str, optional
        What `sign_in` returned, or a token made on the pages.
    timeout : float
        Seconds to wait for an answer.

    Examples
    --------
    >>> client = Client("http://127.0.0.1:8000", token="...")
    >>> client
    <Client of http://127.0.0.1:8000>
    """

    def __init__(self, url: str, token: str | None = None, *, timeout: float = 120.0) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise InputError("must begin with http:// or https://", argument="url", value=repr(url))
        self.url, self.token, self.timeout = url.rstrip("/"), token, timeout

    def __repr__(self) -> str:
        return f"<Client of {self.url}>"

    def register(self, name: str, password: str) -> dict[str, Any]:
        """Make an account; an organiser may have to approve it."""
        return dict(self._json("POST", "accounts", {"name": name, "password": password}))

    def sign_in(self, name: str, password: str, label: str = "") -> str:
        """Make a token, use it from now on, and return it."""
        body = {"name": name, "password": password, "label": label}
        token = str(self._json("POST", "tokens", body)["token"])
        self.token = token
        return token

    def benchmarks(self) -> list[dict[str, Any]]:
        """List the benchmarks."""
        return list(self._json("GET", "benchmarks"))

    def benchmark(self, slug: str) -> dict[str, Any]:
        """Describe a benchmark."""
        return dict(self._json("GET", f"benchmarks/{quote(slug, safe='')}"))

    def download(self, slug: str, name: str, path: str | Path) -> Path:
        """Write train, test or example into a file."""
        target = Path(path)
        target.write_bytes(self._call("GET", f"benchmarks/{quote(slug, safe='')}/files/{name}"))
        return target

    def submit(
        self,
        slug: str,
        file: str | Path | bytes,
        *,
        note: str = "",
        idempotency_key: str | None = None,
    ) -> dict[str, Any]:
        """Send predictions and return the answer.

        A connection that breaks is tried again with the same Idempotency-Key, so that no try can
        be counted twice.

        Parameters
        ----------
        slug : str
            The benchmark.
        file : path or bytes
            A CSV or Parquet file, or the bytes of a CSV file.
        note : str
            What you want to remember; others do not see it.
        idempotency_key : str, optional
            A key of your own; a random one if not given.
        """
        if isinstance(file, bytes):
            content, kind = file, "text/csv"
        else:
            content, kind = _read(Path(file))
        path = f"benchmarks/{quote(slug, safe='')}/submissions"
        path += f"?{urlencode({'note': note})}" if note else ""
        headers = {
            "Content-Type": kind,
            "Idempotency-Key": idempotency_key or secrets.token_hex(16),
        }
        for attempt in range(_TRIES):
            try:
                return dict(self._parsed(self._call("POST", path, content, headers)))
            except _Unanswered as problem:
                if attempt == _TRIES - 1:
                    raise InputError(str(problem)) from None
                time.sleep(_PAUSE * 2**attempt)
        raise AssertionError("unreachable")

    def submissions(self, slug: str, version: int | None = None) -> list[dict[str, Any]]:
        """List one's own submissions to a version (the last if None), the newest first."""
        return list(self._json("GET", _path(slug, "submissions", version)))

    def choose_finals(self, slug: str, ids: list[str], version: int | None = None) -> list[str]:
        """Choose the at most two submissions that count at the end of a version."""
        path = _path(slug, "finals", version)
        return list(self._json("PUT", path, {"ids": ids})["ids"])

    def board(self, slug: str, version: int | None = None) -> dict[str, Any]:
        """Return the board of a version (the last if None) as it stands."""
        return dict(self._json("GET", _path(slug, "board", version)))

    def _json(self, method: str, path: str, body: object = None) -> Any:
        content = None if body is None else json.dumps(body).encode()
        headers = {} if body is None else {"Content-Type": "application/json"}
        try:
            return self._parsed(self._call(method, path, content, headers))
        except _Unanswered as problem:
            raise InputError(str(problem)) from None

    def _parsed(self, content: bytes) -> Any:
        try:
            return json.loads(content)
        except (ValueError, RecursionError):
            raise InputError(self._foreign) from None

    @property
    def _foreign(self) -> str:
        return f"{self.url} answers, but not as an arena does; check the address"

    def _call(
        self,
        method: str,
        path: str,
        content: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> bytes:
        request = Request(f"{self.url}/api/v1/{path}", data=content, method=method)
        for name, value in (headers or {}).items():
            request.add_header(name, value)
        if self.token is not None:
            request.add_header("Authorization", f"Bearer {self.token}")
        try:
            with urlopen(request, timeout=self.timeout) as answer:
                content = bytes(answer.read(_LARGEST + 1))
        except HTTPError as problem:
            with problem:
                raise _problem(problem.code, problem.read(_LARGEST)) from None
        except (URLError, OSError) as problem:
            why = getattr(problem, "reason", problem)
            raise _Unanswered(f"{self.url} does not answer ({why}); is the arena served?") from None
        if len(content) > _LARGEST:
            raise InputError(
                f"{self.url} sent more than {bytes_text(_LARGEST)}",
                at=str(self.url),
                remedy="check the address",
            )
        return content


def _path(slug: str, part: str, version: int | None) -> str:
    path = f"benchmarks/{quote(slug, safe='')}/{part}"
    return path if version is None else f"{path}?version={version}"


class _Unanswered(Exception):
    """The connection broke; whether the request was recorded is not known."""


def _problem(status: int, content: bytes) -> Problem:
    try:
        record = json.loads(content)
        return Problem(
            status, str(record["detail"]), line=record.get("line"), column=record.get("column")
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return Problem(status, f"the server answered {status}")


def _read(path: Path) -> tuple[bytes, str]:
    try:
        return file_bytes(path), _KINDS.get(path.suffix.lower(), "text/csv")
    except OSError as problem:
        raise InputError(
            f"{path} cannot be read: {problem.strerror}",
            at=str(path),
        ) from None
