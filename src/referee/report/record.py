"""Results as plain dictionaries and lists, for JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

import numpy as np

from referee.evaluation.evaluation import Evaluation

__all__ = ["record"]

SCHEMA = 1
"""Raised whenever a field changes its meaning."""


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
        "findings": result.findings,
        "how": result.how,
        "classes": result.predictions.classes,
        "pos_label": result.pos_label,
        "n": result.predictions.n,
        "provenance": result.provenance,
    }
    return {key: _plain(value) for key, value in content.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
