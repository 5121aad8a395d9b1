"""referee board FILE: many models on the same items, in tiers and with honest ranks."""

from __future__ import annotations

from referee.cli.scores import scored
from referee.cli.terminal import options
from referee.cli.terminal.output import check_places, deliver

__all__ = ["board"]


def board(
    files: scored.Files,
    item: scored.Item = None,
    model: scored.ModelColumn = None,
    score: scored.Score = None,
    run: scored.Run = None,
    cluster: scored.Cluster = None,
    weight: scored.Weight = None,
    task: scored.Task = None,
    filter_name: scored.Filter = None,
    missing: scored.Missing = "auto",
    same_model: scored.SameModel = "apart",
    only: scored.Only = None,
    value: scored.Value = None,
    limits: scored.Limits = None,
    no_limits: scored.NoLimits = False,
    greater: scored.Greater = True,
    significance: scored.ScoreTest = "auto",
    adjust: options.Adjust = options.ADJUST,
    dismiss: options.Dismiss = None,
    level: options.Level = 0.95,
    header: options.Header = None,
    json: options.Json = False,
    out: scored.ScoreOut = None,
    force: options.Force = False,
) -> None:
    """Rank models in tiers, with the ranks that the comparison of all pairs leaves open.

    Exits with 0 if one model was shown to be better than all others, with 1 if not.
    """
    check_places(out, force=force)
    from referee.comparing.scores.board import board as judge

    scores = scored.read_scores(
        files,
        item=item,
        model=model,
        score=score,
        run=run,
        cluster=cluster,
        weight=weight,
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
    result = judge(
        scores, significance=significance, adjust=adjust, dismiss=tuple(dismiss or ()), level=level
    )
    deliver([result], as_json=json, out=out, force=force)
