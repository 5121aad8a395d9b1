"""Label sets in a bundle: which labels each class stands for, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from referee.core.labels.label_sets import LabelSets
from referee.core.predictions import Predictions
from referee.vault.bundle.contradiction import Contradiction

__all__ = ["label_sets_record", "with_label_sets"]

_REQUEST = "request.json"


def label_sets_record(table: Predictions) -> dict[str, Any]:
    """Return the labels and the members of every set; nothing where classes are single ones."""
    sets = table.label_sets
    if sets is None:
        return {}
    members = [np.flatnonzero(row).tolist() for row in sets.members]
    return {"label_sets": {"labels": list(sets.labels), "members": members}}


def with_label_sets(table: Predictions, asked: Mapping[str, Any]) -> Predictions:
    """Return the table with its label sets, if their members are what their names say."""
    record = asked.get("label_sets")
    if record is None:
        return table
    try:
        labels = tuple(str(label) for label in record["labels"])
        members = np.zeros((len(record["members"]), len(labels)), dtype=bool)
        for row, held in enumerate(record["members"]):
            members[row, held] = True
        sets = LabelSets(labels, members)
        names = sets.names
    except (TypeError, ValueError, KeyError, IndexError, StopIteration) as problem:
        raise Contradiction(_REQUEST, f"its label sets cannot be read ({problem})") from None
    if names != table.classes:
        raise Contradiction(_REQUEST, "its label sets are not those of the predictions")
    return replace(table, label_sets=sets)
