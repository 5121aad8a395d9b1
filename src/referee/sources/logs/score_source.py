"""From evaluation logs, or from a plain table, to Scores."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from referee.core.arrays import Anything, Flags
from referee.core.scores.score_columns import Roles
from referee.core.scores.score_table import scores_of
from referee.core.scores.scores import Scores
from referee.errors import InputError, LogError, arg
from referee.sources.logs.catalogue import (
    LogFormat,
    expanded,
    foreign,
    format_of,
    read_opened,
    wanted_of,
)
from referee.sources.logs.labels import labelled
from referee.sources.logs.log import NOT_A_NUMBER, Log, column
from referee.sources.logs.opening import Kind, Opened, open_log
from referee.sources.logs.wanted import Wanted

__all__ = ["read_scores_source"]

_OWN = ("task", "question")
"""Clusters that logs have without being asked: the task, and what the question says."""


def read_scores_source(
    sources: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    task: str | Sequence[str] | None = None,
    score: str | None = None,
    filter: str | None = None,  # noqa: A002 - the word lm-evaluation-harness uses
    item: str | None = None,
    model: str | None = None,
    run: str | None = None,
    cluster: str | None = None,
    weight: str | None = None,
    human: str | None = None,
    models: Sequence[str] | None = None,
    values: Mapping[str, float] | None = None,
    missing: str = "auto",
    same_model: str = "apart",
    greater_is_better: bool | None = None,
    limits: Any = "auto",
    name: str | None = None,
    header: Any = "auto",
) -> Scores:
    """Read scores from evaluation logs or from tables, whichever the files are.

    Parameters
    ----------
    sources : path, pattern, or several
        Logs in any format of `FORMATS`, folders that hold them, patterns such as ``logs/*.eval``,
        or tables (CSV, Parquet, JSON lines ...).
    task : str or sequence of str, optional
        Logs: the tasks to read, or patterns such as ``mmlu_*``; "all" takes every task together.
        Needed where there are several.
    score : str, optional
        Logs: which score, where there are several; ``acc|exact_match`` is the first of these that
        each log has, where tasks have scores of their own. Tables: the column.
    filter : str, optional
        Logs: the filter (lm-evaluation-harness) or perturbation (HELM).
    item : str, optional
        Logs: "id" (the default) pairs questions by their names, "hash" by what they say. Tables:
        the column.
    model, run : str, optional
        Tables: the columns. Logs: `run` is the field that tells runs apart, for formats that have
        none of their own; models are named in the logs.
    cluster, weight, human : str, optional
        Logs: dotted paths of fields, such as ``doc.subject``; ``cluster="task"`` makes each task a
        cluster, ``cluster="question"`` each set of questions that say the same. Tables: the
        columns.
    models : sequence of str, optional
        Which models to keep, in this order.
    values : mapping, optional
        What words among the scores are worth.
    missing : "auto", "leave-out", "worst" or "refuse"
        Logs: what becomes of answers without a score. "auto" leaves out those that failed, were
        cancelled or could not be marked, and a finding says so; it refuses a score of NaN.
    same_model : "apart" or "runs"
        Logs: whether two logs of one model on one task are two models or repeated runs.
    greater_is_better : bool, optional
        The direction; by default what the logs say, else True.
    limits : pair of float, "auto" or None
        As in `Scores.of`; "auto" takes what the logs say first.
    name : str, optional
        What the scores are called; by default what the logs or the column call them.
    header : bool or "auto"
        Whether the first line of a text table names the columns.

    Returns
    -------
    Scores
        With the logs they come from in `Scores.logs`; `referee.checks.scores` looks at those, too.
    """
    files = _opened(expanded(sources))
    if files:
        if model is not None:
            raise InputError(
                f"model={model!r} names a column of a table; logs say whose answers they hold, so "
                "leave it out",
                concerning="model",
            )
        scores = _log_scores(
            files,
            wanted_of(task, score, filter, _fields(cluster, weight, human), run, values),
            item=item or "id",
            roles={"cluster": cluster, "weight": weight, "human": human},
            pooled=task is not None,
            missing=missing,
            same_model=same_model,
            greater_is_better=greater_is_better,
            limits=limits,
            name=name,
        )
        return scores if models is None else scores.select(list(models))
    paths = expanded(sources)
    of_logs = {
        "task": (task, None),
        "filter": (filter, None),
        "missing": (missing, "auto"),
        "same_model": (same_model, "apart"),
    }
    for option, (asked, default) in of_logs.items():
        if asked != default:
            raise InputError(
                f"{arg(option)} goes with evaluation logs, and {paths[0]} is a table; leave it out"
                + _in_a_table(option),
                concerning=option,
            )
    from referee.sources.scores import tabled_scores

    return tabled_scores(
        paths,
        models=models,
        values=values,
        greater_is_better=True if greater_is_better is None else greater_is_better,
        limits=limits,
        name=name,
        header=header,
        item=item,
        model=model,
        score=score,
        run=run,
        cluster=cluster,
        weight=weight,
        human=human,
    )


def _in_a_table(option: str) -> str:
    """Return what does in a table what an option does with logs."""
    if option == "missing":
        return ", and mark answers without a score in the table, or leave out their rows"
    if option == "same_model":
        return f", and number repeated answers in a column named by {arg('run')}"
    return ""


def _opened(paths: Sequence[str]) -> list[tuple[Opened, LogFormat]]:
    """Return the logs among files; empty where all are tables, and a mixture is refused."""
    known = {path: open_log(path) for path in paths}
    logs = []
    for path, opened in known.items():
        entry = format_of(opened) if opened is not None else None
        if opened is not None and entry is not None:
            logs.append((opened, entry))
        elif opened is not None and opened.kind in (Kind.JSON, Kind.ZIP):
            raise LogError(foreign(path))
    if logs and len(logs) < len(known):
        names = {opened.path for opened, _ in logs}
        table = next(path for path in paths if path not in names)
        raise InputError(
            f"{logs[0][0].path} is an evaluation log and {table} is none",
            at=str(logs[0][0].path),
            remedy="give logs only, or tables only",
        )
    return logs


def _fields(*paths: str | None) -> list[str]:
    return list(dict.fromkeys(p for p in paths if p is not None and p not in _OWN))


def _log_scores(
    files: Sequence[tuple[Opened, LogFormat]],
    wanted: Wanted,
    *,
    item: str,
    roles: Mapping[str, str | None],
    pooled: bool,
    missing: str,
    same_model: str,
    greater_is_better: bool | None,
    limits: Any,
    name: str | None,
) -> Scores:
    if item not in ("id", "hash"):
        raise InputError(
            f"item must be 'id' or 'hash' where files are logs, got {item!r}", concerning="item"
        )
    logs = labelled(read_opened(files, wanted), same_model)
    if not pooled:
        _refuse_several_tasks(logs)
    if item == "id":
        _refuse_other_questions(logs)
    low_high = _limits(logs, limits)
    better = _direction(logs, greater_is_better)
    rows = [_kept(log, missing, low_high, better) for log in logs]
    columns = _columns(logs, rows, item, roles)
    ends = np.cumsum([int(kept.sum()) for kept, _ in rows])

    def place(row: int) -> str:
        which = int(np.searchsorted(ends, row, side="right"))
        before = int(ends[which - 1]) if which else 0
        return logs[which].place(int(np.flatnonzero(rows[which][0])[row - before]))

    metrics = list(dict.fromkeys(log.metric for log in logs))
    scores = scores_of(
        columns,
        Roles(),
        greater_is_better=better,
        limits=low_high,
        name=name or (metrics[0] if len(metrics) == 1 else "score"),
        place=place,
    )
    return replace(scores, logs=logs)


def _refuse_several_tasks(logs: Sequence[Log]) -> None:
    tasks = list(dict.fromkeys(log.task for log in logs))
    if len(tasks) > 1:
        listed = ", ".join(repr(name) for name in tasks[:12])
        more = f" and {len(tasks) - 12} more" if len(tasks) > 12 else ""
        raise LogError(
            f"there are several tasks: {listed}{more}",
            concerning="task",
            remedy=f"choose one with {arg('task')}, or take all of them together with task='all'",
        )


def _refuse_other_questions(logs: Sequence[Log]) -> None:
    """Refuse to pair questions that have one name and say different things."""
    known: dict[tuple[str, str, str], tuple[str, Log]] = {}
    for log in logs:
        if log.item_hash is None:
            continue
        for name, question in zip(log.item.tolist(), log.item_hash.tolist(), strict=True):
            if question is None:
                continue
            first, other = known.setdefault((log.format, log.task, name), (question, log))
            if first != question:
                raise LogError(
                    f"{log.unit} {name!r} of task {log.task!r} is one question in {other.path} and "
                    f"another in {log.path}, so answers cannot be paired by name",
                    remedy="pair them by what the questions say with item='hash', or read logs "
                    "of the same version of the task",
                )


def _limits(logs: Sequence[Log], limits: Any) -> Any:
    said = {log.limits for log in logs}
    if isinstance(limits, str) and limits == "auto" and len(said) == 1:
        return next(iter(said)) or "auto"
    return limits


def _direction(logs: Sequence[Log], asked: bool | None) -> bool:
    if asked is not None:
        return bool(asked)
    said = {log.higher_is_better for log in logs} - {None}
    if len(said) > 1:
        up = next(log for log in logs if log.higher_is_better)
        down = next(log for log in logs if log.higher_is_better is False)
        raise LogError(
            f"a high {up.metric} is good in {up.path} and a high {down.metric} is bad in "
            f"{down.path}",
            concerning="score",
            remedy=f"choose scores of one direction with {arg('score')}, or other tasks",
        )
    return said != {False}


def _kept(log: Log, missing: str, limits: Any, better: bool) -> tuple[Flags, Anything]:
    """Return which rows of a log count, and their scores."""
    if missing not in ("auto", "leave-out", "worst", "refuse"):
        raise InputError(
            f"missing must be 'auto', 'leave-out', 'worst' or 'refuse', got {missing!r}",
            concerning="missing",
        )
    gone = ~log.scored
    nan = gone & (log.problem == NOT_A_NUMBER)
    refused = gone if missing == "refuse" else nan if missing == "auto" else np.zeros_like(gone)
    if refused.any():
        row = int(np.flatnonzero(refused)[0])
        more = f" (and {int(refused.sum()) - 1} more)" if refused.sum() > 1 else ""
        raise LogError(
            f"{log.place(row)}, score {log.metric!r}: {log.problem[row]}{more}",
            concerning="missing",
            at=log.place(row),
            remedy=f"count such answers as the worst score with {arg('missing', 'worst')}, or "
            f"leave them out with {arg('missing', 'leave-out')}",
        )
    if missing == "worst" and gone.any():
        return np.ones(log.n, dtype=bool), np.where(gone, _worst(log, limits, better), log.score)
    if gone.all():
        raise LogError(
            f"{log.path}: no {log.unit} has a score ({log.problem[0]})",
            at=str(log.path),
            remedy="run the evaluation again",
        )
    return ~gone, log.score[~gone]


def _worst(log: Log, limits: Any, better: bool) -> float:
    if isinstance(limits, (tuple, list)):
        return float(limits[0] if better else limits[1])
    there = log.score[log.scored]
    if limits == "auto" and there.size and there.min() >= 0 and there.max() <= 1:
        return 0.0 if better else 1.0
    raise InputError(
        f"{arg('missing', 'worst')} needs the worst score there is, and {log.path} does not say it",
        concerning="missing",
        remedy="give the limits with limits=(lowest, highest)",
    )


def _columns(
    logs: Sequence[Log],
    rows: Sequence[tuple[Flags, Anything]],
    item: str,
    roles: Mapping[str, str | None],
) -> dict[str, Anything]:
    several = len({log.task for log in logs}) > 1
    parts: dict[str, list[Anything]] = {"item": [], "model": [], "run": [], "score": []}
    for log, (kept, scores) in zip(logs, rows, strict=True):
        names = log.item if item == "id" else _by_question(log)
        if several:
            names = column([f"{log.task}/{name}" for name in names.tolist()])
        parts["item"].append(names[kept])
        parts["model"].append(column([log.name] * int(kept.sum())))
        parts["run"].append(log.run[kept])
        parts["score"].append(scores)
    for role, path in roles.items():
        if path is not None:
            known = _by_item(logs, role, path)
            parts[role] = [
                _field(log, path, role, known)[kept]
                for log, (kept, _) in zip(logs, rows, strict=True)
            ]
    columns = {name: np.concatenate(values) for name, values in parts.items()}
    if not any(log.repeated or log.run[0] != 1 for log in logs):
        del columns["run"]
    return columns


def _by_question(log: Log) -> Anything:
    """Return names by what questions say; a question asked twice is two items."""
    if log.item_hash is None or any(value is None for value in log.item_hash.tolist()):
        raise LogError(
            f"{log.path} has no hash of every question, so they cannot be told by what they say",
            at=str(log.path),
            remedy="leave out item='hash' or cluster='question'",
        )
    copies: dict[tuple[str, int], int] = {}
    names = []
    for question, run in zip(log.item_hash.tolist(), log.run.tolist(), strict=True):
        number = copies[question, run] = copies.get((question, run), 0) + 1
        names.append(question if number == 1 else f"{question}#{number}")
    return column(names)


def _by_item(logs: Sequence[Log], role: str, path: str) -> dict[tuple[str, str], str]:
    """Return a question's cluster or weight from wherever it is known: unasked ones lack it."""
    if role == "human" or path in _OWN:
        return {}
    known: dict[tuple[str, str], str] = {}
    for log in logs:
        for name, value in zip(log.item.tolist(), log.fields[path].tolist(), strict=True):
            if value is not None:
                known.setdefault((log.task, name), value)
    return known


def _field(log: Log, path: str, role: str, known: Mapping[tuple[str, str], str]) -> Anything:
    if path == "task":
        return column([log.task] * log.n)
    if path == "question":
        return column([name.split("#")[0] for name in _by_question(log).tolist()])
    given = log.fields[path].tolist()
    filled = [
        known.get((log.task, name)) if value is None else value
        for name, value in zip(log.item.tolist(), given, strict=True)
    ]
    if role == "cluster":
        return column(filled)
    return np.array(
        [_number(value, log, row, path) for row, value in enumerate(filled)], dtype=np.float64
    )


def _number(value: str | None, log: Log, row: int, path: str) -> float:
    if value is None:
        return np.nan
    try:
        return float({"true": "1", "false": "0"}.get(value, value))
    except ValueError:
        raise LogError(
            f"{log.place(row)}, field {path!r}: {value!r} is not a number",
            at=log.place(row),
            remedy="name another field",
        ) from None
