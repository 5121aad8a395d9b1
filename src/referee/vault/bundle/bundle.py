"""Bundle: a result with everything it was concluded from, in one file."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.errors import InputError, arg
from referee.report import to_json
from referee.vault.bundle.container import pack
from referee.vault.bundle.contradiction import Contradiction
from referee.vault.bundle.environment import Environment, here
from referee.vault.bundle.kinds import CATALOGUE, Kind
from referee.vault.bundle.manifest import MANIFEST, Manifest, json_bytes
from referee.vault.bundle.tables import from_parquet, to_parquet
from referee.vocabulary import PYTHON, VOCABULARIES, vocabulary

if TYPE_CHECKING:
    import polars as pl

__all__ = ["REQUEST", "RESULTS", "Bundle", "check_bundle", "write_bundle"]

RESULTS, REQUEST = "results.json", "request.json"


@dataclass(frozen=True, kw_only=True, eq=False)
class Bundle:
    """What a bundle says.

    Attributes
    ----------
    kind : Kind
        Which kind of result it is.
    tables : mapping of str to DataFrame
        The evidence, by file name.
    asked : mapping
        What was asked: settings and options.
    stated : mapping
        The content of results.json.
    environment : Environment
        Where the numbers were computed.
    command : str
        The command line, where there was one.
    words : str
        The vocabulary in which its texts name arguments: "python" or "options".
    """

    kind: Kind
    tables: Mapping[str, pl.DataFrame]
    asked: Mapping[str, Any]
    stated: Mapping[str, Any]
    environment: Environment
    command: str = ""
    words: str = PYTHON.name

    @classmethod
    def of(cls, result: Any, *, command: str = "") -> Bundle:
        """Return the bundle of a result, or say why it has none."""
        kind = next((k for k in CATALOGUE.values() if isinstance(result, k.result)), None)
        if kind is None:
            raise InputError(
                f"a {type(result).__name__} rests on no predictions, so there is nothing to "
                "verify; bundles keep evaluations, comparisons and permutation tests",
                concerning="result",
            )
        return cls(
            kind=kind,
            tables=kind.tables(result),
            asked=kind.request(result),
            stated=json.loads(to_json(result)),
            environment=here(),
            command=command,
            words=vocabulary().name,
        )

    @property
    def request(self) -> bytes:
        """The file that says what was asked, where and how."""
        return json_bytes(
            {
                "kind": self.kind.name,
                "asked": self.asked,
                "versions": dict(self.environment.versions),
                "machine": self.environment.machine,
                "command": self.command,
                "words": self.words,
            }
        )

    def files(self) -> dict[str, bytes]:
        """Return all files but the manifest."""
        files = {name: to_parquet(table) for name, table in self.tables.items()}
        return files | {RESULTS: json_bytes(self.stated), REQUEST: self.request}

    def content(self) -> bytes:
        """Return the archive; the same result gives the same bytes."""
        files = self.files()
        return pack({**files, MANIFEST: Manifest.of(files).content})

    @classmethod
    def read(cls, files: Mapping[str, bytes]) -> Bundle:
        """Return what files of a bundle say; that their hashes are right was seen before."""
        said = _loaded(files, REQUEST)
        known = {REQUEST, RESULTS, MANIFEST}
        odd = next((n for n in files if n not in known and not n.endswith(".parquet")), None)
        if odd is not None:
            raise Contradiction(odd, "it is no part of a bundle")
        kind = CATALOGUE.get(str(said.get("kind")))
        if kind is None:
            raise Contradiction(REQUEST, f"there is no kind of result {said.get('kind')!r}")
        bundle = cls(
            kind=kind,
            tables={
                name: from_parquet(content, name)
                for name, content in files.items()
                if name.endswith(".parquet")
            },
            asked=_mapping(said.get("asked")),
            stated=_loaded(files, RESULTS),
            environment=Environment(
                {n: str(v) for n, v in _mapping(said.get("versions")).items()},
                str(said.get("machine")),
            ),
            command=str(said.get("command")),
            words=str(said.get("words")),
        )
        if bundle.words not in VOCABULARIES:
            raise Contradiction(REQUEST, f"nobody speaks the words {bundle.words!r}")
        if bundle.request != files[REQUEST]:
            raise Contradiction(
                REQUEST, "it holds more than referee writes, or is written otherwise"
            )
        return bundle


def check_bundle(path: str | PathLike[str], *, force: bool = False) -> Path:
    """Refuse a path that cannot take a bundle; worth asking before any work is done."""
    target = Path(path)
    if target.is_dir():
        raise InputError(f"{path} is a directory", remedy="name a file, as result.zip")
    if target.exists() and not force:
        raise InputError(f"{path} exists", remedy=f"name another file or pass {arg('force', True)}")
    if not target.parent.is_dir():
        raise InputError(
            f"{path} cannot be written: there is no directory {target.parent}", concerning="out"
        )
    return target


def write_bundle(
    result: Any, path: str | PathLike[str], *, force: bool = False, command: str = ""
) -> Path:
    """Write the bundle of a result, whole or not at all."""
    target = check_bundle(path, force=force)
    content = Bundle.of(result, command=command).content()
    name = ""
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(name, 0o644)
        os.replace(name, target)
    except OSError as problem:
        raise InputError(
            f"{path} cannot be written: {problem.strerror}", concerning="out"
        ) from problem
    finally:
        if name:
            Path(name).unlink(missing_ok=True)
    return target


def _loaded(files: Mapping[str, bytes], name: str) -> dict[str, Any]:
    if name not in files:
        raise Contradiction(name, "it is missing")
    try:
        data = json.loads(files[name])
        json_bytes(data)  # neither nan nor half a letter
    except (ValueError, RecursionError) as problem:
        raise Contradiction(name, f"it is no JSON ({problem})") from None
    if not isinstance(data, dict):
        raise Contradiction(name, "it is no JSON object")
    return data


def _mapping(value: Any) -> dict[str, Any]:
    """Return an object of JSON; what is none shows when the request is written again."""
    return value if isinstance(value, dict) else {}
