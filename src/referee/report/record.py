"""Results as plain dictionaries and lists, for JSON."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np

from referee.core.results import Verdict

if TYPE_CHECKING:
    from referee.comparing.comparison import Comparison
    from referee.comparing.datasets.datasets_comparison import DatasetsComparison
    from referee.judging.evaluation import Evaluation
    from referee.permuting.permutation_result import PermutationTest

__all__ = [
    "SCHEMA",
    "comparison_record",
    "datasets_record",
    "permutation_record",
    "plain_record",
    "record",
    "record_of",
]

SCHEMA = 1
"""Raised whenever a field changes its meaning; report/schema/ holds the schema of each."""


def record(result: Evaluation) -> dict[str, Any]:
    """Return the result for machines; nan becomes null.

    Examples
    --------
    >>> import referee
    >>> e = referee.evaluate_predictions([0, 1, 1, 0], [0, 1, 0, 0])
    >>> record(e)["estimates"]["error"]["value"]
    0.25
    """
    content = {
        "schema": SCHEMA,
        "kind": "evaluation",
        "name": result.name,
        "verdict": result.verdict,
        "estimates": result.estimates,
        "training_error": result.training_error,
        "optimism": result.optimism,
        "guessing": result.guessing,
        "search": result.search,
        "inflation": result.inflation,
        "findings": result.findings,
        "how": result.how,
        "methods": result.methods,
        "classes": result.predictions.classes,
        "pos_label": result.pos_label,
        "n": result.predictions.n,
        "provenance": result.provenance,
    }
    return {key: plain_record(value) for key, value in content.items()}


def comparison_record(result: Comparison) -> dict[str, Any]:
    """Return a comparison for machines.

    Examples
    --------
    >>> import referee
    >>> c = referee.compare_predictions([0, 1, 1, 0], {"a": [0, 1, 1, 0], "b": [0, 1, 0, 0]})
    >>> comparison_record(c)["pairs"][0]["evidence"]["p_value"]
    1.0
    """
    content = {
        "schema": SCHEMA,
        "kind": "comparison",
        "names": result.names,
        "measure": result.measure.name,
        "verdict": result.verdict,
        "difference": result.difference,
        "evidence": result.evidence,
        "pairs": result.pairs,
        "standings": result.standings,
        "omnibus": result.omnibus,
        "guessing": result.guessing,
        "findings": result.findings,
        "how": result.how,
        "methods": result.methods,
        "level": result.level,
        "rope": result.rope,
        "adjust": result.adjust,
        "pos_label": result.pos_label,
        "classes": next(iter(result.predictions.values())).classes,
        "provenance": result.provenance,
    }
    if result.others:
        content["others"] = [_other_record(other) for other in result.others.values()]
    return {key: plain_record(value) for key, value in content.items()}


def _other_record(result: Comparison) -> dict[str, Any]:
    """Return what a comparison by a further measure adds to that by the first."""
    return {
        "measure": result.measure.name,
        "difference": result.difference,
        "evidence": result.evidence,
        "pairs": result.pairs,
        "standings": result.standings,
    }


def datasets_record(result: DatasetsComparison) -> dict[str, Any]:
    """Return a comparison over data sets for machines."""
    content = {
        "schema": SCHEMA,
        "kind": "datasets-comparison",
        "names": result.names,
        "measure": result.measure,
        "greater_is_better": result.greater_is_better,
        "verdict": result.verdict,
        "friedman": result.friedman,
        "iman_davenport": result.iman_davenport,
        "evidence": result.evidence,
        "critical": result.critical,
        "pairs": [
            {"first": a, "second": b, "evidence": e, "sign": result.signs[a, b]}
            for (a, b), e in result.pairs.items()
        ],
        "posterior": result.posterior,
        "scores": {m: result.scores[m].tolist() for m in result.names},
        "datasets": [str(d) for d in result.scores.index],
        "methods": result.methods,
        "level": result.level,
        "rope": result.rope,
        "how": result.how,
        "findings": result.findings,
    }
    return {key: plain_record(value) for key, value in content.items()}


def permutation_record(result: PermutationTest) -> dict[str, Any]:
    """Return a permutation test for machines, with the value of every relabelling."""
    content = {
        "schema": SCHEMA,
        "kind": "permutation_test",
        "model": result.name,
        "measure": result.measure.name,
        "observed": result.observed,
        "p_value": result.p_value,
        "exceedances": result.exceedances,
        "permutations": len(result.null),
        "stopped": result.stopped,
        "hypothesis": result.evidence.null,
        "assumptions": result.evidence.assumptions,
        "flag": result.evidence.flag,
        "plan": result.plan,
        "how": result.how,
        "methods": result.methods,
        "null": result.null.tolist(),
        "level": result.level,
        "n": result.n,
        "verdict": result.verdict,
        "undefined": result.undefined,
        "provenance": result.provenance,
    }
    return {key: plain_record(value) for key, value in content.items()}


_RECORDS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "referee.judging.evaluation.Evaluation": record,
    "referee.comparing.comparison.Comparison": comparison_record,
    "referee.comparing.datasets.datasets_comparison.DatasetsComparison": datasets_record,
    "referee.permuting.permutation_result.PermutationTest": permutation_record,
}


def record_of(kind: type) -> Callable[[Any], dict[str, Any]] | None:
    """Return what makes the record of a kind of result without describing it, if there is such.

    Kinds are told by their names: reading one result should not import all that make the others.
    """
    return _RECORDS.get(f"{kind.__module__}.{kind.__qualname__}")


def plain_record(value: Any) -> Any:
    """Return a value of any of our types as dictionaries, lists and plain numbers.

    JSON has no nan and no infinity: they become null, and among the fields of one of our types
    "nonfinite" says which of them they are.

    Examples
    --------
    >>> plain_record({"a": (1, float("nan"))})
    {'a': [1, None]}
    >>> from referee.core.results import Interval
    >>> result = plain_record(Interval(low=0, high=math.inf, level=0.95, method="none"))
    >>> result["high"], result["nonfinite"]
    (None, {'high': 'infinity'})
    """
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        every = {f.name: getattr(value, f.name) for f in fields(value)}
        if isinstance(value, Verdict):
            every["shown"] = value.shown
        return plain_record(every) | _nonfinite(every)
    if isinstance(value, Mapping):
        return {str(k): plain_record(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_record(v) for v in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _nonfinite(every: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    names = {
        name: "nan" if math.isnan(v) else "infinity" if v > 0 else "-infinity"
        for name, v in every.items()
        if isinstance(v, (float, np.floating)) and not math.isfinite(v)
    }
    return {"nonfinite": names} if names else {}
