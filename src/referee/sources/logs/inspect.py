"""Logs of Inspect: ``.eval`` files (zip) and JSON logs, versions 1 and 2.

An ``.eval`` file holds ``header.json``, ``summaries.json`` (a short record of each sample) and the
full samples. Scores and most metadata stand in the summaries, so samples are opened only for a
field that the summaries cut. A file still being written has ``_journal/`` instead. Epochs are runs.
Samples that failed, and those a cancelled evaluation never came to, are rows without a score.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from referee.core.arrays import Anything
from referee.errors import LogError
from referee.sources.logs.fields import MISSING, as_text, digest, look_up, no_field
from referee.sources.logs.inspect_archive import InspectArchive
from referee.sources.logs.log import Log, column
from referee.sources.logs.marks import INSPECT_WORDS, mark
from referee.sources.logs.opening import Kind, Opened
from referee.sources.logs.wanted import Wanted

__all__ = ["claims_inspect", "read_inspect"]

_NEWEST = 2
_HOMES = ("metadata",)
_REMOVED = "Key removed from summary (> 1k)"
_SHORTENED = 1000
"""A text in a summary that is longer than this and ends in dots was cut to 1024 characters."""

_ONLY_IN_SAMPLES = frozenset(["output", "messages", "store", "files", "setup", "sandbox"])
_CUT_INPUT = "...\n(content truncated)"
_PLACEHOLDER = "88F74D2C"
"""The name Inspect gives to the one score of logs that had no names for scores."""


def claims_inspect(opened: Opened) -> bool:
    """Return whether a file was written by Inspect."""
    if opened.kind is Kind.ZIP:
        names = opened.content
        return "header.json" in names or "_journal/start.json" in names
    return opened.kind is Kind.JSON and opened.has("version", "eval")


def read_inspect(opened: Opened, wanted: Wanted) -> list[Log]:
    """Read one evaluation; an empty list where its task was not asked for."""
    if opened.kind is Kind.ZIP:
        with closing(InspectArchive(opened.path)) as archive:
            return _read(opened, archive, wanted)
    return _read(opened, None, wanted)


def _read(opened: Opened, archive: InspectArchive | None, wanted: Wanted) -> list[Log]:
    header = archive.header if archive else opened.content
    _check_version(opened.path, header)
    task = str(header["eval"].get("task", "task"))
    if not wanted.takes(task, task.split("/")[-1]):
        return []
    if archive:
        records = archive.summaries
        reductions = archive.reductions
    else:
        records = [_migrated(sample) for sample in header.get("samples") or []]
        reductions = header.get("reductions") or []
    evaluation = _Evaluation(opened.path, header, _latest(records), archive)
    if not evaluation.records:
        return [_from_reductions(evaluation, reductions, wanted)]
    return [_from_samples(evaluation, wanted)]


@dataclass(frozen=True)
class _Evaluation:
    """A header and the records of its samples."""

    path: str
    header: Mapping[str, Any]
    records: list[dict[str, Any]]
    archive: InspectArchive | None
    notes: list[str] = field(default_factory=list)

    @property
    def eval(self) -> Mapping[str, Any]:
        """The part of the header that says what was evaluated."""
        spec: Mapping[str, Any] = self.header["eval"]
        return spec

    @property
    def config(self) -> Mapping[str, Any]:
        return self.eval.get("config") or {}

    @property
    def epochs(self) -> int:
        return int(self.config.get("epochs") or 1)

    @property
    def status(self) -> str:
        return str(self.header.get("status", "success"))

    def place(self, record: Mapping[str, Any]) -> str:
        epoch = f", epoch {record.get('epoch')}" if self.epochs > 1 else ""
        return f"{self.path}, sample {record.get('id')!r}{epoch}"

    def score_names(self) -> dict[str, None]:
        """Return the names of all scores, with the parts of those that have several."""
        names: dict[str, None] = {}
        for record in self.records:
            for name, score in (record.get("scores") or {}).items():
                value = score.get("value") if isinstance(score, dict) else score
                parts = value if isinstance(value, dict) else None
                names |= dict.fromkeys([f"{name}.{part}" for part in parts] if parts else [name])
        # A sample whose score failed may have nan where others have parts.
        return {n: None for n in names if not any(o.startswith(f"{n}.") for o in names)}

    def settings(self) -> dict[str, str]:
        """Return what the questions were asked with."""
        plan = self.header.get("plan") or {}
        steps = [
            {"solver": step.get("solver"), "params": step.get("params")}
            for step in plan.get("steps") or []
        ]
        said = {
            "solvers": steps,
            "task arguments": self.eval.get("task_args"),
            "task version": self.eval.get("task_version"),
            "generation": self.eval.get("model_generate_config"),
        }
        return {name: as_text(value) or "none" for name, value in said.items()}

    def judges(self, scorer: str) -> tuple[str, ...]:
        """Return the models that marked the answers."""
        roles = self.eval.get("model_roles") or {}
        graders = roles.get("grader") or []
        graders = graders if isinstance(graders, list) else [graders]
        if graders:
            return tuple(str(g.get("model", g) if isinstance(g, dict) else g) for g in graders)
        options = next(
            (s.get("options") or {} for s in self.eval.get("scorers") or [] if s["name"] == scorer),
            {},
        )
        named = options.get("model") or []
        if named:
            return tuple(str(n) for n in (named if isinstance(named, list) else [named]))
        # Without a role or a model, Inspect's own judges ask the model under test.
        return (str(self.eval.get("model")),) if "model_graded" in scorer else ()


def _check_version(path: str, header: Any) -> None:
    version = header.get("version") if isinstance(header, dict) else None
    if not isinstance(version, int) or not isinstance(header.get("eval"), dict):
        raise LogError(
            f"{path}, field 'version': {version!r} is no version; this is no Inspect log",
            at=str(path),
        )
    if version > _NEWEST:
        raise LogError(
            f"{path}, field 'version': {version} is newer than {_NEWEST}, the newest this "
            "reader knows",
            at=str(path),
            remedy="update referee, or write the log again with `inspect log convert`",
        )


def _migrated(sample: dict[str, Any]) -> dict[str, Any]:
    """Return a sample of a JSON log in the shape of a summary."""
    error = sample.get("error")
    kept = dict(sample)
    if "score" in sample and "scores" not in sample:
        kept["scores"] = {_PLACEHOLDER: sample["score"]}
    kept["error"] = error.get("message", "error") if isinstance(error, dict) else error
    kept.setdefault("completed", True)
    return kept


def _latest(records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the last record of each sample and epoch: a sample asked again replaces its first."""
    latest = {(str(r.get("id")), r.get("epoch", 1)): r for r in records}
    return list(latest.values())


def _from_samples(evaluation: _Evaluation, wanted: Wanted) -> Log:
    name = _chosen(evaluation, wanted)
    records = evaluation.records
    values = [_value(record, name) for record in records]
    scores, problems = [], []
    for record, value in zip(records, values, strict=True):
        words = {**INSPECT_WORDS, **wanted.values}
        number = mark(value, evaluation.place(record), name, words)
        scores.append(number)
        problems.append(_problem(record, name) if math.isnan(number) else "")
    absent = _never_reached(evaluation)
    items = [str(record["id"]) for record in records] + [item for item, _ in absent]
    runs = [int(record.get("epoch", 1)) for record in records] + [run for _, run in absent]
    words_only = all(v is MISSING or v != v or _is_word(v) for v in values)
    return Log(
        item=column(items),
        score=np.array([*scores, *[math.nan] * len(absent)], dtype=np.float64),
        run=np.array(runs, dtype=np.intp),
        problem=column([*problems, *[_why_absent(evaluation)] * len(absent)]),
        item_hash=column([*(_question(r) for r in records), *[None] * len(absent)]),
        fields={
            path: column([*_field(evaluation, path).tolist(), *[None] * len(absent)])
            for path in wanted.fields
        },
        higher_is_better=True if words_only else None,
        limits=(0.0, 1.0) if words_only else None,
        notes=tuple(_notes(evaluation, scores)),
        **_about(evaluation, name),
    )


def _is_word(value: Any) -> bool:
    """Return whether a score can only be right, wrong or something between."""
    return isinstance(value, bool) or (isinstance(value, str) and value in INSPECT_WORDS)


def _about(evaluation: _Evaluation, name: str) -> dict[str, Any]:
    """Return what both ways of reading a log say of it."""
    return {
        "path": evaluation.path,
        "format": "inspect",
        "model": str(evaluation.eval.get("model")),
        "task": str(evaluation.eval.get("task")),
        "metric": name,
        "judge": evaluation.judges(name.split(".")[0]),
        "settings": evaluation.settings(),
        "origin": str(Path(evaluation.path).with_suffix("")),
    }


def _chosen(evaluation: _Evaluation, wanted: Wanted) -> str:
    """Return the score that is meant; the part of a name after its dot will do where it is one."""
    names = list(evaluation.score_names())
    short = [name for name in names if name.split(".", 1)[-1] == wanted.score]
    if len(short) == 1:
        return short[0]
    return wanted.choice(names, "score", evaluation.path)


def _value(record: Mapping[str, Any], name: str) -> Any:
    scores = record.get("scores") or {}
    scorer, _, part = name.partition(".")
    if name in scores:  # a scorer's name may have a dot
        scorer, part = name, ""
    if scorer not in scores:
        return MISSING
    score = scores[scorer]
    value = score.get("value") if isinstance(score, dict) else score
    if part:
        return value.get(part, MISSING) if isinstance(value, dict) else math.nan
    return value


def _problem(record: Mapping[str, Any], name: str) -> str:
    """Say why a sample has no score."""
    if record.get("error"):
        return f"error: {str(record['error']).splitlines()[0][:200]}"
    if not record.get("completed", True):
        return "not finished"
    score = (record.get("scores") or {}).get(name.split(".")[0])
    reason = score.get("reason") if isinstance(score, dict) else None
    if record.get("limit"):
        return f"not scored, stopped by the {record['limit']} limit"
    return f"not scored: {reason}" if reason else "not scored"


def _never_reached(evaluation: _Evaluation) -> list[tuple[str, int]]:
    """Return the samples and epochs that were planned and are not in the log."""
    planned = (evaluation.eval.get("dataset") or {}).get("sample_ids")
    if not planned:
        return []
    there = {(str(r.get("id")), int(r.get("epoch", 1))) for r in evaluation.records}
    everything = [(str(i), e) for i in planned for e in range(1, evaluation.epochs + 1)]
    return [pair for pair in everything if pair not in there]


def _why_absent(evaluation: _Evaluation) -> str:
    return {
        "cancelled": "cancelled before it was asked",
        "error": "not asked: the evaluation stopped with an error",
        "started": "not asked yet: the evaluation is unfinished",
    }.get(evaluation.status, "planned but not in the log")


def _question(record: Mapping[str, Any]) -> str | None:
    """Return a hash of the question; None where a summary cut it."""
    parts = (record.get("input"), record.get("choices"), record.get("target"))
    if _CUT_INPUT in json.dumps(parts, ensure_ascii=False).replace("\\n", "\n"):
        return None
    return digest(*parts)


def _field(evaluation: _Evaluation, path: str) -> Anything:
    """Return a field of each sample; opens samples for what the summaries cut."""
    records = evaluation.records
    values = [look_up(record, path, _HOMES) for record in records]
    if evaluation.archive is not None:
        known: dict[str, Any] = {}
        for row, (record, value) in enumerate(zip(records, values, strict=True)):
            if _cut(record, path, value):
                key = str(record["id"])
                if key not in known:
                    known[key] = look_up(evaluation.archive.sample(record), path, _HOMES)
                values[row] = known[key]
    if all(value is MISSING for value in values):
        raise LogError(no_field(evaluation.path, path, records[0]))
    return column([as_text(value) for value in values])


def _cut(record: Mapping[str, Any], path: str, value: Any) -> bool:
    """Return whether a summary lacks a field's whole value."""
    if value is MISSING:
        return path.split(".")[0] in _ONLY_IN_SAMPLES or _removed_on_the_way(record, path)
    if not isinstance(value, str):
        return False
    return value == _REMOVED or (len(value) > _SHORTENED and value.endswith("..."))


def _removed_on_the_way(record: Mapping[str, Any], path: str) -> bool:
    names = path.split(".")
    return any(
        look_up(record, ".".join(names[:cut]), _HOMES) == _REMOVED for cut in range(1, len(names))
    )


def _notes(evaluation: _Evaluation, scores: Sequence[float]) -> list[str]:
    notes = []
    if evaluation.status != "success":
        error = (evaluation.header.get("error") or {}).get("message", "")
        because = f" ({error.splitlines()[0][:200]})" if error else ""
        notes.append(f"the evaluation's status is {evaluation.status!r}{because}")
    both = sum(
        bool(record.get("error")) and not math.isnan(score)
        for record, score in zip(evaluation.records, scores, strict=True)
    )
    if both:
        notes.append(f"{both} samples failed and were scored all the same; their scores count")
    stopped = sum(bool(record.get("limit")) for record in evaluation.records)
    if stopped:
        notes.append(f"{stopped} samples were stopped by a limit")
    if evaluation.header.get("invalidated"):
        notes.append("some samples were marked invalid after the evaluation; they count here")
    reducers = [r for r in evaluation.config.get("epochs_reducer") or [] if r != "mean"]
    if reducers and evaluation.epochs > 1:
        notes.append(
            f"Inspect reduced epochs by {', '.join(reducers)}; here the mean over epochs counts"
        )
    return notes


def _from_reductions(
    evaluation: _Evaluation, reductions: Sequence[Mapping[str, Any]], wanted: Wanted
) -> Log:
    """Read a log without samples: all that is left is one reduced value for each."""
    path = evaluation.path
    if not reductions:
        raise LogError(
            f"{path} has no samples, only totals",
            at=str(path),
            remedy="run the evaluation with samples logged (log_samples=True)",
        )
    if wanted.fields:
        raise LogError(
            f"{path} has no samples, so it has no field {wanted.fields[0]!r}",
            at=str(path),
            remedy="run the evaluation with samples logged (log_samples=True)",
        )
    named = {}
    for entry in reductions:
        reducer = entry.get("reducer")
        named[f"{entry['scorer']}/{reducer}" if reducer else str(entry["scorer"])] = entry
    name = wanted.choice(named, "score", path)
    samples = named[name]["samples"]
    words = {**INSPECT_WORDS, **wanted.values}
    items = [str(sample.get("sample_id")) for sample in samples]
    scores = [
        mark(sample.get("value"), f"{path}, sample {item!r}", name, words)
        for item, sample in zip(items, samples, strict=True)
    ]
    reducer = named[name].get("reducer") or "mean"
    return Log(
        item=column(items),
        score=np.array(scores, dtype=np.float64),
        run=np.ones(len(items), dtype=np.intp),
        problem=column(["" if score == score else "not scored" for score in scores]),
        reduced=(
            f"{evaluation.epochs} epochs of each sample became one by {reducer}"
            if evaluation.epochs > 1
            else ""
        ),
        notes=tuple(_notes(evaluation, ())),
        **_about(evaluation, name),
    )
