"""referee evaluate-scores FILE: how well does a model score, from one number per item?"""

from __future__ import annotations

from typing import Annotated, Optional

import typer

from referee.cli.scores import scored
from referee.cli.terminal import options
from referee.cli.terminal.output import check_places, deliver

__all__ = ["evaluate_scores"]


def evaluate_scores(
    files: scored.Files,
    item: scored.Item = None,
    model: scored.ModelColumn = None,
    score: scored.Score = None,
    run: scored.Run = None,
    cluster: scored.Cluster = None,
    weight: scored.Weight = None,
    human: scored.Human = None,
    task: scored.Task = None,
    filter_name: scored.Filter = None,
    missing: scored.Missing = "auto",
    same_model: scored.SameModel = "apart",
    only: scored.Only = None,
    value: scored.Value = None,
    limits: scored.Limits = None,
    no_limits: scored.NoLimits = False,
    greater: scored.Greater = True,
    interval: Annotated[
        str,
        typer.Option(
            "--interval",
            metavar="NAME",
            help="Interval of the mean score: {mean_intervals}.",
        ),
    ] = "auto",
    k: Annotated[
        Optional[list[int]],  # noqa: UP045 (typer reads it at run time)
        typer.Option("--k", help="pass@k and pass^k for this k; may be repeated."),
    ] = None,
    at_least: Annotated[
        Optional[float],  # noqa: UP045
        typer.Option("--at-least", metavar="SCORE", help="Claim: the mean is at least this."),
    ] = None,
    at_most: Annotated[
        Optional[float],  # noqa: UP045
        typer.Option("--at-most", metavar="SCORE", help="Claim: the mean is at most this."),
    ] = None,
    dismiss: options.Dismiss = None,
    level: options.Level = 0.95,
    header: options.Header = None,
    json: options.Json = False,
    out: scored.ScoreOut = None,
    force: options.Force = False,
) -> None:
    """Measure how well models score, one answer after the other; nothing is fitted.

    Exits with 0; with --at-least or --at-most with 0 if the claim was shown, else with 1.
    """
    check_places(out, force=force)
    from referee.judging.scores.claim import Claim
    from referee.judging.scores.evaluate_scores import evaluation_of

    scores = scored.read_scores(
        files,
        item=item,
        model=model,
        score=score,
        run=run,
        cluster=cluster,
        weight=weight,
        human=human,
        only=only,
        value=value,
        limits=limits,
        no_limits=no_limits,
        greater=greater,
        header=header,
        task=task,
        filter_name=filter_name,
        missing=missing,
        same_model=same_model,
    )
    claim = Claim.of(at_least, at_most)
    results = [
        evaluation_of(
            scores.select([name]),
            claim=claim,
            interval=interval,
            k=k or None,
            level=level,
            dismiss=tuple(dismiss or ()),
        )
        for name in scores.models
    ]
    deliver(results, as_json=json, out=out, force=force, claim=claim.bound is not None)
