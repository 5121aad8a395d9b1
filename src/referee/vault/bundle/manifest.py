"""The manifest: which files a bundle holds, each with its length and SHA-256."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.errors import InputError

__all__ = ["FORMAT", "MANIFEST", "VERSION", "Manifest", "json_bytes", "sha256"]

FORMAT = "referee evidence bundle"
VERSION = 1
"""Raised when an older referee could not read a bundle rightly."""

MANIFEST = "manifest.json"
"""The one file that has no hash in the manifest; `Manifest.content` says what it must be."""


def sha256(content: bytes) -> str:
    """Return the SHA-256 of some bytes in hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def json_bytes(value: Any) -> bytes:
    """Return JSON in the one way bundles write it."""
    return (json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode()


@dataclass(frozen=True, eq=False)
class Manifest:
    """The files of a bundle and what each must be.

    Examples
    --------
    >>> m = Manifest.of({"a.json": b"{}"})
    >>> Manifest.read(m.content, "x.zip").files["a.json"][0]
    2
    """

    files: Mapping[str, tuple[int, str]]

    @classmethod
    def of(cls, files: Mapping[str, bytes]) -> Manifest:
        """Return the manifest of these files."""
        return cls({name: (len(files[name]), sha256(files[name])) for name in sorted(files)})

    @property
    def content(self) -> bytes:
        """The manifest as a file."""
        listed = {n: {"bytes": size, "sha256": code} for n, (size, code) in self.files.items()}
        return json_bytes({"format": FORMAT, "version": VERSION, "files": listed})

    @classmethod
    def read(cls, content: bytes, path: str) -> Manifest:
        """Return what a manifest says; one of another program or of the future is refused."""
        try:
            data = json.loads(content)
            ours = data["format"] == FORMAT
            version = data["version"]
        except (ValueError, KeyError, TypeError, RecursionError):
            ours, version = False, None
        if not ours or isinstance(version, bool) or not isinstance(version, int) or version < 1:
            raise InputError(
                f"{path} is no evidence bundle of referee: {MANIFEST} is not ours",
                at=str(path),
            )
        if version > VERSION:
            from referee import __version__

            raise InputError(
                f"{path} was written in version {version} of the bundle format; referee "
                f"{__version__} reads up to version {VERSION}",
                remedy="update referee",
            )
        try:
            listed = {n: (int(f["bytes"]), str(f["sha256"])) for n, f in data["files"].items()}
            json_bytes(listed)
        except (KeyError, TypeError, AttributeError, ValueError, OverflowError):
            raise InputError(
                f"{path}: {MANIFEST} does not list the files of a bundle",
                at=str(path),
            ) from None
        return cls(listed)
