"""An ``.eval`` file of Inspect: a zip of JSON documents, packed with zstandard."""

from __future__ import annotations

import json
import sys
import zipfile
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from referee.errors import LogError

__all__ = ["InspectArchive"]


class InspectArchive:
    """The members of an ``.eval`` file, read when they are needed."""

    def __init__(self, path: str) -> None:
        # Inspect packs with zstandard, which zipfile knows from Python 3.14 on.
        if sys.version_info < (3, 14):
            import zipfile_zstd  # noqa: F401

        self.path = path
        self.zip = zipfile.ZipFile(path)
        self.names = set(self.zip.namelist())

    def close(self) -> None:
        """Close the file."""
        self.zip.close()

    def member(self, name: str) -> Any:
        """Return a member, or say that the file is damaged."""
        try:
            return json.loads(self.zip.read(name))
        except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError, EOFError) as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise LogError(
                f"{self.path}, member {name}: cannot be read ({reason}); the file is damaged, "
                "so copy it again",
                at=str(self.path),
            ) from None
        except Exception as error:  # zstandard's own error is no built-in one
            if type(error).__module__.split(".")[0] not in ("zstandard", "zlib", "compression"):
                raise
            raise LogError(
                f"{self.path}, member {name}: cannot be unpacked ({error}); the file is "
                "damaged, so copy it again",
                at=str(self.path),
            ) from None

    @cached_property
    def header(self) -> dict[str, Any]:
        """What was evaluated and what came out; less of it while the file is being written."""
        if "header.json" in self.names:
            return dict(self.member("header.json"))
        return {**self.member("_journal/start.json"), "status": "started"}

    @cached_property
    def summaries(self) -> list[dict[str, Any]]:
        """A short record of each sample."""
        if "summaries.json" in self.names:
            return list(self.member("summaries.json"))
        start = "_journal/summaries/"
        journal = [name for name in self.names if name.startswith(start)]
        journal.sort(key=lambda name: int(name.removeprefix(start).split(".")[0]))
        return [record for name in journal for record in self.member(name)]

    @cached_property
    def reductions(self) -> list[dict[str, Any]]:
        """The scores of each sample over its epochs."""
        return list(self.member("reductions.json")) if "reductions.json" in self.names else []

    def sample(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """Return the full sample of a record."""
        return dict(self.member(f"samples/{record['id']}_epoch_{record['epoch']}.json"))
