"""The formats of evaluation logs, and reading whichever a file turns out to be."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from referee.core.method import Catalogue, Method, load_offers
from referee.errors import LogError, nearest
from referee.sources.logs.every_eval_ever import claims_every_eval_ever, read_every_eval_ever
from referee.sources.logs.helm import claims_helm, read_helm
from referee.sources.logs.inspect import claims_inspect, read_inspect
from referee.sources.logs.lighteval import claims_lighteval, read_lighteval
from referee.sources.logs.lm_eval import claims_lm_eval, read_lm_eval
from referee.sources.logs.log import Log
from referee.sources.logs.opening import Opened, open_log
from referee.sources.logs.promptfoo import claims_promptfoo, read_promptfoo
from referee.sources.logs.wanted import Wanted

__all__ = [
    "FORMATS",
    "LogFormat",
    "expanded",
    "foreign",
    "format_of",
    "read_logs",
    "read_opened",
    "wanted_of",
]


@dataclass(frozen=True)
class LogFormat(Method):
    """A format of logs: how its files are recognised and read.

    Attributes
    ----------
    claims : callable
        From an opened file to whether it is of this format.
    read : callable
        From an opened file and what is wanted of it to logs.
    files : tuple of str
        Patterns of the files to read in a folder that holds such logs.
    has_runs, has_filters : bool
        Whether the format itself tells runs apart, and has filters to choose from.
    by_label : bool
        Whether models go by the label that their user gave them, where there is one.
    texts : mapping of str to str
        Where the question, the reference answer and the model's answer stand, as dotted paths.
    """

    listed_in: ClassVar[str] = "referee.sources.logs.catalogue:FORMATS"

    claims: Callable[[Opened], bool] = lambda opened: False
    read: Callable[[Opened, Wanted], list[Log]] = lambda opened, wanted: []
    files: tuple[str, ...] = ()
    has_runs: bool = False
    has_filters: bool = False
    by_label: bool = False
    texts: Mapping[str, str] = field(default_factory=dict)


def _texts(question: str, reference: str, answer: str) -> dict[str, str]:
    return {"question": question, "reference": reference, "answer": answer}


FORMATS: Catalogue[LogFormat] = Catalogue(
    LogFormat,
    "log format",
    "format",
    (
        LogFormat(
            "inspect",
            title="Inspect (.eval, or JSON of version 1 or 2)",
            claims=claims_inspect,
            has_runs=True,
            read=read_inspect,
            files=("*.eval",),
            texts=_texts("input", "target", "output.completion"),
        ),
        LogFormat(
            "lm-eval",
            title="lm-evaluation-harness (samples_*.jsonl, results_*.json)",
            claims=claims_lm_eval,
            has_filters=True,
            read=read_lm_eval,
            files=("samples_*.jsonl",),
            texts=_texts("arguments.gen_args_0.arg_0", "target", "filtered_resps.0"),
        ),
        LogFormat(
            "helm",
            title="HELM (per_instance_stats.json)",
            claims=claims_helm,
            has_filters=True,
            has_runs=True,
            read=read_helm,
            files=("per_instance_stats.json",),
            texts=_texts(
                "instance.input.text",
                "instance.references.0.output.text",
                "result.completions.0.text",
            ),
        ),
        LogFormat(
            "lighteval",
            title="lighteval (details_*.parquet, results_*.json)",
            claims=claims_lighteval,
            read=read_lighteval,
            files=("details_*.parquet",),
            texts=_texts("doc.query", "doc.choices", "model_response.text"),
        ),
        LogFormat(
            "promptfoo",
            title="promptfoo (JSON of version 3)",
            claims=claims_promptfoo,
            has_runs=True,
            by_label=True,
            read=read_promptfoo,
            texts=_texts("prompt.raw", "testCase.assert.0.value", "response.output"),
        ),
        LogFormat(
            "every-eval-ever",
            title="Every Eval Ever (*_samples.jsonl, up to schema 0.3)",
            claims=claims_every_eval_ever,
            read=read_every_eval_ever,
            files=("*_samples.jsonl",),
            texts=_texts("input.raw", "input.reference", "output.raw"),
        ),
    ),
)
"""Name -> format of logs."""


def read_logs(
    sources: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    task: str | Sequence[str] | None = None,
    score: str | None = None,
    filter: str | None = None,  # noqa: A002 - the word lm-evaluation-harness uses
    fields: Sequence[str] = (),
    run: str | None = None,
    values: Mapping[str, float] | None = None,
) -> tuple[Log, ...]:
    """Read evaluation logs, each by the format it turns out to have.

    Parameters
    ----------
    sources : path, pattern, or several
        Files, folders that hold logs, or patterns such as ``logs/*.eval``.
    task : str or sequence of str, optional
        Tasks to read, or patterns such as ``mmlu_*``; all of them by default.
    score, filter : str, optional
        Which score, and which filter (lm-evaluation-harness) or perturbation (HELM); needed where
        a log has several.
    fields : sequence of str
        Further fields to read, by dotted paths such as ``doc.subject``.
    run : str, optional
        The field that tells runs apart, for formats without one.
    values : dict, optional
        What words among the scores are worth, such as ``{"maybe": 0.5}``.

    Returns
    -------
    tuple of Log
        One for each model and task, in the order of the files.
    """
    wanted = wanted_of(task, score, filter, fields, run, values)
    return read_opened([_recognised(path) for path in expanded(sources)], wanted)


def read_opened(files: Sequence[tuple[Opened, LogFormat]], wanted: Wanted) -> tuple[Log, ...]:
    """Read files that were opened and whose formats are known."""
    for opened, entry in files:
        _refuse_beside_the_point(opened, entry, wanted)
    logs = [log for opened, entry in files for log in entry.read(opened, wanted)]
    if not logs:
        asked = ", ".join(repr(name) for name in wanted.task)
        others = f" and {len(files) - 1} more" if len(files) > 1 else ""
        raise LogError(
            f"{files[0][0].path}{others}: there is no task {asked}",
            at=str(files[0][0].path),
            remedy=nearest(wanted.task[0], wanted.seen),
        )
    return tuple(logs)


def _refuse_beside_the_point(opened: Opened, entry: LogFormat, wanted: Wanted) -> None:
    if wanted.run is not None and entry.has_runs:
        raise LogError(
            f"run={wanted.run!r} is for logs that do not tell runs apart, and {opened.path} does",
            remedy="leave it out",
        )
    if wanted.filter is not None and not entry.has_filters:
        having = " and ".join(e.title.split(" (")[0] for e in FORMATS.values() if e.has_filters)
        raise LogError(
            f"filter={wanted.filter!r} goes with logs of {having}, and {opened.path} is none",
            remedy="leave it out",
        )


def _recognised(path: str) -> tuple[Opened, LogFormat]:
    opened = open_log(path)
    entry = format_of(opened) if opened is not None else None
    if opened is None or entry is None:
        raise LogError(foreign(path))
    return opened, entry


def foreign(path: str) -> str:
    """Say that a file is in no format there is, and which there are."""
    known = "; ".join(entry.title for entry in FORMATS.values())
    return (
        f"{path} is no evaluation log that referee knows ({known}); write its scores as a table "
        "with columns item, model and score"
    )


def format_of(opened: Opened) -> LogFormat | None:
    """Return the format that claims a file, or None."""
    return next((entry for entry in FORMATS.values() if entry.claims(opened)), None)


def expanded(sources: Any) -> list[str]:
    """Return the files that paths, folders and patterns name, each once.

    Examples
    --------
    >>> expanded("no-such-folder/*.eval")
    Traceback (most recent call last):
    ...
    referee.errors.LogError: no-such-folder/*.eval: no file has such a name; check the pattern and
    the folder
    """
    single = isinstance(sources, (str, os.PathLike))
    names = [os.fspath(source) for source in ([sources] if single else sources)]
    paths: dict[str, None] = {}
    for name in names:
        paths |= dict.fromkeys(_files(name))
    return list(paths)


def _files(name: str) -> list[str]:
    if Path(name).is_dir():
        return _inside(name)
    if Path(name).exists() or not glob.has_magic(name):
        return [name]
    paths = sorted(glob.glob(name, recursive=True))
    if not paths:
        raise LogError(
            f"{name}: no file has such a name",
            remedy="check the pattern and the folder",
        )
    return [
        path for entry in paths for path in (_inside(entry) if Path(entry).is_dir() else [entry])
    ]


def _inside(folder: str) -> list[str]:
    """Return the logs in a folder: the files of the first format that has any there."""
    for entry in FORMATS.values():
        for pattern in entry.files:
            paths = sorted(str(path) for path in Path(folder).glob(pattern))
            if paths:
                return paths
    looked = ", ".join(pattern for entry in FORMATS.values() for pattern in entry.files)
    raise LogError(
        f"{folder} is a folder without logs (looked for {looked})",
        at=str(folder),
        remedy="name the files, or the folder that holds them",
    )


def wanted_of(
    task: str | Sequence[str] | None,
    score: str | None,
    filter: str | None,  # noqa: A002
    fields: Sequence[str],
    run: str | None,
    values: Mapping[str, float] | None,
) -> Wanted:
    """Return what is wanted, from the arguments of `read_logs`."""
    return Wanted(
        task=_tasks(task),
        score=score,
        filter=filter,
        fields=tuple(fields),
        run=run,
        values=dict(values or {}),
    )


def _tasks(task: str | Sequence[str] | None) -> tuple[str, ...]:
    if task is None or task == "all":
        return ()
    return (task,) if isinstance(task, str) else tuple(task)


load_offers(FORMATS)
