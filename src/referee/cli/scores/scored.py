"""Options and reading that the verbs of scores share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

if TYPE_CHECKING:
    from referee.core.scores.scores import Scores

__all__ = [
    "Cluster",
    "Files",
    "Filter",
    "Greater",
    "Human",
    "Item",
    "Limits",
    "Missing",
    "ModelColumn",
    "NoLimits",
    "Only",
    "Run",
    "SameModel",
    "Score",
    "ScoreOut",
    "ScoreTest",
    "Task",
    "Value",
    "Weight",
    "read_scores",
    "values_of",
]

Files = Annotated[
    list[Path],
    typer.Argument(
        help="Tables of scores: a row for each score (columns item, model, score, run, cluster "
        "...), or a row for each item and a column for each model. Several files hold a model "
        "each. Or evaluation logs: Inspect, lm-evaluation-harness, HELM, lighteval, promptfoo, "
        "Every Eval Ever; files or folders."
    ),
]
Item = Annotated[
    Optional[str],  # noqa: UP045 (typer reads it at run time)
    typer.Option(
        "--item",
        metavar="COL",
        help="Column that names the items (default: item). Logs: id, or hash to pair questions by "
        "what they say.",
    ),
]
ModelColumn = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option("--model", metavar="COL", help="Column that names the models (default: model)."),
]
Score = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        "--score",
        metavar="COL",
        help="Column of the scores (default: score). Logs: which score, if there are several.",
    ),
]
Run = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        "--run",
        metavar="COL",
        help="Column (logs: field) that numbers repeated runs (default: run).",
    ),
]
Cluster = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        "--cluster",
        metavar="COL",
        help="Column that says which items belong together. Logs: a field by its dotted path, as "
        "doc.subject; or task, or question.",
    ),
]
Weight = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option("--weight", metavar="COL", help="Column with the weight of each item."),
]
Human = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        "--human",
        metavar="COL",
        help="Column with marks by people, empty where nobody marked; puts a judge right.",
    ),
]
Only = Annotated[
    Optional[list[str]],  # noqa: UP045
    typer.Option("--only", metavar="NAME", help="Take this model only; may be repeated."),
]
Value = Annotated[
    Optional[list[str]],  # noqa: UP045
    typer.Option(
        "--value", metavar="WORD=NUMBER", help="What a word among the scores is worth; repeatable."
    ),
]
Task = Annotated[
    Optional[list[str]],  # noqa: UP045
    typer.Option(
        "--task",
        metavar="NAME",
        help="Logs: this task only, or a pattern as mmlu_*; repeatable; all takes all together.",
    ),
]
Filter = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        "--filter",
        metavar="NAME",
        help="Logs: the filter (lm-evaluation-harness) or perturbation (HELM) that is meant.",
    ),
]
Missing = Annotated[
    str,
    typer.Option(
        "--missing",
        metavar="HOW",
        help="Logs: answers without a score: auto (left out and told), leave-out, worst or refuse.",
    ),
]
SameModel = Annotated[
    str,
    typer.Option(
        "--same-model",
        metavar="HOW",
        help="Logs: two logs of one model on one task are kept apart, or are runs.",
    ),
]
Limits = Annotated[
    Optional[tuple[float, float]],  # noqa: UP045
    typer.Option(
        "--limits",
        metavar="LOW HIGH",
        help="The lowest and highest score there can be; 0 and 1 where all scores lie there.",
    ),
]
NoLimits = Annotated[
    bool, typer.Option("--no-limits", help="Scores have no limits, even if all lie within 0 and 1.")
]
Greater = Annotated[
    bool,
    typer.Option(
        "--greater-is-better/--smaller-is-better", help="Whether a large score is a good one."
    ),
]
ScoreTest = Annotated[
    str,
    typer.Option("--significance", metavar="TEST", help="Test of two models: {score_tests}."),
]
ScoreOut = Annotated[
    Optional[Path],  # noqa: UP045
    typer.Option(
        "--out", metavar="DIR", help="Write report.html, results.json and figures/ there."
    ),
]


def read_scores(
    files: list[Path],
    *,
    item: str | None,
    model: str | None,
    score: str | None,
    run: str | None,
    cluster: str | None,
    weight: str | None,
    human: str | None = None,
    only: list[str] | None = None,
    value: list[str] | None,
    limits: tuple[float, float] | None,
    no_limits: bool,
    greater: bool,
    header: bool | None,
    task: list[str] | None = None,
    filter_name: str | None = None,
    missing: str = "auto",
    same_model: str = "apart",
) -> Scores:
    """Read the files named on the command line as scores."""
    from referee.errors import InputError
    from referee.sources.logs.score_source import read_scores_source

    if limits is not None and no_limits:
        raise InputError(
            "--limits and --no-limits contradict each other",
            concerning="limits",
            remedy="leave one out",
        )
    scores = read_scores_source(
        list(files),
        task="all" if task == ["all"] else task,
        filter=filter_name,
        missing=missing,
        same_model=same_model,
        item=item,
        model=model,
        score=score,
        run=run,
        cluster=cluster,
        weight=weight,
        human=human,
        values=values_of(value or []),
        limits=None if no_limits else (limits or "auto"),
        # Logs know their direction; only the other one is worth saying.
        greater_is_better=None if greater else False,
        header="auto" if header is None else header,
    )
    return scores if not only else scores.select(only)


def values_of(entries: list[str]) -> dict[Any, float]:
    """Return what words among the scores are worth, as written on the command line."""
    from referee.errors import InputError

    values: dict[Any, float] = {}
    for entry in entries:
        word, sign, number = entry.rpartition("=")
        try:
            values[word] = float(number)
        except ValueError:
            sign = ""
        if not sign or not word:
            raise InputError(
                f"--value must look like WORD=NUMBER, as C=1; got {entry!r}",
                concerning="value",
            )
    return values
