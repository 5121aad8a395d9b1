"""Checking an arena: chain, hashes, counts, and every answer computed again."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, select

from referee.arena.arena import Arena
from referee.arena.benchmark.benchmarks import find_version
from referee.arena.benchmark.packing import unpacked
from referee.arena.benchmark.truth import read_truth
from referee.arena.scoring.finishing import final_record
from referee.arena.scoring.retold import Retold, Standing
from referee.arena.scoring.submitting import released_record
from referee.arena.store import tables
from referee.arena.store.chain import entries, origin
from referee.core.results import Outcome, Verdict
from referee.core.showing.counting import counted
from referee.errors import InputError
from referee.intervals.looks import ladder_look
from referee.vault.certificate.signing.envelope import EnvelopeProblem, opened_envelope
from referee.vault.sealed.ledger.canonical import canonical_text
from referee.vault.sealed.ledger.entry import Entry, broken_links

__all__ = ["ArenaCheck", "check_arena"]


@dataclass(frozen=True, kw_only=True, eq=False)
class ArenaCheck:
    """What was found.

    Attributes
    ----------
    entries, submissions, versions : int
        How much was checked.
    problems : tuple of str
        What is not as it was written; empty if all is well.
    """

    entries: int
    submissions: int
    versions: int
    problems: tuple[str, ...]

    @property
    def verdict(self) -> Verdict:
        """PASS if everything is as it was recorded."""
        entries = f"{counted(self.entries, 'entry', 'entries')} of the log"
        submissions = counted(self.submissions, "submission")
        versions = counted(self.versions, "version")
        checked = f"{entries}, {submissions} and {versions} of benchmarks"
        if not self.problems:
            return Verdict(outcome=Outcome.PASS, sentence=f"{checked}: all as recorded.")
        return Verdict(
            outcome=Outcome.FAIL,
            sentence=f"{checked}: {counted(len(self.problems), 'problem')}; {self.problems[0]}.",
        )


@dataclass
class _Walk:
    """What has been seen of the log so far."""

    problems: list[str] = field(default_factory=list)
    entries: int = 0
    submissions: int = 0
    versions: dict[tuple[str, int], Retold] = field(default_factory=dict)
    accounts: dict[int, dict[str, Any]] = field(default_factory=dict)
    finished: dict[int, dict[str, Any]] = field(default_factory=dict)

    def complain(self, text: str) -> None:
        if len(self.problems) < 100:
            self.problems.append(text)


def check_arena(arena: Arena) -> ArenaCheck:
    """Go through the whole log, from its first entry, and compute everything again."""
    walk = _Walk()
    with arena.store.read() as connection:
        _check_versions(arena, connection, walk)
        _check_log(arena, connection, walk)
        for retold in walk.versions.values():
            for problem in retold.differences(connection):
                walk.complain(problem)
        _check_accounts(connection, walk)
        _check_replays(connection, walk)
        _check_results(arena, connection, walk)
    return ArenaCheck(
        entries=walk.entries,
        submissions=walk.submissions,
        versions=len(walk.versions),
        problems=tuple(walk.problems),
    )


def _check_versions(arena: Arena, connection: Connection, walk: _Walk) -> None:
    """Check that labels and files are those of the first day."""
    version, table = tables.versions, tables.benchmarks
    rows = connection.execute(
        select(version.c.number, version.c.definition, table.c.slug)
        .join(table, table.c.id == version.c.benchmark)
        .order_by(version.c.id)
    ).all()
    for row in rows:
        place = f"{row.slug}, version {row.number}"
        benchmark = find_version(arena, connection, row.slug, row.number)
        try:
            truth = read_truth(arena.places.labels(row.slug, row.number), arena.key)
        except (InputError, ValueError) as problem:
            walk.complain(f"{place}: the sealed labels cannot be read ({type(problem).__name__})")
            continue
        walk.versions[row.slug, row.number] = Retold(benchmark, truth)
        if truth.commitment(benchmark.definition.ids) != benchmark.definition.commitment:
            walk.complain(f"{place}: the labels are not those that were sealed at first")
        for name, digest in benchmark.definition.files.items():
            path = arena.places.file(row.slug, row.number, name)
            if not path.is_file() or sha256(path.read_bytes()).hexdigest() != digest:
                walk.complain(f"{place}: {path.name} was changed or removed")


def _check_log(arena: Arena, connection: Connection, walk: _Walk) -> None:
    records = _submission_rows(connection)
    before, number = origin(arena.places.arena), 1
    for entry in entries(connection):
        walk.entries += 1
        for problem in broken_links([entry], before, number, arena.key):
            walk.complain(problem)
        before, number = entry.hash, entry.number + 1
        if entry.kind == "submission":
            _check_submission(arena, walk, entry, next(records, None))
        else:
            _take_in(connection, walk, entry)
    if next(records, None) is not None:
        walk.complain("there are submissions that the log does not know")
    head = connection.execute(select(tables.head)).one()
    if (head.number, bytes(head.hash)) != (number - 1, before):
        walk.complain("entries at the end of the log were removed, or its head was changed")


def _submission_rows(connection: Connection) -> Any:
    table, content = tables.submissions, tables.predictions
    return iter(
        connection.execution_options(yield_per=200).execute(
            select(table, content.c.content)
            .join(content, content.c.digest == table.c.digest)
            .order_by(table.c.number)
        )
    )


def _take_in(connection: Connection, walk: _Walk, entry: Entry) -> None:
    """Take in an entry about an account or a version."""
    content = entry.content
    if "benchmark" not in content:
        fields = {n: content[n] for n in ("name", "role", "state", "team") if n in content}
        number = content["account"]  # by itself it is a team of its own
        walk.accounts.setdefault(number, {"team": number}).update(fields)
        if entry.kind == "linked":
            _share_tries(walk, content["team"])
        return
    retold = walk.versions.get((content["benchmark"], content["version"]))
    if retold is None:
        walk.complain(f"{content['benchmark']}, version {content['version']} is missing")
        return
    retold.tell(entry.kind, content)
    if entry.kind == "benchmark":
        _check_definition(connection, walk, retold, content)
    elif entry.kind == "finished":
        walk.finished[retold.benchmark.id] = dict(content)


def _share_tries(walk: _Walk, team: int) -> None:
    members = [number for number, fields in walk.accounts.items() if fields["team"] == team]
    for retold in walk.versions.values():
        retold.share(team, members)


def _check_definition(connection: Connection, walk: _Walk, retold: Retold, content: Any) -> None:
    version = tables.versions
    text, rules = connection.execute(
        select(version.c.definition, version.c.rules).where(version.c.id == retold.benchmark.id)
    ).one()
    if sha256(text.encode()).hexdigest() != content["definition"]:
        walk.complain(f"{retold.place}: its definition was changed")
    if "rules" in content and sha256(rules.encode()).hexdigest() != content["rules"]:
        walk.complain(f"{retold.place}: its rules were changed")


def _check_submission(arena: Arena, walk: _Walk, entry: Entry, row: Any) -> None:
    """Check one submission: its predictions, its answer, its receipt."""
    content = entry.content
    retold = walk.versions.get((content["benchmark"], content["version"]))
    if row is None or row.number != entry.number or retold is None:
        walk.complain(f"entry {entry.number}: its submission is missing")
        return
    walk.submissions += 1
    answer = json.loads(row.answer)
    receipt = answer.pop("receipt", {})
    logged = {name: content.get(name) for name in answer}
    if logged != answer or receipt.get("chain") != entry.hash.hex():
        walk.complain(f"submission {row.id}: its answer is not the one in the log")
    if not _signed(arena, entry, receipt):
        walk.complain(f"submission {row.id}: its receipt is not signed by this arena")
    fields = (row.id, row.sha256, row.digest, row.received_at, row.account, row.note)
    names = ("id", "sha256", "predictions", "received_at", "account", "note")
    if fields != tuple(content[name] for name in names):
        walk.complain(f"submission {row.id}: its row is not the one in the log")
    if walk.accounts.get(row.account, {}).get("team") != content["team"]:
        walk.complain(f"submission {row.id}: it was counted for another team than its account's")
    refusal = retold.count(
        row.account, content["team"], content["received_at"], content["remaining"]
    )
    if refusal is not None:
        walk.complain(f"submission {row.id}: {refusal}")
    _check_score(walk, retold, row, content)


def _signed(arena: Arena, entry: Entry, receipt: dict[str, Any]) -> bool:
    from cryptography.exceptions import InvalidSignature

    try:
        arena.signing_key.public_key().verify(bytes.fromhex(receipt["signature"]), entry.hash)
    except (InvalidSignature, KeyError, ValueError):
        return False
    return True


def _check_score(walk: _Walk, retold: Retold, row: Any, content: Any) -> None:
    """Score the predictions again, and let the ladder answer again."""
    definition = retold.benchmark.definition
    try:
        submission = unpacked(bytes(row.content), definition)
    except ValueError:
        walk.complain(f"submission {row.id}: its predictions are damaged")
        return
    if submission.digest != row.digest:
        walk.complain(f"submission {row.id}: its predictions are not those that were sent")
    before = retold.standings.get(row.account, Standing())
    loss = retold.truth.loss(definition, submission, public=True)
    answer = ladder_look(definition.grid, before.ladder, loss)
    rung = None if answer.released is None else answer.after.rung
    retold.standings[row.account] = (
        replace(before, ladder=answer.after)
        if rung is None
        else Standing(answer.after, answer.after.looks, content["received_at"])
    )
    again = canonical_text(released_record(retold.benchmark, answer))
    logged = canonical_text(content["released"]), content["improved"], row.rung
    if logged != (again, rung is not None, rung):
        walk.complain(f"submission {row.id}: scored again it is answered otherwise")


def _check_accounts(connection: Connection, walk: _Walk) -> None:
    """Check that accounts are what was made of them, each change by an entry of the log."""
    rows = {row.id: row for row in connection.execute(select(tables.accounts))}
    for number, fields in walk.accounts.items():
        row = rows.pop(number, None)
        if row is None:
            walk.complain(f"the account {fields.get('name', number)!r} is missing")
        elif any(getattr(row, name) != value for name, value in fields.items()):
            walk.complain(f"the account {row.name!r} is not what the log says of it")
    for row in rows.values():
        walk.complain(f"the log does not know the account {row.name!r}")


def _check_replays(connection: Connection, walk: _Walk) -> None:
    """Check that every key leads to a submission of its own account and file."""
    replay, table = tables.replays, tables.submissions
    lost = connection.execute(
        select(replay.c.key)
        .outerjoin(
            table,
            (table.c.id == replay.c.submission)
            & (table.c.account == replay.c.account)
            & (table.c.sha256 == replay.c.sha256),
        )
        .where(table.c.id.is_(None))
    ).first()
    if lost is not None:
        walk.complain("an Idempotency-Key leads to a submission of another account or file")


def _check_results(arena: Arena, connection: Connection, walk: _Walk) -> None:
    """Check that final boards are those that were signed, and what the finals come to."""
    rows = {row.version: row for row in connection.execute(select(tables.results))}
    for retold in walk.versions.values():
        row = rows.pop(retold.benchmark.id, None)
        logged = walk.finished.get(retold.benchmark.id)
        if row is None and logged is None:
            continue
        if row is None or logged is None:
            walk.complain(f"{retold.place}: a final board without its entry, or the reverse")
            continue
        digests = sha256(row.content.encode()).hexdigest(), sha256(bytes(row.envelope)).hexdigest()
        if digests != (logged["board"], logged["envelope"]):
            walk.complain(f"{retold.place}: the final board is not the one in the log")
        try:
            statement = opened_envelope(bytes(row.envelope), arena.public_key)
        except EnvelopeProblem as problem:
            walk.complain(f"{retold.place}: the final board is not as it was signed: {problem}")
            continue
        if statement["predicate"] != json.loads(row.content):
            walk.complain(f"{retold.place}: the final board is not the one that was signed")
        again = final_record(arena, connection, retold.benchmark, row.created_at)
        if not _same(again | {"referee": ""}, json.loads(row.content) | {"referee": ""}):
            walk.complain(f"{retold.place}: judged again the finals come to another board")


def _same(one: Any, other: Any) -> bool:
    """Tell whether records are equal, numbers up to what another version of a library rounds."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same(one[k], other[k]) for k in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    return bool(one == other)
