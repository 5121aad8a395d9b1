"""Exporting and backing up: what leaves the arena, and what may not."""

from __future__ import annotations

import io
import json
import os
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select

from referee.arena.accounts.account import Account
from referee.arena.arena import Arena
from referee.arena.benchmark.benchmarks import Benchmark, find_version, require_organiser
from referee.arena.benchmark.packing import unpacked
from referee.arena.benchmark.truth import truth_of
from referee.arena.places import FILES
from referee.arena.store import tables
from referee.arena.store.chain import entries
from referee.errors import InputError
from referee.vault.sealed.files import csv_bytes
from referee.vault.sealed.ledger.durable import sync_directory

__all__ = ["backup_arena", "export_arena", "export_benchmark"]


def export_arena(arena: Arena, target: Path) -> None:
    """Write everything but secrets into a zip: files, boards, the log, all predictions.

    Labels are in it for finished versions only; passwords, tokens and keys never.
    """
    with _new_zip(target) as archive, arena.store.read() as connection:
        archive.writestr("log.jsonl", _log(connection))
        archive.writestr("accounts.json", _accounts(connection))
        archive.writestr("public-key.txt", arena.public_key.hex + "\n")
        version, table = tables.versions, tables.benchmarks
        rows = connection.execute(
            select(table.c.slug, version.c.number)
            .join(table, table.c.id == version.c.benchmark)
            .order_by(version.c.id)
        ).all()
        for row in rows:
            _export_version(
                arena, connection, archive, find_version(arena, connection, row.slug, row.number)
            )


def export_benchmark(arena: Arena, organiser: Account, slug: str, target: Path) -> None:
    """Write one benchmark into a zip, as `export_arena` does, with its entries of the log."""
    with arena.store.read() as connection:
        benchmark = find_version(arena, connection, slug)
        require_organiser(organiser, benchmark)
        with _new_zip(target) as archive:
            archive.writestr("log.jsonl", _log(connection, slug))
            archive.writestr("public-key.txt", arena.public_key.hex + "\n")
            for number in range(1, benchmark.versions + 1):
                version = find_version(arena, connection, slug, number)
                _export_version(arena, connection, archive, version)


def _export_version(
    arena: Arena, connection: Connection, archive: zipfile.ZipFile, benchmark: Benchmark
) -> None:
    folder = f"{benchmark.slug}/v{benchmark.number}"
    for name in FILES:
        path = arena.places.file(benchmark.slug, benchmark.number, name)
        archive.writestr(f"{folder}/{name}.csv", path.read_bytes())
    archive.writestr(f"{folder}/rules.md", benchmark.rules)
    archive.writestr(
        f"{folder}/definition.json", json.dumps(benchmark.definition.record(), indent=1)
    )
    for name, content in _submissions(connection, benchmark):
        archive.writestr(f"{folder}/submissions/{name}.csv", content)
    table = tables.results
    result = connection.execute(select(table).where(table.c.version == benchmark.id)).one_or_none()
    if result is not None:
        archive.writestr(f"{folder}/final-board.json", result.content)
        archive.writestr(f"{folder}/final-board.dsse.json", bytes(result.envelope))
        archive.writestr(f"{folder}/labels.csv", _labels(arena, benchmark))
        archive.writestr(f"{folder}/opening.json", _opening(arena, benchmark))


def _submissions(connection: Connection, benchmark: Benchmark) -> Any:
    table, content = tables.submissions, tables.predictions
    rows = connection.execution_options(yield_per=100).execute(
        select(table.c.id, content.c.content)
        .join(content, content.c.digest == table.c.digest)
        .where(table.c.version == benchmark.id)
        .order_by(table.c.number)
    )
    definition = benchmark.definition
    columns = [definition.id_column, *definition.score_columns]
    for row in rows:
        submission = unpacked(bytes(row.content), definition)
        if submission.answers is not None:
            cells = [[definition.classes[code]] for code in submission.answers.tolist()]
        else:
            scores = submission.scores
            assert scores is not None
            cells = [[repr(v) for v in r] for r in scores.reshape(definition.n, -1).tolist()]
        lines = ([name, *cell] for name, cell in zip(definition.ids, cells, strict=True))
        yield row.id, csv_bytes(columns, lines)


def _labels(arena: Arena, benchmark: Benchmark) -> bytes:
    """Return labels and halves."""
    truth = truth_of(arena, benchmark.id, benchmark.slug, benchmark.number)
    definition = benchmark.definition
    halves = ["public" if public else "private" for public in truth.public.tolist()]
    rows = zip(definition.ids, truth.labels.texts, halves, strict=True)
    return csv_bytes([definition.id_column, definition.target, "half"], map(list, rows))


def _opening(arena: Arena, benchmark: Benchmark) -> str:
    """Return the salt, with which anyone can compute the commitment to the labels again."""
    salt = truth_of(arena, benchmark.id, benchmark.slug, benchmark.number).labels.salt
    record = {"salt": salt.hex(), "commitment": benchmark.definition.commitment}
    return json.dumps(record, indent=1) + "\n"


def _log(connection: Connection, slug: str | None = None) -> str:
    """Return the log, or the entries about one benchmark."""
    lines = io.StringIO()
    for entry in entries(connection):
        if slug is not None and json.loads(entry.text).get("benchmark") != slug:
            continue
        record = {
            "number": entry.number,
            "time": entry.time,
            "kind": entry.kind,
            "content": entry.text,
            "hash": entry.hash.hex(),
        }
        lines.write(json.dumps(record) + "\n")
    return lines.getvalue()


def _accounts(connection: Connection) -> str:
    table = tables.accounts
    columns = (table.c.id, table.c.name, table.c.role, table.c.state, table.c.team)
    rows = connection.execute(select(*columns, table.c.created_at).order_by(table.c.id)).all()
    return json.dumps([dict(row._mapping) for row in rows], indent=1)


def backup_arena(arena: Arena, target: Path) -> None:
    """Write a copy of the whole arena into a zip, keys and sealed labels included.

    The database is copied in one consistent state while others write. Whoever has the backup has
    the labels: only its owner may read the file.
    """
    directory = arena.places.directory
    with tempfile.TemporaryDirectory(dir=directory / "secret") as folder:
        copy = Path(folder) / "arena.sqlite"
        arena.store.backup(copy)
        copy.chmod(0o600)  # a zip keeps modes, and what unpacks it may set them
        with _new_zip(target) as archive:
            archive.write(copy, "arena.sqlite")
            for closed in ("secret", "secret/labels"):
                if (directory / closed).is_dir():
                    archive.write(directory / closed, closed)
            for path in sorted(directory.rglob("*")):
                inside = path.relative_to(directory)
                kept = inside.parts[0] in ("arena.json", "public", "secret")
                if kept and path.is_file() and not path.is_relative_to(folder):
                    archive.write(path, str(inside))


class _new_zip:  # noqa: N801 (used as a function)
    """A zip that is there whole or not at all; one that exists is not overwritten."""

    def __init__(self, target: Path) -> None:
        self.target = target
        self.new = target.with_name(f".{target.name}.new")

    def __enter__(self) -> zipfile.ZipFile:
        if os.path.lexists(self.target):
            raise InputError(
                f"{self.target} exists already",
                remedy="name another file",
            )
        try:
            handle = os.open(self.new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        except OSError as problem:
            raise InputError(
                f"{self.target} cannot be written: {problem.strerror}", at=str(self.target)
            ) from None
        self.file = os.fdopen(handle, "wb")
        self.archive = zipfile.ZipFile(self.file, "w", zipfile.ZIP_DEFLATED)
        return self.archive

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.archive.close()
        self.file.flush()
        os.fsync(self.file.fileno())
        self.file.close()
        if kind is not None:
            self.new.unlink(missing_ok=True)
            return
        os.replace(self.new, self.target)
        sync_directory(self.target.absolute().parent)
