"""Runs of HELM: ``per_instance_stats.json`` beside ``run_spec.json`` and ``scenario_state.json``.

Each instance has a list of statistics; training trials are runs. Instances also stand there in
perturbed form (typos, lower case ...), and a run may hold instances of several splits: only the
originals of the test split are read, or, with ``filter=``, one perturbation or another split. HELM
leaves statistics that are NaN out of the file.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from referee.core.arrays import Anything
from referee.errors import LogError
from referee.sources.logs.fields import as_text, digest, field_column
from referee.sources.logs.log import Log, column
from referee.sources.logs.marks import mark
from referee.sources.logs.opening import Kind, Opened, load_json
from referee.sources.logs.wanted import Wanted

__all__ = ["claims_helm", "read_helm"]

_HOMES = ("instance", "instance.extra_data")
_ORIGINAL = "original"
_SPLIT = "test"
"""The split HELM's own tables show; instances of others are read by their name."""

_MODEL_ARGUMENT = re.compile(r"[:,](?:model|model_deployment)=[^,]*")


def claims_helm(opened: Opened) -> bool:
    """Return whether a file is a per_instance_stats.json of HELM."""
    if opened.kind is not Kind.JSON or not isinstance(opened.content, list):
        return False
    first = opened.content[0] if opened.content else {}
    return isinstance(first, dict) and "instance_id" in first and "stats" in first


def read_helm(opened: Opened, wanted: Wanted) -> list[Log]:
    """Read one run; an empty list where its task was not asked for."""
    spec = _beside(opened, "run_spec.json") or {}
    adapter = spec.get("adapter_spec") or {}
    name = str(spec.get("name") or opened.folder.resolve().name)
    task = _MODEL_ARGUMENT.sub("", name)
    if not wanted.takes(task):
        return []
    cases = _cases(opened.path, opened.content)
    kind = wanted.filter or _ORIGINAL
    kinds = list(dict.fromkeys(c["kind"] for c in cases))
    if kind not in kinds:
        wanted.choice(kinds, "filter", opened.path)
    left = [
        k for k in kinds if "/" not in k and k not in (kind, _ORIGINAL) and k in _splits(opened)
    ]
    cases = [case for case in cases if case["kind"] == kind]
    metric = wanted.choice(
        dict.fromkeys(m for c in cases for m in c["stats"]), "score", opened.path
    )
    scores = [_score(opened.path, case, metric, wanted) for case in cases]
    states = _states(opened, kind, _main_split(opened.content))
    asked = [states.get((case["id"], case["trial"]), {}) for case in cases]
    return [
        Log(
            path=opened.path,
            format="helm",
            model=str(adapter.get("model") or _named_model(name)),
            task=task,
            metric=metric,
            item=column([case["id"] for case in cases]),
            score=np.array(scores, dtype=np.float64),
            run=np.array([case["trial"] + 1 for case in cases], dtype=np.intp),
            problem=column(["" if s == s else "no value (HELM leaves NaN out)" for s in scores]),
            item_hash=_hashes([_question(state) for state in asked]),
            prompt_hash=_hashes([_prompt(state) for state in asked]),
            fields=_fields(opened, asked, wanted.fields),
            judge=tuple(
                str(a.get("class_name", a)).split(".")[-1] for a in spec.get("annotators") or []
            ),
            settings=_settings(adapter, kind),
            filter=kind,
            notes=tuple(f"instances of split {k!r} are left out" for k in left),
            origin=str(opened.folder),
            unit="instance",
        )
    ]


def _splits(opened: Opened) -> set[str]:
    return {_split(entry) for entry in opened.content}


def _beside(opened: Opened, name: str) -> dict[str, Any] | None:
    path = opened.folder / name
    return load_json(str(path)) if path.exists() else None


def _named_model(name: str) -> str:
    match = re.search(r"[:,]model=([^,]*)", name)
    return match[1] if match else "model"


def _cases(path: str, content: Sequence[Any]) -> list[dict[str, Any]]:
    """Return each instance, trial and perturbation once, with its statistics by name.

    HELM writes an entry for each of its metric classes, so one instance has several.
    """
    cases: dict[tuple[str, int, str], dict[str, Any]] = {}
    main = _main_split(content)
    for number, entry in enumerate(content, 1):
        try:
            kind = _kind(entry.get("perturbation"), _split(entry), main)
            key = (str(entry["instance_id"]), int(entry.get("train_trial_index", 0)), kind)
            stats = {stat["name"]["name"]: stat for stat in entry["stats"]}
        except (KeyError, TypeError, AttributeError):
            raise LogError(
                f"{path}, entry {number}: no instance_id or stats as HELM writes them",
                at=str(path),
                remedy="run the evaluation again",
            ) from None
        case = cases.setdefault(key, {"id": key[0], "trial": key[1], "kind": kind, "stats": {}})
        case["stats"] |= stats
    return list(cases.values())


def _split(entry: Any) -> str:
    stats = entry.get("stats") if isinstance(entry, dict) else None
    first = stats[0].get("name") if stats and isinstance(stats[0], dict) else None
    return str(first.get("split") or _SPLIT) if isinstance(first, dict) else _SPLIT


def _main_split(content: Sequence[Any]) -> str:
    splits = dict.fromkeys(_split(entry) for entry in content)
    return _SPLIT if _SPLIT in splits or not splits else next(iter(splits))


def _kind(perturbation: Mapping[str, Any] | None, split: str, main: str) -> str:
    """Return by which name ``filter=`` chooses an instance."""
    name = (perturbation or {}).get("name")
    parts = [name, split if split != main else None]
    return "/".join(part for part in parts if part) or _ORIGINAL


def _score(path: str, case: Mapping[str, Any], metric: str, wanted: Wanted) -> float:
    stat = case["stats"].get(metric) or {}
    if not stat.get("count"):
        return math.nan
    value = stat["mean"] if "mean" in stat else stat["sum"] / stat["count"]
    return mark(value, f"{path}, instance {case['id']!r}", metric, wanted.values)


def _states(opened: Opened, kind: str, main: str) -> dict[tuple[str, int], dict[str, Any]]:
    """Return what each instance was asked, where scenario_state.json is there."""
    content = _beside(opened, "scenario_state.json") or {}
    states: dict[tuple[str, int], dict[str, Any]] = {}
    for state in content.get("request_states") or []:
        instance = state.get("instance") or {}
        split = str(instance.get("split") or _SPLIT)
        if _kind(instance.get("perturbation"), split, main) == kind:
            key = (str(instance.get("id")), int(state.get("train_trial_index", 0)))
            states.setdefault(key, state)
    return states


def _question(state: Mapping[str, Any]) -> str | None:
    instance = state.get("instance")
    return digest(instance.get("input"), instance.get("references")) if instance else None


def _prompt(state: Mapping[str, Any]) -> str | None:
    prompt = (state.get("request") or {}).get("prompt")
    return digest(prompt) if prompt else None


def _hashes(values: list[str | None]) -> Anything | None:
    return column(values) if any(value is not None for value in values) else None


def _fields(opened: Opened, asked: Sequence[Any], paths: Sequence[str]) -> dict[str, Anything]:
    if paths and not any(asked):
        raise LogError(
            f"{opened.path}: field {paths[0]!r} would stand in scenario_state.json, which "
            "is not beside it",
            at=str(opened.path),
            remedy="copy the whole run folder",
        )
    return {path: field_column(asked, path, _HOMES, opened.path) for path in paths}


def _settings(adapter: Mapping[str, Any], kind: str) -> dict[str, str]:
    said = {
        "few-shot examples": adapter.get("max_train_instances"),
        "instructions": adapter.get("instructions"),
        "method": adapter.get("method"),
        "temperature": adapter.get("temperature"),
        "perturbation": kind,
    }
    return {name: as_text(value) or "none" for name, value in said.items()}
