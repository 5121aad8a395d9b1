"""Every Eval Ever, a common format of evaluations: ``<uuid>_samples.jsonl``, ``<uuid>.json``.

A line is one sample under *one result*, so a sample stands in the file as often as the evaluation
has results. The JSON file says what a result is: direction, limits, judges.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from referee.core.arrays import Anything, Codes
from referee.errors import LogError
from referee.sources.logs.fields import MISSING, as_text, digest, field_column, look_up, run_numbers
from referee.sources.logs.log import NOT_A_NUMBER, Log, column
from referee.sources.logs.marks import mark
from referee.sources.logs.opening import Kind, Opened, json_lines, load_json
from referee.sources.logs.wanted import Wanted

__all__ = ["claims_every_eval_ever", "read_every_eval_ever"]

_NEWEST = (0, 3)
_HOMES = ("metadata",)
_RUNS = ("metadata.epoch", "metadata.run")
"""Where converters put the run of a sample; the format itself has no field for it."""


def claims_every_eval_ever(opened: Opened) -> bool:
    """Return whether a file is in this format."""
    if opened.kind is Kind.LINES:
        return opened.has("schema_version", "evaluation_id", "sample_id")
    return opened.kind is Kind.JSON and opened.has("schema_version", "evaluation_results")


def read_every_eval_ever(opened: Opened, wanted: Wanted) -> list[Log]:
    """Read the samples; a log for each evaluation (and the result that was asked for)."""
    path, about = _pair(opened)
    lines = list(json_lines(path))
    for number, line in lines:
        _check(path, number, line)
    logs = []
    for name in dict.fromkeys(str(line["evaluation_name"]) for _, line in lines):
        if wanted.takes(name, name.split("/")[0]):
            mine = [(n, line) for n, line in lines if line["evaluation_name"] == name]
            logs.append(_log(path, name, mine, about, wanted))
    return logs


def _pair(opened: Opened) -> tuple[str, Mapping[str, Any]]:
    """Return the samples file, and what the aggregate file says (empty where there is none)."""
    here = Path(opened.path)
    if opened.kind is Kind.JSON:
        samples = here.with_name(f"{here.stem}_samples.jsonl")
        samples = samples if samples.exists() else here.with_suffix(".jsonl")
        if not samples.exists():
            raise LogError(
                f"{opened.path} has only totals, and {here.stem}_samples.jsonl is not beside it",
                at=str(opened.path),
                remedy="copy that file too",
            )
        return str(samples), opened.content
    stem = here.name.removesuffix(".gz").removesuffix(".jsonl").removesuffix("_samples")
    aggregate = here.with_name(f"{stem}.json")
    content = load_json(str(aggregate)) if aggregate.exists() else {}
    return opened.path, content if isinstance(content, dict) else {}


def _check(path: str, number: int, line: Mapping[str, Any]) -> None:
    place = f"{path}, line {number}"
    for name in ("evaluation_name", "sample_id", "model_id", "evaluation"):
        if name not in line:
            raise LogError(
                f"{place}: no field {name!r}, which every sample has",
                at=place,
                remedy="write it again",
            )
    written = str(line.get("schema_version"))
    version = re.search(r"(\d+)\.(\d+)", written)
    if version is None or (int(version[1]), int(version[2])) > _NEWEST:
        newest = ".".join(str(part) for part in _NEWEST)
        raise LogError(
            f"{place}, field 'schema_version': {written!r} is newer than {newest}, which "
            "this reader knows",
            at=place,
            remedy="update referee",
        )


def _log(
    path: str,
    name: str,
    lines: Sequence[tuple[int, dict[str, Any]]],
    about: Mapping[str, Any],
    wanted: Wanted,
) -> Log:
    results = dict.fromkeys(str(line.get("evaluation_result_id") or "score") for _, line in lines)
    chosen = wanted.choice(results, "score", path)
    lines = [
        (n, line) for n, line in lines if str(line.get("evaluation_result_id") or "score") == chosen
    ]
    records = [line for _, line in lines]
    scores = [
        mark(
            (line["evaluation"] or {}).get("score", MISSING),
            f"{path}, line {number}, sample {line['sample_id']!r}",
            chosen,
            wanted.values,
        )
        for number, line in lines
    ]
    config = _config(about, name, chosen)
    failed = sum(bool(line.get("error")) for line in records)
    note = f"{failed} samples carry an error beside their score; their scores count"
    return Log(
        path=path,
        format="every-eval-ever",
        model=_model(path, records),
        task=name,
        metric=chosen,
        item=column([str(line["sample_id"]) for line in records]),
        score=np.array(scores, dtype=np.float64),
        run=_runs(records, wanted.run, path),
        problem=column([_problem(r, s) for r, s in zip(records, scores, strict=True)]),
        item_hash=column([_question(line) for line in records]),
        prompt_hash=_prompts(records),
        fields={f: field_column(records, f, _HOMES, path) for f in wanted.fields},
        higher_is_better=_direction(config),
        limits=_limits(config),
        judge=tuple(
            str((judge.get("model_info") or {}).get("id"))
            for judge in (config.get("llm_scoring") or {}).get("judges") or []
        ),
        settings=_settings(about, name, chosen),
        notes=(note,) if failed else (),
        origin=str(Path(path).parent / Path(path).name.split("_samples")[0]),
    )


def _model(path: str, records: Sequence[Mapping[str, Any]]) -> str:
    names = list(dict.fromkeys(str(line["model_id"]) for line in records))
    if len(names) > 1:
        raise LogError(
            f"{path} has samples of several models ({', '.join(map(repr, names[:5]))}); a "
            "file of this format holds one, so split it",
            at=str(path),
        )
    return names[0]


def _result(about: Mapping[str, Any], name: str, chosen: str) -> Mapping[str, Any]:
    results = about.get("evaluation_results") or []
    by_id = [r for r in results if r.get("evaluation_result_id") == chosen]
    matching = by_id or [r for r in results if r.get("evaluation_name") == name]
    return matching[0] if matching else {}


def _config(about: Mapping[str, Any], name: str, chosen: str) -> Mapping[str, Any]:
    return _result(about, name, chosen).get("metric_config") or {}


def _direction(config: Mapping[str, Any]) -> bool | None:
    lower = config.get("lower_is_better")
    return not lower if isinstance(lower, bool) else None


def _limits(config: Mapping[str, Any]) -> tuple[float, float] | None:
    """Return the limits where both are finite; the format writes infinities as words."""
    low, high = config.get("min_score"), config.get("max_score")
    if config.get("score_type") == "binary":
        low, high = (0 if low is None else low), (1 if high is None else high)
    if isinstance(low, (int, float)) and isinstance(high, (int, float)):
        return float(low), float(high)
    return None


def _settings(about: Mapping[str, Any], name: str, chosen: str) -> dict[str, str]:
    generation = _result(about, name, chosen).get("generation_config")
    if not about:
        return {}
    return {"generation": as_text(generation) or "none"}


def _runs(records: Sequence[Mapping[str, Any]], path: str | None, place: str) -> Codes:
    """Return the run of each sample, counted from 1 in the order of their first appearance."""
    if path:
        return run_numbers(field_column(records, path, _HOMES, place).tolist())
    named = next((p for p in _RUNS if look_up(records[0], p) is not MISSING), None)
    if named is None:
        return np.ones(len(records), dtype=np.intp)
    return run_numbers([as_text(look_up(line, named, _HOMES)) for line in records])


def _problem(record: Mapping[str, Any], score: float) -> str:
    if score == score:
        return ""
    if record.get("error"):
        return f"error: {str(record['error']).splitlines()[0][:200]}"
    given = (record["evaluation"] or {}).get("score")
    return "not scored" if given is None else NOT_A_NUMBER


def _question(record: Mapping[str, Any]) -> str:
    kept = record.get("sample_hash")
    given = record.get("input") or {}
    return str(kept) if kept else digest(given.get("raw"), given.get("reference"))


def _prompts(records: Sequence[Mapping[str, Any]]) -> Anything | None:
    """Return hashes of what the model saw: as converters keep them, or of the formatted input."""
    hashes = [
        as_text(look_up(line, "metadata.prompt_hash"))
        or (digest(text) if (text := (line.get("input") or {}).get("formatted")) else None)
        for line in records
    ]
    return column(hashes) if any(value is not None for value in hashes) else None
