"""referee compare-scores FILE [FILE]: which of two models scores better on the same items?"""

from __future__ import annotations

from referee.cli.scores import scored
from referee.cli.terminal import options
from referee.cli.terminal.output import check_places, deliver

__all__ = ["compare_scores"]


def compare_scores(
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
    significance: scored.ScoreTest = "auto",
    rope: options.Rope = 0.0,
    claim: options.Claim = None,
    dismiss: options.Dismiss = None,
    level: options.Level = 0.95,
    header: options.Header = None,
    json: options.Json = False,
    out: scored.ScoreOut = None,
    force: options.Force = False,
) -> None:
    """Say which of two models scores better, item by item, or that it may be chance.

    Models that share no item are compared as two samples, and the report says so. Exits with 0 if
    a difference (with --rope: equivalence, with --non-inferior: that) was shown, else with 1.
    """
    check_places(out, force=force)
    from referee.comparing.scores.compare_scores import compare_scores as judge

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
    result = judge(
        scores,
        significance=significance,
        rope=rope,
        claim=claim,
        dismiss=tuple(dismiss or ()),
        level=level,
    )
    deliver([result], as_json=json, out=out, force=force)
