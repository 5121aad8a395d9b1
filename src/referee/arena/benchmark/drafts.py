"""Drafts: a benchmark that an organiser has sent and not yet created, to look at before.

A draft holds labels, so it lies among the secrets, readable by the server alone, until it becomes a
benchmark or a day has passed.
"""

from __future__ import annotations

import json
import secrets
import shutil
import time
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from referee.arena.accounts.account import Account
from referee.arena.arena import Arena
from referee.arena.benchmark.creating import BenchmarkPlan, create_benchmark, plan_benchmark
from referee.arena.benchmark.request import BenchmarkRequest
from referee.arena.problem import Problem
from referee.errors import RefereeError
from referee.vault.sealed.ledger.durable import create_file

__all__ = ["Draft", "create_from_draft", "discard_draft", "draft", "keep_draft", "plan_draft"]

_LASTS = 24 * 3600.0
_PARQUET = b"PAR1"


@dataclass(frozen=True)
class Draft:
    """A benchmark to be made.

    Attributes
    ----------
    id : str
        Its name; whoever has it must be its organiser, too.
    request : BenchmarkRequest
        What was asked for; the tables lie beside.
    version_of : str or None
        The benchmark of which it is to be a new version.
    seed : int
        Which cases will be public follows from it.
    """

    id: str
    request: BenchmarkRequest
    version_of: str | None
    seed: int


def keep_draft(
    arena: Arena,
    organiser: Account,
    request: dict[str, Any],
    tables: dict[str, bytes],
    *,
    version_of: str | None = None,
) -> Draft:
    """Keep what an organiser sent, if it can become a benchmark.

    Parameters
    ----------
    arena, organiser
        Where, and who.
    request : dict
        The fields of a `BenchmarkRequest` but the tables.
    tables : dict of str to bytes
        "train", and "test" unless the request says which share is drawn, as CSV or Parquet.
    version_of : str or None
        The benchmark of which it is to be a new version.
    """
    organiser.require_organiser()
    _forget_old(arena)
    name = secrets.token_hex(16)
    folder = _folder(arena, name)
    folder.mkdir(parents=True, mode=0o700)
    try:
        paths = {role: _write(folder, role, content) for role, content in tables.items()}
        with _without(folder):
            kept = Draft(
                name,
                BenchmarkRequest(**request | paths),
                version_of,
                secrets.randbits(31),
            )
            plan_benchmark(kept.request, seed=kept.seed)
        record = asdict(kept.request) | {role: path.name for role, path in paths.items()}
        content = {
            "account": organiser.id,
            "version_of": version_of,
            "seed": kept.seed,
            "tables": sorted(paths),
            "request": record,
        }
        create_file(folder / "draft.json", json.dumps(content).encode())
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return kept


def _write(folder: Path, role: str, content: bytes) -> Path:
    path = folder / f"{role}.{'parquet' if content[:4] == _PARQUET else 'csv'}"
    create_file(path, content)
    path.chmod(0o600)
    return path


class _without:  # noqa: N801 (used as a function)
    """Leave the server's folders out of whatever is refused."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, problem: BaseException | None, _: object) -> None:
        if isinstance(problem, RefereeError) and not isinstance(problem, Problem):
            raise Problem(422, str(problem).replace(f"{self.folder}/", "")) from None


def draft(arena: Arena, organiser: Account, name: str) -> Draft:
    """Return a draft of one's own; those of others do not exist."""
    organiser.require_organiser()
    unknown = Problem(404, "there is no such draft of yours; it may have been created or discarded")
    if not (len(name) == 32 and set(name) <= set("0123456789abcdef")):
        raise unknown
    folder = _folder(arena, name)
    try:
        record = json.loads((folder / "draft.json").read_bytes())
    except (OSError, ValueError):
        raise unknown from None
    if record["account"] != organiser.id:
        raise unknown
    known = {field.name for field in fields(BenchmarkRequest)}
    asked = {key: value for key, value in record["request"].items() if key in known}
    asked["costs"] = None if asked["costs"] is None else tuple(asked["costs"])
    asked["labels"] = tuple(asked["labels"])
    request = BenchmarkRequest(**asked | {role: folder / asked[role] for role in record["tables"]})
    return Draft(name, request, record["version_of"], record["seed"])


def plan_draft(arena: Arena, kept: Draft) -> BenchmarkPlan:
    """Work out what would become public, and what secret."""
    with _without(_folder(arena, kept.id)):
        return plan_benchmark(kept.request, seed=kept.seed)


def create_from_draft(arena: Arena, organiser: Account, name: str) -> str:
    """Make the benchmark as it was shown, and return its address."""
    kept = draft(arena, organiser, name)
    with _without(_folder(arena, name)):
        slug = create_benchmark(
            arena,
            kept.request,
            organiser=organiser,
            version_of=kept.version_of,
            seed=kept.seed,
        )
    shutil.rmtree(_folder(arena, name), ignore_errors=True)
    return slug


def discard_draft(arena: Arena, organiser: Account, name: str) -> None:
    """Forget a draft."""
    draft(arena, organiser, name)
    shutil.rmtree(_folder(arena, name), ignore_errors=True)


def _folder(arena: Arena, name: str) -> Path:
    return arena.places.directory / "secret" / "drafts" / name


def _forget_old(arena: Arena) -> None:
    drafts = arena.places.directory / "secret" / "drafts"
    for folder in drafts.iterdir() if drafts.is_dir() else ():
        if time.time() - folder.stat().st_mtime > _LASTS:
            shutil.rmtree(folder, ignore_errors=True)
