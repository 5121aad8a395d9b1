"""Logs of lm-evaluation-harness: ``samples_*.jsonl`` beside ``results_*.json``.

A samples file has one line for each document *and filter*, so a document stands in it as often as
the task has filters. Documents are told apart by ``doc_id``; ``doc_hash`` shows whether two runs
were asked the same. What the scores mean (direction, few-shot examples, repeats, the model) stands
in the results file of the same date.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from referee.core.arrays import Anything, Codes
from referee.errors import LogError
from referee.sources.logs.fields import MISSING, as_text, look_up, no_field, run_numbers
from referee.sources.logs.log import NOT_A_NUMBER, Log
from referee.sources.logs.marks import mark
from referee.sources.logs.opening import Kind, Opened, json_lines, load_json
from referee.sources.logs.wanted import Wanted, first_of

__all__ = ["claims_lm_eval", "read_lm_eval"]

_DATE = r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?"
_SAMPLES = re.compile(rf"samples_(?P<task>.+)_(?P<date>{_DATE})\.jsonl(?:\.gz)?$")
_RESULTS = re.compile(rf"_(?P<date>{_DATE})\.json$")
_HOMES = ("doc",)
_NO_METRIC = "the document has no value of this metric"
_FIXED = frozenset(
    [
        "doc_id",
        "doc",
        "target",
        "arguments",
        "resps",
        "filtered_resps",
        "filter",
        "metrics",
        "doc_hash",
        "prompt_hash",
        "target_hash",
    ]
)


def claims_lm_eval(opened: Opened) -> bool:
    """Return whether a file was written by lm-evaluation-harness."""
    if opened.kind is Kind.LINES:
        return opened.has("doc_id", "doc") and opened.has("resps")
    return opened.kind is Kind.JSON and opened.has("results", "configs", "versions")


def read_lm_eval(opened: Opened, wanted: Wanted) -> list[Log]:
    """Read a samples file, or all the samples files that belong to a results file."""
    if opened.kind is Kind.LINES:
        name = _SAMPLES.match(Path(opened.path).name)
        task = name["task"] if name else Path(opened.path).name.split(".")[0]
        if not wanted.takes(task):
            return []
        return [_log(opened.path, opened.content, task, _results_of(opened.path, name), wanted)]
    return _samples_of(opened, wanted)


@dataclass(frozen=True)
class _Results:
    """What a results file says; empty where there is none."""

    content: Mapping[str, Any] = field(default_factory=dict)

    def of(self, part: str, task: str) -> Any:
        """Return what a part of the file says of a task, or None."""
        return (self.content.get(part) or {}).get(task)

    @property
    def model(self) -> str | None:
        name = self.content.get("model_name")
        return str(name) if name else None

    def higher_is_better(self, task: str, metric: str) -> bool | None:
        direction = (self.of("higher_is_better", task) or {}).get(metric)
        return direction if isinstance(direction, bool) else None

    def settings(self, task: str) -> dict[str, str]:
        config = self.of("configs", task) or {}
        said = {
            "few-shot examples": self.of("n-shot", task),
            "system prompt": self.content.get("system_instruction_sha"),
            "chat template": self.content.get("chat_template_sha"),
            "prompt template": config.get("doc_to_text"),
            "generation": config.get("generation_kwargs"),
            "task version": self.of("versions", task),
        }
        return {name: as_text(value) or "none" for name, value in said.items()}

    def reduced(self, task: str, filter_name: str) -> str:
        repeats = (self.of("configs", task) or {}).get("repeats") or 1
        if not isinstance(repeats, int) or repeats <= 1:
            return ""
        return f"{repeats} answers to each document became one by filter {filter_name!r}"

    def notes(self, task: str, metric: str) -> tuple[str, ...]:
        notes = []
        metrics = (self.of("configs", task) or {}).get("metric_list") or []
        way = next((m.get("aggregation") for m in metrics if m.get("metric") == metric), "mean")
        if isinstance(way, str) and way != "mean":
            notes.append(f"the harness sums {metric} up by {way}, not by the mean")
        count = self.of("n-samples", task) or {}
        if count.get("effective", 0) < count.get("original", 0):
            notes.append(
                f"{count['effective']} of the {count['original']} documents of {task} were asked"
            )
        return tuple(notes)

    def refuse_short(self, path: str, task: str, n: int) -> None:
        count = (self.of("n-samples", task) or {}).get("effective")
        if isinstance(count, int) and n < count:
            raise LogError(
                f"{path} has {n} documents, but its results file counts {count}; the file is "
                "cut short, so copy it again or run the evaluation again",
                at=str(path),
            )


def _results_of(path: str, name: re.Match[str] | None) -> _Results:
    """Return the results file of the same folder and date, where there is one."""
    if name is None:
        return _Results()
    for other in sorted(Path(path).parent.glob(f"*_{name['date']}.json")):
        content = load_json(str(other))
        if isinstance(content, dict) and "results" in content:
            return _Results(content)
    return _Results()


def _samples_of(opened: Opened, wanted: Wanted) -> list[Log]:
    results = _Results(opened.content)
    date = _RESULTS.search(Path(opened.path).name)
    tasks = [task for task in opened.content["configs"] if wanted.takes(task)]
    logs = []
    for task in tasks:
        samples = opened.folder / f"samples_{task}_{date['date'] if date else '*'}.jsonl"
        if not samples.exists():
            raise LogError(
                f"{opened.path} has only totals; the answers to task {task!r} are not beside it "
                f"({samples.name}), so run lm_eval with --log_samples, or choose other tasks "
                "with task=",
                concerning="log",
                at=str(opened.path),
            )
        first = next(iter(json_lines(str(samples))), (0, {}))[1]
        logs.append(_log(str(samples), first, task, results, wanted))
    return logs


def _log(path: str, first: Mapping[str, Any], task: str, results: _Results, wanted: Wanted) -> Log:
    metric = _metric(path, first, wanted)
    paths = tuple(dict.fromkeys((*wanted.fields, *((wanted.run,) if wanted.run else ()))))
    rows = _scanned(path, first, metric, paths)
    if rows is None:
        rows = _read(path, metric, paths, wanted)
    filters = rows["filter"].unique(maintain_order=True).to_list()
    chosen = wanted.choice(filters, "filter", path)
    if len(filters) > 1:
        rows = rows.filter(pl.col("filter") == chosen)
    results.refuse_short(path, task, rows.height)
    return Log(
        path=path,
        format="lm-eval",
        model=results.model or Path(path).resolve().parent.name,
        task=task,
        metric=metric,
        item=_texts(rows["item"]),
        score=rows["score"].to_numpy().astype(np.float64),
        run=_runs(rows, wanted.run),
        problem=_texts(rows["problem"]),
        item_hash=_known(rows["doc_hash"]),
        prompt_hash=_known(rows["prompt_hash"]),
        fields={name: _texts(rows[f"field {name}"]) for name in wanted.fields},
        higher_is_better=results.higher_is_better(task, metric),
        settings=results.settings(task) if results.content else {},
        filter=chosen,
        reduced=results.reduced(task, chosen),
        notes=results.notes(task, metric),
        origin=str(Path(path).parent),
        unit="document",
    )


def _metric(path: str, first: Mapping[str, Any], wanted: Wanted) -> str:
    """Return the metric that is meant; those that are no single number are not offered."""
    names = first.get("metrics") or [name for name in first if name not in _FIXED]
    single = [name for name in names if not isinstance(first.get(name), (list, dict))]
    if wanted.score is None and not single and names:
        mark(first[names[0]], f"{path}, document {first.get('doc_id')!r}", names[0], {})
    named = None if wanted.score is None else first_of(wanted.score, names)
    if named is not None:
        return named
    return wanted.choice(single, "score", path)


def _scanned(
    path: str, first: Mapping[str, Any], metric: str, paths: Sequence[str]
) -> pl.DataFrame | None:
    """Read the columns at full speed; None where a line is not as the first one promises."""
    steps = {name: _steps(first, name) for name in paths}
    # Packed files, and names that polars would take for patterns, are read line by line.
    if path.lower().endswith(".gz") or set("*?[") & set(path) or None in steps.values():
        return None
    names = ("doc_id", "filter", "doc_hash", "prompt_hash")
    schema: dict[str, Any] = dict.fromkeys(names, pl.String)
    tree: dict[str, Any] = {}
    for step in steps.values():
        _plant(tree, list(step or ()))
    schema |= {name: _dtype(branch) for name, branch in tree.items()}
    schema[metric] = pl.Boolean if isinstance(first.get(metric), bool) else pl.Float64
    score = pl.col(metric).cast(pl.Float64)
    columns = {
        "item": pl.col("doc_id"),
        "filter": pl.col("filter").fill_null("none"),
        "score": score.fill_null(np.nan),
        "problem": pl.when(score.is_null()).then(pl.lit(_NO_METRIC)).otherwise(pl.lit("")),
        "doc_hash": pl.col("doc_hash"),
        "prompt_hash": pl.col("prompt_hash"),
        **{f"field {name}": _branch(step or ()) for name, step in steps.items()},
    }
    try:
        frame = pl.scan_ndjson(path, schema=schema).select(**columns).collect()
    except (pl.exceptions.PolarsError, OSError):
        return None
    return None if frame["item"].null_count() else frame


def _steps(record: Any, path: str) -> tuple[str, ...] | None:
    """Return the keys that lead to a field of the record, or None."""
    for start in ("", *_HOMES):
        names = [*([start] if start else []), *path.split(".")]
        here: Any = record
        for name in names:
            here = here[name] if isinstance(here, dict) and name in here else MISSING
        if here is not MISSING and not isinstance(here, (dict, list)):
            return tuple(names)
    return None


def _plant(tree: dict[str, Any], names: list[str]) -> None:
    for name in names[:-1]:
        tree = tree.setdefault(name, {})
    tree.setdefault(names[-1], None)


def _dtype(branch: dict[str, Any] | None) -> Any:
    if branch is None:
        return pl.String
    return pl.Struct({name: _dtype(twig) for name, twig in branch.items()})


def _branch(names: Sequence[str]) -> pl.Expr:
    expression = pl.col(names[0])
    for name in names[1:]:
        expression = expression.struct.field(name)
    return expression


def _texts(series: pl.Series) -> Anything:
    return series.to_numpy()


def _read(path: str, metric: str, paths: Sequence[str], wanted: Wanted) -> pl.DataFrame:
    """Read the columns line by line, with an exact word on the first that is wrong."""
    kept: dict[str, list[Any]] = {
        name: [] for name in ("item", "filter", "score", "problem", "doc_hash", "prompt_hash")
    }
    fields: dict[str, list[str | None]] = {name: [] for name in paths}
    first: dict[str, Any] = {}
    for number, line in json_lines(path):
        first = first or line
        place = f"{path}, line {number}, document {line.get('doc_id')!r}"
        if "doc_id" not in line:
            raise LogError(
                f"{path}, line {number}: no doc_id; every line of a samples file has one",
                at=str(path),
            )
        value = line.get(metric, MISSING)
        score = mark(value, place, metric, wanted.values)
        absent = value is MISSING or value is None
        kept["item"].append(as_text(line["doc_id"]))
        kept["filter"].append(str(line.get("filter") or "none"))
        kept["score"].append(score)
        kept["problem"].append(_NO_METRIC if absent else NOT_A_NUMBER if score != score else "")
        kept["doc_hash"].append(line.get("doc_hash"))
        kept["prompt_hash"].append(line.get("prompt_hash"))
        for name, values in fields.items():
            values.append(as_text(look_up(line, name, _HOMES)))
    for name, values in fields.items():
        if not any(value is not None for value in values):
            raise LogError(no_field(path, name, first))
    numbers = pl.Series("score", kept.pop("score"), dtype=pl.Float64)
    texts = {**kept, **{f"field {name}": values for name, values in fields.items()}}
    columns = [pl.Series(name, values, dtype=pl.String) for name, values in texts.items()]
    return pl.DataFrame([numbers, *columns])


def _runs(rows: pl.DataFrame, run: str | None) -> Codes:
    """Return the run of each row: by the field that tells them apart, or the first."""
    if run is None:
        return np.ones(rows.height, dtype=np.intp)
    return run_numbers(rows[f"field {run}"].to_list())


def _known(hashes: pl.Series) -> Anything | None:
    return None if hashes.null_count() == len(hashes) else _texts(hashes)
