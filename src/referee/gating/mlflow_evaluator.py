"""An evaluator for MLflow: interval ends as metrics, the report as an artifact.

MLflow finds it by the entry point ``mlflow.model_evaluator``.
``mlflow.models.evaluate(..., evaluators=["referee"], evaluator_config={"referee": {"baseline":
"baseline.json", "margin": 0.01}})`` holds the model against a baseline; without one its
own error is estimated.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from referee.errors import InputError, nearest
from referee.gating.gate import gate
from referee.gating.sides.baseline import Baseline, read_baseline
from referee.judging.evaluate_predictions import evaluate_predictions

try:
    from mlflow.models.evaluation.base import ModelEvaluator
except ModuleNotFoundError:  # whoever reads the module without mlflow
    ModelEvaluator = object

__all__ = ["RefereeEvaluator"]

_PLACE = "referee"
_ALONE = ("level", "pos_label")
_OPTIONS = (*_ALONE, "margin", "claim", "measure", "undecided", "sequential", "version", "figures")
_COLUMNS = ("on", "groups")
_KNOWN = ("baseline", *_OPTIONS, *_COLUMNS)


class RefereeEvaluator(ModelEvaluator):  # type: ignore[misc]
    """Judge classifiers; see the module."""

    @classmethod
    def can_evaluate(
        cls, *, model_type: str, evaluator_config: Mapping[str, Any], **_: Any
    ) -> bool:
        """Tell whether it is a classifier that is to be evaluated."""
        return model_type == "classifier"

    def evaluate(
        self,
        *,
        model_type: str,
        dataset: Any,
        run_id: str,
        evaluator_config: Mapping[str, Any],
        model: Any = None,
        **_: Any,
    ) -> Any:
        """Judge the predictions, log figures and report, and return the figures."""
        from mlflow import MlflowClient
        from mlflow.models import EvaluationResult
        from mlflow.models.evaluation.artifacts import JsonEvaluationArtifact

        predicted = (
            dataset.predictions_data if model is None else model.predict(dataset.features_data)
        )
        predicted, truth = np.asarray(predicted), np.asarray(dataset.labels_data)
        result, flat = _judged(truth, predicted, dataset, dict(evaluator_config or {}))
        metrics = {
            f"referee_{name}": float(value)
            for name, value in flat.items()
            if isinstance(value, (int, float)) and math.isfinite(value)
        }
        client = MlflowClient()
        for name, value in metrics.items():
            client.log_metric(run_id, name, value)
        for name in ("outcome", "sentence"):
            client.set_tag(run_id, f"referee.{name}", str(flat[name])[:5000])
        with tempfile.TemporaryDirectory() as work:
            client.log_artifacts(run_id, str(result.save(Path(work) / "report")), _PLACE)
        uri = f"{client.get_run(run_id).info.artifact_uri}/{_PLACE}/results.json"
        kept = JsonEvaluationArtifact(uri=uri, content=flat)
        return EvaluationResult(metrics=metrics, artifacts={"referee": kept})


def _judged(
    truth: Any, predicted: Any, dataset: Any, config: dict[str, Any]
) -> tuple[Any, dict[str, Any]]:
    _refuse_unknown(config)
    options = {name: config[name] for name in _OPTIONS if name in config}
    if "baseline" not in config:
        alone = evaluate_predictions(truth, predicted, **options)
        i = alone.error.interval
        flat = {"error": alone.error.value, "n": alone.error.n, "sentence": alone.verdict.sentence}
        if i is not None:
            flat |= {"error_low": i.low, "error_high": i.high}
        return alone, {**flat, "outcome": alone.verdict.outcome.value}
    columns = {
        name: _column(dataset, name, config[name])
        for name in _COLUMNS
        if config.get(name) is not None
    }
    ids = columns.get("on")
    kept = config["baseline"]
    if isinstance(kept, (str, Path)):
        kept = _of_predictions(read_baseline(kept))
        truth, predicted = (_as_kept(values, kept) for values in (truth, predicted))
        old = _baseline_answers(kept, truth, ids)
    else:
        old = np.asarray(kept)
    held = gate(old, predicted, y_true=truth, ids=ids, groups=columns.get("groups"), **options)
    return held, held.flat()


def _refuse_unknown(config: Mapping[str, Any]) -> None:
    """Refuse settings that would be left unused: a gate that ignores groups answers otherwise."""
    for name in config:
        if name not in _KNOWN:
            raise InputError(
                f"evaluator_config['{name}'] is unknown",
                remedy=nearest(str(name), _KNOWN),
            )
        if "baseline" not in config and name not in _ALONE:
            raise InputError(
                f"evaluator_config['{name}'] belongs to a gate, and there is no baseline",
                remedy="name one as evaluator_config['baseline']",
            )


def _column(dataset: Any, setting: str, name: str) -> Any:
    features = dataset.features_data
    if name not in features:
        raise InputError(
            f"evaluator_config['{setting}'] names the column {name!r}, which the data do not have",
            remedy=nearest(str(name), tuple(map(str, features))),
        )
    return np.asarray(features[name])


def _of_predictions(kept: Baseline) -> Baseline:
    if kept.kind != "predictions":
        raise InputError(
            f"{kept.path} holds scores, and MLflow's evaluator judges predictions",
            at=str(kept.path),
        )
    return kept


def _as_kept(values: Any, kept: Baseline) -> Any:
    """Return labels as the baseline has them: 1.0 and True are its 1, where it has one."""
    known = {str(v): v for name in ("truth", "pred") for v in kept.columns[name]}

    def same(value: Any) -> Any:
        text = str(value)
        if text not in known and isinstance(value, (bool, float)) and float(value).is_integer():
            text = str(int(value))
        return known.get(text, value)

    return np.array([same(v) for v in np.asarray(values).tolist()])


def _baseline_answers(kept: Baseline, truth: Any, ids: Any) -> Any:
    """Return the baseline's predictions in the order of the data, which must be its own."""
    if ids is not None and "id" not in kept.columns:
        raise InputError(
            f"{kept.path} has no ids to join by",
            concerning="on",
            at=str(kept.path),
            remedy="save it anew with referee baseline save --on, or leave out "
            "evaluator_config['on']",
        )
    old, right = (np.asarray(kept.columns[name]) for name in ("pred", "truth"))
    if ids is not None:
        rows = {name: row for row, name in enumerate(kept.columns["id"])}
        names = [str(name) for name in ids]
        lacking = [name for name in names if name not in rows]
        if lacking or len(names) != kept.n:
            raise InputError(
                f"{kept.path} was saved from other cases; {len(lacking)} ids are new",
                at=str(kept.path),
            )
        order = [rows[name] for name in names]
        old, right = old[order], right[order]
    if len(right) == len(truth) and all(
        str(a) == str(b) for a, b in zip(right, truth, strict=True)
    ):
        return old
    labels, others = (sorted({str(v) for v in values}) for values in (right, truth))
    if set(others) - set(labels):
        raise InputError(
            f"{kept.path} has the labels {', '.join(labels[:6])}, and the data have "
            f"{', '.join(others[:6])}",
            remedy="give labels the names they had when the baseline was saved, or save it anew",
        )
    raise InputError(
        f"{kept.path} was saved from other cases (fingerprint {kept.cases}), or in another order",
        at=str(kept.path),
        remedy="name a column of ids as evaluator_config['on'], or save it anew",
    )
