"""Creating a benchmark: labels are sealed at once, the rest goes into the directory that is served.

Files are written first and the row in the database last, so that a benchmark is there whole or not
at all.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

import numpy as np
from sqlalchemy import Connection, func, insert, select

from referee.arena.accounts.account import Account
from referee.arena.arena import Arena
from referee.arena.benchmark.benchmarks import read_benchmark, require_organiser
from referee.arena.benchmark.definition import Definition
from referee.arena.benchmark.request import BenchmarkRequest, slug_of
from referee.arena.benchmark.truth import Truth, seal_truth
from referee.arena.clock import moment
from referee.arena.store import tables
from referee.core.arrays import Flags
from referee.core.randomness import child, integer_seed
from referee.core.showing.counting import counted
from referee.errors import EmptyTable, InputError, arg
from referee.vault.sealed.cases.cases import Cases, cases_of_table
from referee.vault.sealed.cases.splitting import sealed_rows
from referee.vault.sealed.files import TEST, TRAIN, csv_bytes
from referee.vault.sealed.labels.secret_labels import SecretLabels
from referee.vault.sealed.ledger.canonical import canonical_text
from referee.vault.sealed.ledger.durable import create_file, sync_directory
from referee.vault.sealed.sealing import Split, split_cases, table_bytes

__all__ = ["BenchmarkPlan", "create_benchmark", "plan_benchmark"]


@dataclass(frozen=True, eq=False)
class BenchmarkPlan:
    """A benchmark ready to be written: what becomes public, and what secret.

    Attributes
    ----------
    request : BenchmarkRequest
        What was asked for.
    definition : Definition
        What becomes public.
    truth : Truth
        What becomes secret.
    files : dict of str to bytes
        train, test and example, as they will be served.
    """

    request: BenchmarkRequest
    definition: Definition
    truth: Truth
    files: dict[str, bytes]


def _cases(request: BenchmarkRequest) -> Cases:
    try:
        return cases_of_table(
            request.train,
            target=request.target,
            ids=request.id_column,
            groups=request.groups,
            test=request.test_table,
        )
    except EmptyTable as problem:
        # Whether there is a header cannot be said of a benchmark's tables.
        said = str(problem).removesuffix(f"; {problem.remedy}")
        raise EmptyTable(said, remedy="add rows") from None


def plan_benchmark(request: BenchmarkRequest, *, seed: int | None = None) -> BenchmarkPlan:
    """Read the tables and work everything out; nothing is written."""
    cases = _cases(request)
    number = integer_seed(seed)
    split = split_cases(cases, request.test_share, request.sealing, number)
    _refuse_absent_class(cases, split, request)
    drawn = number if request.test_share is None else child(number, 2)
    public = _public_half(cases, split, request, drawn)
    truth = Truth(
        SecretLabels.new(split.classes, split.codes[split.test]),
        public,
        None if cases.groups is None else cases.groups[split.test],
    )
    cases = _with_ids_as_read(cases, split)
    files = {"train": table_bytes(cases, split, TRAIN), "test": table_bytes(cases, split, TEST)}
    definition = _definition(cases, split, truth, request)
    shares = np.bincount(split.codes[split.train], minlength=len(split.classes))
    files["example"] = _example(definition, (shares / shares.sum()).tolist())
    digests = {name: sha256(content).hexdigest() for name, content in files.items()}
    return BenchmarkPlan(request, replace(definition, files=digests), truth, files)


def _refuse_absent_class(cases: Cases, split: Split, request: BenchmarkRequest) -> None:
    """Refuse a class of the training cases, or a positive one, that no test case has."""
    present = set(split.codes[split.test].tolist())
    wanted = {split.classes[code] for code in split.codes[split.train]} | {request.pos_label}
    for code, name in enumerate(split.classes):
        if name in wanted and code not in present:
            raise InputError(
                f"{_test_name(request)}, column {cases.target!r}: no test case has the class "
                f"{name!r}, so nothing could be judged there",
                remedy="add test cases of it, or leave it out of the training cases, too",
            )


def _test_name(request: BenchmarkRequest) -> str:
    table = request.test_table
    return f"{request.test} of {request.train.name}" if table is None else table.name


def _public_half(cases: Cases, split: Split, request: BenchmarkRequest, seed: int) -> Flags:
    """Draw the public half: a share of each class, whole groups together."""
    assert request.share is not None
    # Only classes that test cases have: another may be legal, and occur nowhere.
    _, codes = np.unique(split.codes[split.test], return_inverse=True)
    groups = None if cases.groups is None else cases.groups[split.test]
    left_out: list[int] = []

    def place(rows: Sequence[int]) -> str:
        left_out.extend(rows)
        return ""

    try:
        return sealed_rows(codes, request.share, groups, seed, place)
    except InputError:
        raise _one_sided(cases, split, request, left_out) from None


def _one_sided(
    cases: Cases, split: Split, request: BenchmarkRequest, rows: Sequence[int]
) -> InputError:
    """Return what is wrong with halves of which one lacks the class of some test cases."""
    nearer = "" if request.share == 0.5 else "take a share nearer to 50%, or "
    place = f"one half of the {len(split.test)} test cases ({_test_name(request)})"
    if not rows:
        return InputError(
            f"{arg('public', request.public)} leaves no group in {place}",
            concerning="public",
            remedy=f"{nearer}give test cases of more groups",
        )
    held, more = f"{counted(len(rows), 'case')} of it", "more test cases of it"
    if cases.groups is not None:
        n = len(np.unique(cases.groups[split.test[list(rows)]]))
        held = f"{held}, in {counted(n, 'group')}"
        more = "more and smaller groups with cases of it"
    return InputError(
        f"{arg('public', request.public)} leaves {_class_of(split, rows[0])} (column "
        f"{cases.target!r}) out of {place}: they hold {held}",
        concerning="public",
        remedy=f"{nearer}give {more}",
    )


def _class_of(split: Split, row: int) -> str:
    """Name the class of a test case, unless only secret cases have it."""
    code = split.codes[split.test[row]]
    public = bool((split.codes[split.train] == code).any())
    return f"the class {split.classes[code]!r}" if public else "a class that no training case has"


def _with_ids_as_read(cases: Cases, split: Split) -> Cases:
    """Write ids into test.csv in the one form in which they are compared."""
    if cases.ids is None:
        return cases
    ids = list(cases.ids)
    for row, name in zip(split.test.tolist(), split.ids, strict=True):
        ids[row] = name
    return replace(cases, columns={**cases.columns, cases.id_column: ids})


def _definition(cases: Cases, split: Split, truth: Truth, request: BenchmarkRequest) -> Definition:
    sizes = np.bincount(truth.labels.codes[truth.public], minlength=len(split.classes)).tolist()
    terms = request.sealing.terms(split.classes, split.codes[split.train], sizes)
    if terms.measure.is_area and truth.groups is not None:
        raise InputError(
            f"measure auc has no guaranteed interval where cases come in groups ({request.groups})",
            remedy="take another measure, or one case of each group",
        )
    worth = truth.independent(terms.measure)
    grid = terms.measure.grid(sizes, terms.baseline.value, request.step, worth)
    return Definition(
        ids=tuple(split.ids),
        id_column=cases.id_column,
        target=cases.target,
        classes=tuple(split.classes),
        measure=terms.measure,
        grid=grid,
        level=request.level,
        baseline=terms.baseline,
        n_public=int(truth.public.sum()),
        grouped=cases.groups is not None,
        commitment=truth.commitment(tuple(split.ids)),
        files={},
        groups=truth.groups_of(terms.measure, public=True),
    )


def _example(definition: Definition, shares: Sequence[float]) -> bytes:
    """Return example.csv: a file that can be uploaded, with one answer for all cases.

    Where classes have other shares among the test cases than in train.csv, it may do better there
    than the start, which comes from train.csv alone.
    """
    if not definition.measure.scored:
        cells = [definition.classes[int(np.argmax(shares))]]
    elif len(definition.score_columns) == 1:
        cells = ["0.5"]
    else:
        rounded = [round(share, 6) for share in shares[:-1]]
        cells = [repr(share) for share in (*rounded, round(1 - sum(rounded), 6))]
    columns = [definition.id_column, *definition.score_columns]
    return csv_bytes(columns, ([name, *cells] for name in definition.ids))


def create_benchmark(
    arena: Arena,
    request: BenchmarkRequest,
    *,
    organiser: Account | None = None,
    version_of: str | None = None,
    seed: int | None = None,
) -> str:
    """Make a benchmark, or a new version of one, and return its address.

    Parameters
    ----------
    arena : Arena
        Where.
    request : BenchmarkRequest
        What.
    organiser : Account or None
        Who may run it; every organiser if None.
    version_of : str or None
        The address of a benchmark of which this is a new version, with a board of its own.
    seed : int or None
        Which cases are public follows from it.
    """
    if organiser is not None:
        organiser.require_organiser()
        if version_of is not None:
            require_organiser(organiser, read_benchmark(arena, version_of))
    slug = version_of or slug_of(request.slug or request.name)
    number = _next_number(arena, slug, new=version_of is None)
    plan = plan_benchmark(request, seed=seed)
    folder, labels = arena.places.public(slug, number), arena.places.labels(slug, number)
    if labels.exists() or folder.exists():
        _clear_leftovers(arena, slug, number)
    header: dict[str, object] = {
        "benchmark": slug,
        "version": number,
        "commitment": plan.definition.commitment,
    }
    try:
        seal_truth(labels, plan.truth, arena.key, header)
        for name, content in plan.files.items():
            create_file(folder / f"{name}.csv", content)
        sync_directory(folder.parent)
        _insert(arena, plan, slug, number, organiser)
    except BaseException:
        _clear_leftovers(arena, slug, number)
        raise
    return slug


def _clear_leftovers(arena: Arena, slug: str, number: int) -> None:
    """Remove the files of a version that the database does not know."""
    if not _known(arena, slug, number):
        shutil.rmtree(arena.places.public(slug, number), ignore_errors=True)
        arena.places.labels(slug, number).unlink(missing_ok=True)


def _known(arena: Arena, slug: str, number: int) -> bool:
    table, version = tables.benchmarks, tables.versions
    with arena.store.read() as connection:
        row = connection.execute(
            select(version.c.id)
            .join(table, table.c.id == version.c.benchmark)
            .where(table.c.slug == slug, version.c.number == number)
        ).first()
    return row is not None


def _next_number(arena: Arena, slug: str, *, new: bool) -> int:
    table, version = tables.benchmarks, tables.versions
    with arena.store.read() as connection:
        known = connection.execute(select(table.c.id).where(table.c.slug == slug)).scalar()
        if new and known is not None:
            raise InputError(
                f"there is a benchmark {slug!r} already",
                concerning="version_of",
                remedy="give this one another name, or make a new version with --version-of "
                f"{slug}",
            )
        if not new and known is None:
            raise InputError(
                f"there is no benchmark {slug!r} to make a new version of", concerning="version_of"
            )
        last = connection.execute(
            select(func.max(version.c.number)).where(version.c.benchmark == known)
        ).scalar()
    return 1 + (last or 0)


def _insert(
    arena: Arena, plan: BenchmarkPlan, slug: str, number: int, organiser: Account | None
) -> None:
    time, request = arena.now(), plan.request
    opens = time if request.opens is None else moment(request.opens, "opens")
    if request.closes_at is not None and request.closes_at <= opens:
        raise InputError(
            f"closes ({request.closes}) must be later than opens ({request.opens or 'now'})",
            remedy="correct one",
        )

    def work(connection: Connection) -> None:
        if number == 1:
            connection.execute(
                insert(tables.benchmarks).values(
                    slug=slug,
                    name=request.name.strip(),
                    organiser=None if organiser is None else organiser.id,
                    created_at=time,
                )
            )
        benchmark = connection.execute(
            select(tables.benchmarks.c.id).where(tables.benchmarks.c.slug == slug)
        ).scalar_one()
        connection.execute(
            insert(tables.versions).values(
                benchmark=benchmark,
                number=number,
                state="open",
                definition=canonical_text(plan.definition.record()),
                rules=request.rules,
                opens_at=opens,
                closes_at=request.closes_at,
                per_day=request.per_day,
                total=request.total,
                looks=0,
                revision=0,
                updated_at=time,
                created_at=time,
            )
        )
        arena.record(
            connection,
            time,
            "benchmark",
            {
                "benchmark": slug,
                "version": number,
                "commitment": plan.definition.commitment,
                "files": dict(plan.definition.files),
                "definition": sha256(canonical_text(plan.definition.record()).encode()).hexdigest(),
                "by": None if organiser is None else organiser.name,
                "rules": sha256(request.rules.encode()).hexdigest(),
                "opens_at": opens,
                "closes_at": request.closes_at,
                "per_day": request.per_day,
                "total": request.total,
            },
        )

    arena.store.write(work)
