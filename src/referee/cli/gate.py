"""referee gate BASELINE CANDIDATE --margin M: may the candidate take the baseline's place?"""

from __future__ import annotations

import functools
import os
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from referee.cli.scores import scored
from referee.cli.terminal import options
from referee.cli.terminal.output import check_places, described
from referee.cli.terminal.screen import note, say, whole_characters

if TYPE_CHECKING:
    from referee.gating.decision import Gate
    from referee.gating.family import GateFamily
    from referee.sources.tables import Header

__all__ = ["gate"]


_BESIDE_A_FILE = ("files", "undecided", "json", "summary", "junit", "out", "force")


def _fault_is_no_outcome(command: Callable[..., None]) -> Callable[..., None]:
    """Exit with 2 at a fault of the program: Python's own exit code 1 would say "worse"."""
    from referee.errors import RefereeError

    @functools.wraps(command)
    def run(*args: Any, **options: Any) -> None:
        try:
            command(*args, **options)
        except RefereeError:
            raise
        except (
            ArithmeticError,
            AssertionError,
            AttributeError,
            LookupError,
            TypeError,
            ValueError,
        ):
            note(traceback.format_exc().rstrip())
            raise typer.Exit(2) from None

    return run


@_fault_is_no_outcome
def gate(
    context: typer.Context,
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="BASELINE CANDIDATE",
            help="Predictions (with --truth), scores or evaluation logs of both models; the "
            "baseline may be a file of referee baseline save. One file with a column for each "
            "model, the baseline first, serves as well, a third may hold the truth. Or one "
            "gates.toml.",
        ),
    ],
    truth: Annotated[
        Optional[str],  # noqa: UP045 (typer reads it at run time)
        typer.Option(
            "--truth", metavar="COL", help="Column with the right answers; without it: scores."
        ),
    ] = None,
    margin: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            "--margin",
            metavar="SIZE",
            help="How much worse the candidate may be; 0.01 is one point. Not for --claim better.",
        ),
    ] = None,
    claim: Annotated[
        str,
        typer.Option(
            "--claim", metavar="CLAIM", help="What to show: non-inferior, better or equivalent."
        ),
    ] = "non-inferior",
    on: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--on", metavar="COL", help="Column with the ids by which files are joined."),
    ] = None,
    pred: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option("--pred", metavar="COL", help="Columns with predicted classes."),
    ] = None,
    score: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option("--score", metavar="COL", help="Columns with scores."),
    ] = None,
    name: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option("--name", help="How to call baseline and candidate, in this order."),
    ] = None,
    measure: options.MeasureName = "error",
    groups: options.Groups = None,
    label: options.Label = None,
    pos_label: options.PosLabel = None,
    cost: options.CostPair = None,
    item: scored.Item = None,
    model: scored.ModelColumn = None,
    run: scored.Run = None,
    cluster: scored.Cluster = None,
    task: scored.Task = None,
    filter_name: scored.Filter = None,
    missing: scored.Missing = "auto",
    value: scored.Value = None,
    limits: scored.Limits = None,
    no_limits: scored.NoLimits = False,
    greater: scored.Greater = True,
    sequential: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(
            "--sequential",
            metavar="STATE",
            help="Ledger of all runs, beside the baseline: decisions hold over all of them "
            "together, however often you look.",
        ),
    ] = None,
    version: Annotated[
        str,
        typer.Option(
            "--version",
            metavar="TEXT",
            help="With --sequential: which candidate this is (a commit, a date); evidence adds up "
            "over runs of one version. Without it each run counts as another model.",
        ),
    ] = "",
    figures: Annotated[
        bool,
        typer.Option(
            "--figures",
            help="With --sequential: show more than the answer; only for cases that are never used "
            "again.",
        ),
    ] = False,
    undecided: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            "--undecided",
            metavar="POLICY",
            help="What an undecided gate is: report (exit code 3, the default), pass or fail.",
        ),
    ] = None,
    level: options.Level = 0.95,
    header: options.Header = None,
    json: Annotated[
        bool, typer.Option("--json", help="Print flat JSON instead of one line.")
    ] = False,
    summary: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(
            "--summary",
            metavar="FILE",
            help="Write Markdown there; where $GITHUB_STEP_SUMMARY is set, it is appended there.",
        ),
    ] = None,
    junit: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option("--junit", metavar="FILE", help="Write JUnit XML there."),
    ] = None,
    out: options.Out = None,
    force: options.Force = False,
) -> None:
    """Decide whether a candidate may take the place of a baseline; for pipelines.

    Exits with 0 if the claim was shown, 1 if its opposite was (or that the candidate is worse), 3
    if neither, 2 if the request or the data are wrong.
    """
    from referee.errors import EmptyTable, InputError

    if files[0].suffix == ".toml":
        files = [file for file in files if file != Path()]  # the empty candidate of a script
    if len(files) > 1 and files[0].suffix == ".toml":
        raise InputError(
            f"{files[0]} names its candidate itself",
            remedy=f"leave out {files[1]}",
        )
    check_places(out, force=force)
    page = os.environ.get("GITHUB_STEP_SUMMARY")
    places = (("--summary", summary), ("--junit", junit), ("$GITHUB_STEP_SUMMARY", page))
    for option, place in places:
        _check_file(option, place)
    if len(files) == 1 and files[0].suffix == ".toml":
        result: Gate | GateFamily = _family(files[0], context, undecided)
    else:
        from referee.gating.gate import decide, no_cases
        from referee.gating.question import GateQuestion, margin_of, widest_difference
        from referee.gating.sides.files import ScoreOptions, read_sides

        if len(files) > 3:
            raise InputError(
                f"a gate holds one candidate against one baseline, got {len(files)} files",
                concerning="files",
            )
        question = GateQuestion(
            claim=claim,
            margin=margin_of(margin),
            level=level,
            undecided=undecided or "report",
            scale=float("inf") if truth is None else widest_difference(measure),
        )
        kind: Header = "auto" if header is None else header
        if limits is not None and no_limits:
            raise InputError(
                "--limits and --no-limits contradict each other",
                concerning="limits",
                remedy="leave one out",
            )
        try:
            sides = read_sides(
                files,
                _columns(truth, pred, score, on, groups),
                scores=ScoreOptions(
                    item=item,
                    model=model,
                    score=score[0] if score else None,
                    run=run,
                    cluster=cluster or groups,
                    task="all" if task == ["all"] else task,
                    filter=filter_name,
                    missing=missing,
                    values=scored.values_of(value or []),
                    limits=None if no_limits else (limits or "auto"),
                    greater_is_better=None if greater else False,
                ),
                measure=measure,
                options={"pos_label": pos_label, "costs": cost},
                labels=label or (),
                names=[whole_characters(n) for n in name or ()],
                header=kind,
                note=note,
            )
            result = decide(
                sides,
                question,
                sequential=sequential,
                version=version,
                figures=figures,
                folder=files[0].parent,
            )
        except EmptyTable as problem:
            if sequential is None:
                raise
            result = no_cases(files, question, sequential, version, problem)
    _deliver(result, json=json, summary=summary, junit=junit, out=out, force=force)


def _family(file: Path, context: typer.Context, policy: str | None) -> GateFamily:
    from referee.errors import InputError
    from referee.gating.gates_file import NO_LEDGER, read_gates_file

    for option in context.command.params:
        source = context.get_parameter_source(option.name or "")
        if option.name in _BESIDE_A_FILE or source is None or source.name != "COMMANDLINE":
            continue
        if option.name in ("sequential", "version", "figures"):
            raise InputError(f"{option.opts[0]}: {NO_LEDGER}")
        raise InputError(
            f"{file} says itself what is asked",
            at=str(file),
            remedy=f"leave out {option.opts[0]}",
        )
    return read_gates_file(file, undecided=policy).decide(note=note)


def _columns(
    truth: str | None,
    pred: list[str] | None,
    score: list[str] | None,
    on: str | None,
    groups: str | None,
) -> Any:
    if truth is None:
        return None
    from referee.sources.predictions import PredictionColumns

    return PredictionColumns(truth=truth, pred=pred or (), score=score or (), on=on, groups=groups)


def _deliver(
    result: Gate | GateFamily,
    *,
    json: bool,
    summary: Path | None,
    junit: Path | None,
    out: Path | None,
    force: bool,
) -> None:
    """Write and print what was asked for, and exit with the gate's code."""
    from referee.report import write_result, write_text
    from referee.report.json import json_text
    from referee.report.legible import one_line

    if out is not None:
        write_result(result, out, force=force, document=described(result))
    page = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary is not None or page:
        from referee.gating.summary import to_summary

        text = to_summary(result)
        if summary is not None:
            write_text(summary, text)
        if page:
            _append(page, text)
    if junit is not None:
        from referee.gating.junit import to_junit

        write_text(junit, to_junit(result))
    say(json_text(result.flat()).rstrip() if json else one_line(result.line))
    for finding in result.findings:
        note(str(finding))
    for place in (out, summary, junit):
        if place is not None:
            note(f"wrote {place}")
    raise typer.Exit(result.exit_code)


def _check_file(option: str, place: Path | str | None) -> None:
    """Refuse a file that cannot be written, before a ledger is."""
    from referee.errors import InputError

    if not place:
        return
    folder = Path(place).absolute().parent
    if not folder.is_dir():
        raise InputError(
            f"{option} {place} cannot be written: there is no folder {folder}",
            concerning=option.lstrip("-"),
            at=str(place),
        )
    if Path(place).is_dir() or not os.access(place if os.path.exists(place) else folder, os.W_OK):
        raise InputError(
            f"{option} {place} cannot be written: it is a folder, or protected",
            concerning=option.lstrip("-"),
            at=str(place),
        )


def _append(path: str, text: str) -> None:
    from referee.errors import InputError

    try:
        with open(path, "a", encoding="utf-8") as file:
            file.write(text)
    except OSError as problem:
        raise InputError(
            f"$GITHUB_STEP_SUMMARY ({path}) cannot be written: {problem.strerror}", at=str(path)
        ) from None
