"""referee baseline save FILE: keep a model's answers as the baseline of later gates."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from referee.cli.scores import scored
from referee.cli.terminal import options
from referee.cli.terminal.catalogued import CataloguedCommand
from referee.cli.terminal.screen import note, say, whole_characters

if TYPE_CHECKING:
    from referee.sources.tables import Header

__all__ = ["baseline"]

baseline = typer.Typer(
    help="Keep a model's answers in the repository, for referee gate.", no_args_is_help=True
)


@baseline.command(cls=CataloguedCommand)
def save(
    file: Annotated[Path, typer.Argument(help="Predictions (with --truth), scores or a log.")],
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="The baseline, as baseline.json.")
    ],
    truth: Annotated[
        Optional[str],  # noqa: UP045 (typer reads it at run time)
        typer.Option(
            "--truth", metavar="COL", help="Column with the right answers; without it: scores."
        ),
    ] = None,
    pred: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--pred", metavar="COL", help="Column with the predicted classes."),
    ] = None,
    on: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--on", metavar="COL", help="Column with the ids of the cases."),
    ] = None,
    score: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--score", metavar="COL", help="Column with scores."),
    ] = None,
    name: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--name", help="How to call the model; else by the file."),
    ] = None,
    item: scored.Item = None,
    model: scored.ModelColumn = None,
    run: scored.Run = None,
    cluster: scored.Cluster = None,
    task: scored.Task = None,
    limits: scored.Limits = None,
    greater: scored.Greater = True,
    header: options.Header = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that exists.")] = False,
) -> None:
    """Keep a model's answers as a small text file with fingerprints.

    Later gates refuse it where the cases, or the right answers, are not those it was saved from.
    """
    from referee.errors import InputError
    from referee.gating.sides.files import ScoreOptions
    from referee.gating.sides.saving import predictions_baseline, scores_baseline

    if out.exists() and not force:
        raise InputError(
            f"{out} exists already",
            concerning="force",
            remedy="name another file, or pass --force",
        )
    called = None if name is None else whole_characters(name)
    kind: Header = "auto" if header is None else header
    if truth is not None:
        kept = predictions_baseline(
            file, truth=truth, pred=pred, on=on, score=score, name=called, header=kind, note=note
        )
    else:
        scores = ScoreOptions(
            item=item,
            model=model,
            score=score,
            run=run,
            cluster=cluster,
            task="all" if task == ["all"] else task,
            limits=limits or "auto",
            greater_is_better=None if greater else False,
        )
        kept = scores_baseline(file, scores, name=called, header=kind)
    kept.write(out)
    say(f"{out}: {kept.name}, {kept.n} rows of {kept.kind}, cases {kept.cases}")
