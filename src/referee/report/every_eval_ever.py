"""An evaluation in the format of Every Eval Ever: its mean with its uncertainty, and its samples.

Two files with one name, ``<uuid>.json`` and ``<uuid>_samples.jsonl``, in the folders that the
datastore of the project wants (schema 0.3.0): ``data/<task>/<developer>/<model>/``.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from referee.core.arrays import Anything
from referee.core.results import Estimate
from referee.core.scores.scores import Scores
from referee.errors import InputError, LogError
from referee.intervals.scores.cluster_mean import cluster_mean
from referee.judging.scores.evaluation import ScoresEvaluation
from referee.report.files import write_text
from referee.sources.logs.catalogue import FORMATS, read_logs
from referee.sources.logs.log import Log

__all__ = ["EveryEvalEver", "every_eval_ever", "write_every_eval_ever"]

SCHEMA = "0.3.0"
RELATIONSHIPS = ("first_party", "third_party", "collaborative", "other")
_LIBRARIES = {
    "inspect": "inspect_ai",
    "lm-eval": "lm_eval",
    "helm": "helm",
    "lighteval": "lighteval",
    "promptfoo": "promptfoo",
}
_UNSAFE = re.compile(r'[<>:"/\\|?*\x00-\x1f]+')


@dataclass(frozen=True)
class EveryEvalEver:
    """The two files, as text, and where they belong below the folder that is written to.

    Attributes
    ----------
    place : PurePosixPath
        The path of the aggregate file; the samples stand beside it.
    aggregate, samples : str
        The contents of the two files.
    """

    place: PurePosixPath
    aggregate: str
    samples: str

    @property
    def samples_place(self) -> PurePosixPath:
        """The path of the samples file."""
        return self.place.with_name(f"{self.place.stem}_samples.jsonl")


def write_every_eval_ever(
    evaluation: ScoresEvaluation,
    folder: str | PathLike[str],
    *,
    organization: str,
    relationship: str = "other",
    developer: str | None = None,
    timestamp: float | None = None,
) -> Path:
    """Write an evaluation for Every Eval Ever.

    Parameters
    ----------
    evaluation : ScoresEvaluation
        Of one model on one task, as `referee.evaluate_scores` gives it.
    folder : path
        Where the folder ``data`` is made, or added to.
    organization : str
        Who vouches for the evaluation.
    relationship : str
        Theirs to the model's maker: first_party, third_party, collaborative or other.
    developer : str, optional
        The model's maker, where its name does not say so (``meta-llama/Llama-3.1-8B`` does).
    timestamp : float, optional
        When the record is made, in seconds since 1970; by default now.

    Returns
    -------
    Path
        The aggregate file; the samples stand beside it.
    """
    moment = time.time() if timestamp is None else timestamp
    files = every_eval_ever(
        evaluation,
        organization=organization,
        relationship=relationship,
        developer=developer,
        timestamp=moment,
    )
    target = Path(folder) / files.place
    target.parent.mkdir(parents=True, exist_ok=True)
    write_text(Path(folder) / files.samples_place, files.samples)
    write_text(target, files.aggregate)
    return target


def every_eval_ever(
    evaluation: ScoresEvaluation,
    *,
    organization: str,
    relationship: str,
    developer: str | None,
    timestamp: float,
) -> EveryEvalEver:
    """Return an evaluation as the files of Every Eval Ever; arguments as for writing them."""
    if relationship not in RELATIONSHIPS:
        raise InputError(
            f"must be one of {', '.join(RELATIONSHIPS)}",
            argument="relationship",
            value=repr(relationship),
        )
    if not organization.strip():
        raise InputError(
            "must say who vouches for the evaluation", argument="organization", value="nothing"
        )
    scores = evaluation.scores
    log = _log(scores)
    model = log.model if log else evaluation.name
    model = model if "/" in model or developer is None else f"{developer}/{model}"
    task = log.task if log else scores.name
    moment = f"{timestamp:.6f}".rstrip("0").rstrip(".")
    identity = {
        "schema_version": SCHEMA,
        "evaluation_id": f"{task}/{model}/{moment}",
        "model_id": model,
        "evaluation_name": task,
        "evaluation_result_id": scores.name,
    }
    lines = _lines(scores, log, identity)
    samples = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    place = _place(task, model, samples)
    aggregate = {
        "schema_version": SCHEMA,
        "evaluation_id": identity["evaluation_id"],
        "retrieved_timestamp": moment,
        "source_metadata": {
            "source_name": FORMATS[log.format].title.split(" (")[0] if log else "table of scores",
            "source_type": "evaluation_run",
            "source_organization_name": organization,
            "evaluator_relationship": relationship,
        },
        "eval_library": {
            "name": _LIBRARIES.get(log.format, "unknown") if log else "unknown",
            "version": "unknown",
        },
        "model_info": _model_info(model),
        "evaluation_results": [_result(evaluation, task, log)],
        "detailed_evaluation_results": {
            "format": "jsonl",
            "file_path": str(place.with_name(f"{place.stem}_samples.jsonl")),
            "hash_algorithm": "sha256",
            "checksum": hashlib.sha256(samples.encode()).hexdigest(),
            "total_rows": samples.count("\n"),
        },
    }
    return EveryEvalEver(place, json.dumps(aggregate, indent=2, ensure_ascii=False) + "\n", samples)


def _log(scores: Scores) -> Log | None:
    """Return the one log the scores come from; None where they come from a table."""
    if len(scores.logs) > 1:
        raise InputError(
            f"the scores come from {len(scores.logs)} logs; Every Eval Ever has a file for each "
            "model and task, so evaluate and write them one by one",
            concerning="scores",
        )
    return scores.logs[0] if scores.logs else None


def _place(task: str, model: str, samples: str) -> PurePosixPath:
    """Return where the files belong; their name depends on what they say alone."""
    developer, _, name = model.rpartition("/") if model.count("/") < 2 else model.partition("/")
    number = uuid.UUID(bytes=hashlib.sha256(samples.encode()).digest()[:16], version=4)
    parts = [_folder(part) for part in (task, developer or "unknown", name)]
    return PurePosixPath("data", *parts, f"{number}.json")


def _folder(name: str) -> str:
    return _UNSAFE.sub("_", name).rstrip(". ") or "unknown"


def _model_info(model: str) -> dict[str, Any]:
    developer = model.partition("/")[0] if "/" in model else ""
    return {
        "name": model,
        "id": model,
        **({"developer": developer} if developer else {}),
        "additional_details": {"deployment_type": "unknown", "model_availability": "unknown"},
    }


def _result(evaluation: ScoresEvaluation, task: str, log: Log | None) -> dict[str, Any]:
    scores, estimate = evaluation.scores, evaluation.estimate
    details = {"n_items": str(estimate.n), "how": evaluation.how}
    if log is not None and not log.scored.all():
        details["answers_without_score"] = str(int(np.sum(~log.scored)))
    return {
        "evaluation_result_id": scores.name,
        "evaluation_name": task,
        "source_data": {"dataset_name": task, "source_type": "other"},
        "metric_config": _metric(scores),
        "score_details": {
            "score": estimate.value,
            "details": details,
            "uncertainty": _uncertainty(scores, estimate),
        },
    }


def _metric(scores: Scores) -> dict[str, Any]:
    return {
        "evaluation_description": f"mean {scores.name} over items",
        "metric_name": scores.name,
        "lower_is_better": not scores.greater_is_better,
        "score_type": "continuous",
        # The format writes an infinite limit as a word.
        "min_score": scores.low if math.isfinite(scores.low) else "-Infinity",
        "max_score": scores.high if math.isfinite(scores.high) else "Infinity",
    }


def _uncertainty(scores: Scores, estimate: Estimate) -> dict[str, Any]:
    """Return the field that most entries leave empty."""
    (name,) = scores.models
    items = scores.of_model(name)
    mean = cluster_mean(items)
    known: dict[str, Any] = {"num_samples": items.n}
    if math.isfinite(mean.se):
        clusters = f", {mean.units} clusters" if items.cluster is not None else ""
        known["standard_error"] = {"value": mean.se, "method": f"analytic{clusters}"}
    if items.n > 1:
        known["standard_deviation"] = float(np.std(items.values, ddof=1))
    interval = estimate.interval
    if interval is not None:
        known["confidence_interval"] = {
            "lower": interval.low,
            "upper": interval.high,
            "confidence_level": interval.level,
            "method": interval.method,
        }
    return known


def _lines(scores: Scores, log: Log | None, identity: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return a record for each score."""
    frame = scores.frame()
    texts = _texts(log)
    lines: list[dict[str, Any]] = []
    row: Any
    for row in frame.itertuples(index=False):
        key = (str(row.item), int(row.run) if log else row.run)
        question, reference, answer = (texts[part].get(key) for part in _PARTS)
        given = {"raw": question or "", "reference": [] if reference is None else [reference]}
        metadata = {}
        if scores.repeated:
            metadata["run"] = str(row.run)
        if scores.cluster is not None:
            metadata["cluster"] = str(row.cluster)
        lines.append(
            {
                **identity,
                "sample_id": str(row.item),
                "sample_hash": _hash(given) if question is not None else None,
                "interaction_type": "single_turn",
                "input": given,
                "output": {"raw": [] if answer is None else [answer]},
                "answer_attribution": [],
                "evaluation": {
                    "score": float(row.score),
                    "is_correct": bool(row.score == _best(scores)),
                },
                "metadata": metadata or None,
            }
        )
    return lines


_PARTS = ("question", "reference", "answer")


def _best(scores: Scores) -> float:
    return scores.high if scores.greater_is_better else scores.low


def _hash(given: Mapping[str, Any]) -> str:
    """Return the hash by which the project recognises a sample, in the way it prescribes."""
    text = json.dumps(given, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _texts(log: Log | None) -> dict[str, dict[tuple[str, int], str]]:
    """Return question, reference and answer of each sample, as far as the log still has them."""
    texts: dict[str, dict[tuple[str, int], str]] = {part: {} for part in _PARTS}
    for part, path in (FORMATS[log.format].texts if log else {}).items():
        assert log is not None
        try:
            column = _again(log, path)
        except LogError:  # a log may have been written without it
            continue
        keys = zip(log.item.tolist(), log.run.tolist(), strict=True)
        texts[part] = {
            key: text for key, text in zip(keys, column.tolist(), strict=True) if text is not None
        }
    return texts


def _again(log: Log, path: str) -> Anything:
    """Read one more field of a log."""
    records = [
        other
        for other in read_logs(
            log.path,
            task=log.task,
            score=log.metric,
            filter=log.filter or None,
            fields=(path,),
        )
        if other.name == (log.label if FORMATS[log.format].by_label and log.label else log.model)
    ]
    column: Anything = records[0].fields[path]
    return column
