"""Submitting: a file is checked, counted, scored, recorded and answered in one transaction.

There is no queue and no waiting state: whoever is answered has been scored, and what they are
answered is what was recorded.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from referee.arena.accounts.account import Account
from referee.arena.accounts.names import checked_text
from referee.arena.arena import Arena
from referee.arena.benchmark.benchmarks import Benchmark, find_version
from referee.arena.benchmark.packing import packed
from referee.arena.benchmark.truth import Truth, truth_of
from referee.arena.benchmark.upload import read_upload
from referee.arena.problem import Problem
from referee.arena.scoring.quota import Remaining, remaining, use_try
from referee.arena.store import tables
from referee.intervals.looks import Answer, LadderState, ladder_look
from referee.vault.sealed.ledger.canonical import canonical_text
from referee.vault.sealed.submissions.submission import Submission

__all__ = ["Submitted", "own_submissions", "remaining_tries", "submission", "submit"]

NOTE = 200
"""Characters of a note."""

# Statements are built once: building one costs more than running it.
_ACCOUNT = select(tables.accounts).where(tables.accounts.c.id == bindparam("of_account"))
_OWN = (
    tables.standings.c.version == bindparam("of_version"),
    tables.standings.c.account == bindparam("of_account"),
)
_STANDING = select(tables.standings).where(*_OWN)
_NEW_STANDING, _CLIMB = insert(tables.standings), update(tables.standings).where(*_OWN)
_SUBMISSION, _REPLAY = insert(tables.submissions), insert(tables.replays)
_PREDICTIONS = {
    "sqlite": sqlite.insert(tables.predictions).on_conflict_do_nothing(),
    "postgresql": postgresql.insert(tables.predictions).on_conflict_do_nothing(),
}
_LOOKED = (
    update(tables.versions)
    .where(tables.versions.c.id == bindparam("of_version"))
    .values(
        looks=tables.versions.c.looks + 1,
        revision=tables.versions.c.revision + 1,
        updated_at=bindparam("time"),
    )
)
_FIRST = (
    select(tables.submissions, tables.replays.c.sha256.label("first"), tables.benchmarks.c.slug)
    .join(tables.replays, tables.replays.c.submission == tables.submissions.c.id)
    .join(tables.versions, tables.versions.c.id == tables.submissions.c.version)
    .join(tables.benchmarks, tables.benchmarks.c.id == tables.versions.c.benchmark)
    .where(
        tables.replays.c.account == bindparam("of_account"),
        tables.replays.c.key == bindparam("of_key"),
    )
)


@dataclass(frozen=True)
class Submitted:
    """A recorded submission.

    Attributes
    ----------
    id, received_at, sha256, note : str
        Its name, when its last byte came, the hash of the file, and what its owner wrote.
    improved : bool
        Whether it beat the team's best by a whole step.
    answer : dict
        All that was answered, as the API gives it, receipt included.
    replayed : bool
        Whether this is the answer to an earlier request with the same Idempotency-Key.
    """

    id: str
    received_at: str
    sha256: str
    note: str
    improved: bool
    answer: dict[str, Any]
    replayed: bool = False


@dataclass(frozen=True, eq=False)
class _Upload:
    """A checked file on its way into the record."""

    account: Account
    slug: str
    received_at: str
    sha256: str
    note: str
    key: str | None
    digest: str
    packed: bytes
    loss: float

    @classmethod
    def of(cls, submission: Submission, loss: float, **rest: Any) -> _Upload:
        """Do what needs no transaction before it begins; there is one writer."""
        return cls(digest=submission.digest, packed=packed(submission), loss=loss, **rest)


def submit(
    arena: Arena,
    account: Account,
    slug: str,
    content: bytes,
    *,
    kind: str = "text/csv",
    note: str = "",
    idempotency_key: str | None = None,
    received_at: str | None = None,
) -> Submitted:
    """Score a file and record it; a bad file costs no try.

    Parameters
    ----------
    arena, account
        Where, and who.
    slug : str
        The benchmark; its last version is meant.
    content : bytes
        The file.
    kind : str
        "text/csv" or "application/vnd.apache.parquet".
    note : str
        What its owner wants to remember; others do not see it.
    idempotency_key : str or None
        A request with the same key and file is answered again and not counted again.
    received_at : str or None
        When the last byte came; now if None.
    """
    received = received_at or arena.now()
    account.require_active()
    note = checked_text(note, "note", NOTE)
    digest = sha256(content).hexdigest()
    with arena.store.read() as connection:
        if idempotency_key is not None:
            again = _replayed(connection, account, slug, idempotency_key, digest)
            if again is not None:
                return again
        benchmark = find_version(arena, connection, slug)
        _check_time(benchmark, received)
        _refuse_without_tries(connection, benchmark, account, received)
    predictions = read_upload(content, kind, benchmark.definition)
    truth = truth_of(arena, benchmark.id, benchmark.slug, benchmark.number)
    upload = _Upload.of(
        predictions,
        truth.loss(benchmark.definition, predictions, public=True),
        account=account,
        slug=slug,
        received_at=received,
        sha256=digest,
        note=note,
        key=idempotency_key,
    )
    return arena.store.write(lambda connection: _record(arena, connection, upload, truth))


def _refuse_without_tries(
    connection: Connection, benchmark: Benchmark, account: Account, time: str
) -> None:
    """Refuse early what `use_try` would refuse after the work; it decides, this only saves work."""
    left = remaining(connection, benchmark, account.team, time)
    if left.total == 0:
        raise Problem(429, f"all {benchmark.total} tries of the team were used; there are no more")
    if left.today == 0:
        raise Problem(
            429,
            f"all {benchmark.per_day} tries of {time[:10]} (UTC) were used; "
            "the next day has new ones",
        )


def _check_time(benchmark: Benchmark, received: str) -> None:
    phase = benchmark.phase(received)
    if phase == "upcoming":
        raise Problem(403, f"{benchmark.slug!r} opens on {benchmark.opens_at}")
    if phase == "closed":
        raise Problem(
            403,
            f"{benchmark.slug!r} closed on {benchmark.closes_at}, and the last byte of the file "
            f"came on {received}",
        )
    if phase != "open":
        raise Problem(403, f"{benchmark.slug!r} is {phase} and takes no submissions")


def _record(arena: Arena, connection: Connection, upload: _Upload, truth: Truth) -> Submitted:
    """Decide everything again with what the transaction sees, and write it down."""
    account = _current(connection, upload.account)
    account.require_active()
    upload = replace(upload, account=account)
    benchmark = find_version(arena, connection, upload.slug, lock=True)
    if upload.key is not None:
        again = _replayed(connection, account, upload.slug, upload.key, upload.sha256)
        if again is not None:
            return again
    _check_time(benchmark, upload.received_at)
    if arena.truths.get(benchmark.id) is not truth:
        raise Problem(409, f"{benchmark.slug!r} has a new version since; send the file again")
    left = use_try(connection, benchmark, account.team, upload.received_at)
    answer = _look(connection, benchmark, account, upload)
    return _write(arena, connection, benchmark, upload, answer, left)


def _current(connection: Connection, account: Account) -> Account:
    return Account.of(connection.execute(_ACCOUNT, {"of_account": account.id}).one())


def _look(
    connection: Connection, benchmark: Benchmark, account: Account, upload: _Upload
) -> Answer:
    """Ask the team's ladder, and write down where it stands now."""
    mine = {"of_version": benchmark.id, "of_account": account.id}
    row = connection.execute(_STANDING, mine).one_or_none()
    before = LadderState() if row is None else LadderState(row.looks, row.releases, row.rung)
    answer = ladder_look(benchmark.definition.grid, before, upload.loss)
    after = answer.after
    values: dict[str, Any] = {
        "looks": after.looks,
        "releases": after.releases,
        "rung": after.rung,
    }
    if answer.released is not None:
        values |= {"release_look": after.looks, "improved_at": upload.received_at}
    if row is None:
        connection.execute(_NEW_STANDING, values | {"version": benchmark.id, "account": account.id})
    else:
        connection.execute(_CLIMB, values | mine)
    return answer


def _write(
    arena: Arena,
    connection: Connection,
    benchmark: Benchmark,
    upload: _Upload,
    answer: Answer,
    left: Remaining,
) -> Submitted:
    name, digest = secrets.token_hex(12), upload.digest
    predictions = {"digest": digest, "content": upload.packed}
    connection.execute(_PREDICTIONS[connection.dialect.name], predictions)
    record: dict[str, Any] = {
        "id": name,
        "received_at": upload.received_at,
        "sha256": upload.sha256,
        "improved": answer.released is not None,
        "released": released_record(benchmark, answer),
        "remaining": {"today": left.today, "total": left.total},
    }
    content = record | {
        "benchmark": benchmark.slug,
        "version": benchmark.number,
        "account": upload.account.id,
        "team": upload.account.team,
        "predictions": digest,
        "note": upload.note,
    }
    entry = arena.record(connection, upload.received_at, "submission", content)
    signature = arena.signing_key.sign(entry.hash).hex()
    record["receipt"] = {
        "chain": entry.hash.hex(),
        "signature": signature,
        "number": entry.number,
        "entry": entry.text,
    }
    _insert(connection, benchmark, upload, record, entry.number, answer)
    return Submitted(
        id=name,
        received_at=upload.received_at,
        sha256=upload.sha256,
        note=upload.note,
        improved=record["improved"],
        answer=record,
    )


def _insert(
    connection: Connection,
    benchmark: Benchmark,
    upload: _Upload,
    record: dict[str, Any],
    number: int,
    answer: Answer,
) -> None:
    connection.execute(
        _SUBMISSION,
        {
            "number": number,
            "id": record["id"],
            "version": benchmark.id,
            "account": upload.account.id,
            "received_at": upload.received_at,
            "sha256": upload.sha256,
            "digest": upload.digest,
            "note": upload.note,
            "rung": answer.after.rung if answer.released is not None else None,
            "answer": canonical_text(record),
        },
    )
    if upload.key is not None:
        connection.execute(
            _REPLAY,
            {
                "account": upload.account.id,
                "key": upload.key,
                "sha256": upload.sha256,
                "submission": record["id"],
            },
        )
    connection.execute(_LOOKED, {"of_version": benchmark.id, "time": upload.received_at})


def released_record(benchmark: Benchmark, answer: Answer) -> dict[str, Any] | None:
    """Return what a look released, with the interval that holds however often one looked."""
    if answer.released is None:
        return None
    definition = benchmark.definition
    looks, releases = answer.after.looks, answer.before.releases
    interval = definition.interval(answer.cell, looks, releases, definition.level).interval
    return {
        "measure": definition.measure.name,
        "value": answer.released,
        "interval": [interval.low, interval.high],
        "level": definition.level,
        "looks": answer.after.looks,
        "releases": answer.after.releases,
    }


def _replayed(
    connection: Connection, account: Account, slug: str, key: str, digest: str
) -> Submitted | None:
    """Return the first answer to a request with that key; refuse the key for anything else."""
    row = connection.execute(_FIRST, {"of_account": account.id, "of_key": key}).one_or_none()
    if row is None:
        return None
    if row.first != digest or row.slug != slug:
        other = "file" if row.slug == slug else "benchmark"
        raise Problem(
            422, f"this Idempotency-Key was used for another {other}; take a new key for each file"
        )
    return _submitted(row, replayed=True)


def _submitted(row: Any, *, replayed: bool = False) -> Submitted:
    return Submitted(
        id=row.id,
        received_at=row.received_at,
        sha256=row.sha256,
        note=row.note,
        improved=row.rung is not None,
        answer=json.loads(row.answer),
        replayed=replayed,
    )


def own_submissions(
    arena: Arena, account: Account, slug: str, number: int | None = None
) -> tuple[Submitted, ...]:
    """Return what an account has submitted to a version (the last if None), the newest first."""
    table = tables.submissions
    with arena.store.read() as connection:
        benchmark = find_version(arena, connection, slug, number)
        rows = connection.execute(
            select(table)
            .where(table.c.version == benchmark.id, table.c.account == account.id)
            .order_by(table.c.number.desc())
        ).all()
    return tuple(_submitted(row) for row in rows)


def submission(arena: Arena, account: Account, slug: str, name: str) -> Submitted:
    """Return a submission of one's own, to any version; those of others do not exist."""
    table = tables.submissions
    with arena.store.read() as connection:
        find_version(arena, connection, slug)
        row = connection.execute(
            select(table)
            .join(tables.versions, tables.versions.c.id == table.c.version)
            .join(tables.benchmarks, tables.benchmarks.c.id == tables.versions.c.benchmark)
            .where(
                tables.benchmarks.c.slug == slug,
                table.c.account == account.id,
                table.c.id == name,
            )
        ).one_or_none()
    if row is None:
        raise Problem(404, "there is no such submission of yours")
    return _submitted(row)


def remaining_tries(arena: Arena, account: Account, slug: str) -> Remaining:
    """Return how many tries an account's team has left."""
    with arena.store.read() as connection:
        benchmark = find_version(arena, connection, slug)
        return remaining(connection, benchmark, account.team, arena.now())
