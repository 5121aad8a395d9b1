"""Details of lighteval: ``details_*.parquet``, with ``results_*.json`` of the same date.

A row is a document with the structures ``doc``, ``metric`` and ``model_response``. Documents are
told apart by ``doc.id``. Where lighteval drew several answers, its metric (avg@n, pass@k) is one
number for all of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from referee.core.arrays import Anything, Codes
from referee.errors import LogError
from referee.sources.logs.fields import as_text, digest, field_column, run_numbers
from referee.sources.logs.log import NOT_A_NUMBER, Log, column
from referee.sources.logs.marks import mark
from referee.sources.logs.opening import Kind, Opened, load_json
from referee.sources.logs.wanted import Wanted

__all__ = ["claims_lighteval", "read_lighteval"]

_DATE = r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?"
_DETAILS = re.compile(rf"details_(?P<task>.+)_(?P<date>{_DATE})\.parquet$")
_HOMES = ("doc", "doc.specific")


def claims_lighteval(opened: Opened) -> bool:
    """Return whether a file was written by lighteval."""
    if opened.kind is Kind.PARQUET:
        return opened.has("doc", "metric") and isinstance(opened.content["metric"], pl.Struct)
    return opened.kind is Kind.JSON and opened.has("config_general", "results")


def read_lighteval(opened: Opened, wanted: Wanted) -> list[Log]:
    """Read a details file, or all details files that belong to a results file."""
    if opened.kind is Kind.PARQUET:
        return _details(opened.path, opened.content["metric"], _results_of(opened.path), wanted)
    details = _details_of(opened)
    logs = []
    for path in details:
        dtype = pl.read_parquet_schema(path)["metric"]
        logs += _details(str(path), dtype, opened.content, wanted)
    return logs


def _details(path: str, dtype: Any, results: Mapping[str, Any], wanted: Wanted) -> list[Log]:
    frame = pl.read_parquet(path, glob=False)
    docs = frame["doc"].to_list()
    name = str(docs[0].get("task_name") or _named_task(path)) if docs else _named_task(path)
    task, _, shots = name.partition("|")
    if not wanted.takes(task, name):
        return []
    metric = wanted.choice([field.name for field in dtype.fields], "score", path)
    items = [as_text(doc.get("id")) or str(row) for row, doc in enumerate(docs)]
    values = frame["metric"].struct.field(metric).to_list()
    scores = [
        mark(value, f"{path}, document {item!r}", metric, wanted.values)
        for item, value in zip(items, values, strict=True)
    ]
    config = (results.get("config_tasks") or {}).get(name) or {}
    metrics: list[dict[str, Any]] = config.get("metrics") or []
    about = next((m for m in metrics if m.get("metric_name") == metric), {})
    answers = frame["model_response"].to_list() if "model_response" in frame.columns else []
    replies = answers or [{}] * len(docs)
    records = [{"doc": d, "model_response": r} for d, r in zip(docs, replies, strict=True)]
    return [
        Log(
            path=path,
            format="lighteval",
            model=_model(path, results),
            task=task,
            metric=metric,
            item=column(items),
            score=np.array(scores, dtype=np.float64),
            run=_runs(records, wanted.run, path),
            problem=column([_problem(v, s) for v, s in zip(values, scores, strict=True)]),
            item_hash=column([digest(d.get("query"), d.get("choices")) for d in docs]),
            prompt_hash=_prompts(answers),
            fields={f: field_column(records, f, _HOMES, path) for f in wanted.fields},
            higher_is_better=about.get("higher_is_better"),
            judge=_judge(about),
            settings=_settings(config, shots, docs),
            reduced=_reduced(docs, metric),
            origin=str(Path(path).parent),
            unit="document",
        )
    ]


def _runs(records: Sequence[Mapping[str, Any]], run: str | None, path: str) -> Codes:
    if run is None:
        return np.ones(len(records), dtype=np.intp)
    return run_numbers(field_column(records, run, _HOMES, path).tolist())


def _problem(value: Any, score: float) -> str:
    if score == score:
        return ""
    return "the document has no value of this metric" if value is None else NOT_A_NUMBER


def _named_task(path: str) -> str:
    match = _DETAILS.match(Path(path).name)
    return match["task"] if match else Path(path).stem


def _model(path: str, results: Mapping[str, Any]) -> str:
    """Return the model's name: from the results, or from the folders below ``details``."""
    named = (results.get("config_general") or {}).get("model_name")
    if named:
        return str(named)
    parts = Path(path).resolve().parts
    if "details" in parts:
        return "/".join(parts[parts.index("details") + 1 : -2]) or "model"
    return Path(path).resolve().parent.name


def _results_of(path: str) -> Mapping[str, Any]:
    """Return the results file of the same date, where it stands where lighteval puts it."""
    match = _DETAILS.match(Path(path).name)
    if match is None:
        return {}
    name = f"results_{match['date']}.json"
    here = Path(path).resolve()
    places = [here.parent / name]
    if "details" in here.parts:
        at = len(here.parts) - 1 - here.parts[::-1].index("details")
        places.append(Path(*here.parts[:at], "results", *here.parts[at + 1 : -2], name))
    for place in places:
        if place.exists():
            content = load_json(str(place))
            return content if isinstance(content, dict) else {}
    return {}


def _details_of(opened: Opened) -> list[Path]:
    date = re.search(_DATE, Path(opened.path).name)
    here = Path(opened.path).resolve()
    places = [here.parent]
    if date and "results" in here.parts:
        at = len(here.parts) - 1 - here.parts[::-1].index("results")
        places.append(Path(*here.parts[:at], "details", *here.parts[at + 1 : -1], date[0]))
    paths = [path for place in places for path in sorted(place.glob("details_*.parquet"))]
    if not paths:
        raise LogError(
            f"{opened.path} has only totals, and no details_*.parquet was found near it",
            concerning="save_details",
            at=str(opened.path),
            remedy="run lighteval with --save-details, or name the details file",
        )
    return paths


def _prompts(answers: Sequence[Mapping[str, Any]]) -> Anything | None:
    prompts = [answer.get("input") for answer in answers]
    if not any(prompt is not None for prompt in prompts):
        return None
    return column([None if prompt is None else digest(prompt) for prompt in prompts])


def _judge(about: Mapping[str, Any]) -> tuple[str, ...]:
    function = str(about.get("sample_level_fn") or "")
    return (function,) if "judge" in function.lower() else ()


def _settings(
    config: Mapping[str, Any], shots: str, docs: Sequence[Mapping[str, Any]]
) -> dict[str, str]:
    said = {
        "few-shot examples": shots or config.get("num_fewshots"),
        "instruction": docs[0].get("instruction") if docs else None,
        "prompt function": config.get("prompt_function"),
        "task version": config.get("version"),
    }
    return {name: as_text(value) or "none" for name, value in said.items()}


def _reduced(docs: Sequence[Mapping[str, Any]], metric: str) -> str:
    most = max((int(doc.get("num_samples") or 1) for doc in docs), default=1)
    return f"{most} answers to each document became one by {metric}" if most > 1 else ""
