"""referee arena init and add: a benchmark from one table or two, its labels sealed at once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from referee.cli.arena.options import Database, Directory, opened, require_extra
from referee.cli.terminal import options
from referee.cli.terminal.screen import note, say
from referee.errors import InputError

if TYPE_CHECKING:
    from referee.arena.arena import Arena
    from referee.arena.benchmark.request import BenchmarkRequest

__all__ = ["add", "init"]

_NAME = typer.Option("--name", metavar="TEXT", help="What people call it.")
_TRAIN = typer.Option("--train", metavar="FILE", help="Training cases with their labels.")
_TEST = typer.Option(
    "--test",
    metavar="FILE|30%",
    help="Test cases with labels, which are sealed; or the share of --train to draw.",
)
_TARGET = typer.Option("--target", metavar="COL", help="Column of labels; a number, no header.")
Train = Annotated[Path, _TRAIN]
Test = Annotated[str, _TEST]
IdColumn = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option("--id", metavar="COL", help="Column with the ids; numbered if not named."),
]
MeasureName = Annotated[
    str,
    typer.Option(
        "--measure",
        metavar="NAME",
        help="error, accuracy, tpr, tnr, fpr, fnr, auc, brier or cost.",
    ),
]
Public = Annotated[
    str, typer.Option("--public", metavar="50%", help="Share of the test cases for the season.")
]
Baseline = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        "--baseline",
        metavar="majority|VALUE",
        help="What everybody starts at; what guessing scores on --train if not said.",
    ),
]
PerDay = Annotated[int, typer.Option("--per-day", metavar="N", help="Tries of a team a day (UTC).")]
Total = Annotated[int, typer.Option("--total", metavar="N", help="Tries of a team in all.")]
Opens = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option("--opens", metavar="ISO", help="When submissions are taken; at once if not said."),
]
Closes = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option("--closes", metavar="ISO", help="The deadline; none if not said."),
]
Rules = Annotated[
    Optional[Path],  # noqa: UP045
    typer.Option("--rules", metavar="FILE.md", help="Rules in Markdown."),
]
ClassName = Annotated[
    Optional[list[str]],  # noqa: UP045
    typer.Option("--label", metavar="CLASS", help="A class that training cases lack; repeatable."),
]
Seed = Annotated[
    Optional[int],  # noqa: UP045
    typer.Option("--seed", help="Which cases are public follows from it; drawn if not said."),
]


def init(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="A new directory.")],
    name: Annotated[Optional[str], _NAME] = None,  # noqa: UP045
    train: Annotated[Optional[Path], _TRAIN] = None,  # noqa: UP045
    test: Annotated[Optional[str], _TEST] = None,  # noqa: UP045
    target: Annotated[Optional[str], _TARGET] = None,  # noqa: UP045
    id_column: IdColumn = None,
    groups: options.Groups = None,
    measure: MeasureName = "error",
    public: Public = "50%",
    baseline: Baseline = None,
    per_day: PerDay = 5,
    total: Total = 100,
    opens: Opens = None,
    closes: Closes = None,
    rules: Rules = None,
    pos_label: options.PosLabel = None,
    costs: options.CostPair = None,
    label: ClassName = None,
    level: options.Level = 0.95,
    registration: Annotated[
        str,
        typer.Option(
            "--registration",
            metavar="approval|open",
            help="Whether an organiser has to approve accounts.",
        ),
    ] = "approval",
    database: Database = None,
    seed: Seed = None,
) -> None:
    """Make an arena with a benchmark: the labels of the test cases are sealed at once.

    They are encrypted in a directory that is never served. Keep the table they came from in a safe
    place, or delete it. Without --name, --train, --test and --target the arena is empty, and
    organisers create benchmarks on its pages.
    """
    require_extra()
    from referee.arena.arena import create_arena

    if name is None or train is None or test is None or target is None:
        _refuse_half({"--name": name, "--train": train, "--test": test, "--target": target})
        with create_arena(directory, database=database, registration=registration):
            pass
        say("The arena has no benchmark yet; organisers create them on its pages.")
        note(f"make an organiser with: referee arena user add {directory} NAME --organiser")
        note(f"serve it with: referee arena serve {directory}")
        return
    request = _request(
        name,
        train,
        test,
        target,
        id_column,
        groups,
        measure,
        public,
        baseline,
        per_day,
        total,
        opens,
        closes,
        rules,
        pos_label,
        costs,
        label,
        level,
    )
    with create_arena(directory, database=database, registration=registration) as arena:
        _make(arena, request, None, seed)
    note(f"serve it with: referee arena serve {directory}")


def _refuse_half(given: dict[str, object]) -> None:
    missing = [name for name, value in given.items() if value is None]
    if len(missing) < len(given):
        raise InputError(
            f"{', '.join(given)} make a benchmark together, and {', '.join(missing)} "
            f"{'is' if len(missing) == 1 else 'are'} missing",
            remedy="leave all of them out for an empty arena",
        )


def add(
    directory: Directory,
    train: Train,
    test: Test,
    target: options.Target,
    name: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            "--name", metavar="TEXT", help="What people call it; a new version keeps its name."
        ),
    ] = None,
    id_column: IdColumn = None,
    groups: options.Groups = None,
    measure: MeasureName = "error",
    public: Public = "50%",
    baseline: Baseline = None,
    per_day: PerDay = 5,
    total: Total = 100,
    opens: Opens = None,
    closes: Closes = None,
    rules: Rules = None,
    pos_label: options.PosLabel = None,
    costs: options.CostPair = None,
    label: ClassName = None,
    level: options.Level = 0.95,
    version_of: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            "--version-of", metavar="SLUG", help="A benchmark of which this is a new version."
        ),
    ] = None,
    database: Database = None,
    seed: Seed = None,
) -> None:
    """Add a benchmark to an arena, or a new version of one, with a board of its own."""
    with opened(directory, database) as arena:
        request = _request(
            _name(arena, name, version_of),
            train,
            test,
            target,
            id_column,
            groups,
            measure,
            public,
            baseline,
            per_day,
            total,
            opens,
            closes,
            rules,
            pos_label,
            costs,
            label,
            level,
        )
        _make(arena, request, version_of, seed)


def _name(arena: Arena, name: str | None, version_of: str | None) -> str:
    """Return what a benchmark will be called: a new version as the ones before."""
    from referee.arena.benchmark.benchmarks import read_benchmark

    if version_of is None:
        if name is None:
            raise InputError("a new benchmark needs a name", remedy="give it with --name")
        return name
    kept = read_benchmark(arena, version_of).name
    if name is not None and name.strip() != kept:
        raise InputError(
            f"--name {name!r} is not the name of {version_of}, {kept!r}, which a new version keeps",
            remedy="leave --name out",
        )
    return kept


def _make(
    arena: Arena, request: BenchmarkRequest, version_of: str | None, seed: int | None
) -> None:
    from referee.arena.benchmark.benchmarks import read_benchmark
    from referee.arena.benchmark.creating import create_benchmark

    slug = create_benchmark(arena, request, version_of=version_of, seed=seed)
    sealed = read_benchmark(arena, slug)
    known = sealed.definition
    say(
        f"{sealed.name} ({slug}, version {sealed.number}): {known.n} test cases sealed, "
        f"{known.n_public} of them for the season; {known.catalogued.title}, everybody starts at "
        f"{known.start:g} ({known.baseline.words})."
    )
    say(f"Commitment to the labels: {known.commitment}")


def _request(
    name: str,
    train: Path,
    test: str,
    target: str,
    id_column: str | None,
    groups: str | None,
    measure: str,
    public: str,
    baseline: str | None,
    per_day: int,
    total: int,
    opens: str | None,
    closes: str | None,
    rules: Path | None,
    pos_label: str | None,
    costs: tuple[float, float] | None,
    label: list[str] | None,
    level: float,
) -> BenchmarkRequest:
    require_extra()
    from referee.arena.benchmark.request import BenchmarkRequest
    from referee.cli.sealed.vault import baseline_of
    from referee.vault.sealed.cases.splitting import share_of

    return BenchmarkRequest(
        name=name,
        train=train,
        test=Path(test) if share_of(test) is None else test,
        target=target,
        id_column=id_column,
        groups=groups,
        measure=measure,
        public=public,
        baseline=baseline_of(baseline),
        per_day=per_day,
        total=total,
        opens=opens,
        closes=closes,
        rules="" if rules is None else _text(rules),
        pos_label=pos_label,
        costs=costs,
        labels=tuple(label or ()),
        level=level,
    )


def _text(file: Path) -> str:
    from referee.core.machine.plain_file import file_text
    from referee.errors import InputError

    try:
        return file_text(file)
    except (OSError, UnicodeDecodeError) as problem:
        why = problem.strerror if isinstance(problem, OSError) else "it is not UTF-8"
        raise InputError(
            f"--rules {file} cannot be read: {why}",
            concerning="rules",
        ) from None
