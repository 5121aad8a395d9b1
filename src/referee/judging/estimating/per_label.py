"""Each label of label sets on its own: who has it and who was said to, with intervals.

A label alone is a task of two classes on the same cases and the same plan, so it is judged as one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from referee.core.labels.label_tables import label_table
from referee.core.results import Estimate
from referee.judging.estimating.measuring import Measuring

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["label_estimates", "label_frame"]

_MEASURES = ("error", "tpr", "tnr", "precision", "f1")


def label_estimates(measuring: Measuring) -> dict[str, dict[str, Estimate]]:
    """Return, for every label, its measures with "has the label" as the positive class."""
    table = measuring.predictions
    assert table.label_sets is not None
    return {
        label: replace(measuring, predictions=label_table(table, at), positive=1).estimates(
            _MEASURES
        )
        for at, label in enumerate(table.label_sets.labels)
    }


def label_frame(measuring: Measuring) -> pd.DataFrame:
    """Return one row per label: the cases that have it, each measure and its interval's ends."""
    import pandas as pd

    table = measuring.predictions
    assert table.label_sets is not None
    tested = table.label_sets.members[table.truth[table.unseen.cases]]
    rows = []
    for at, (label, estimates) in enumerate(label_estimates(measuring).items()):
        row: dict[str, object] = {"label": label, "n": int(np.count_nonzero(tested[:, at]))}
        for name, e in estimates.items():
            row[name] = e.value
            row[f"{name} low"] = e.interval.low if e.interval else float("nan")
            row[f"{name} high"] = e.interval.high if e.interval else float("nan")
        rows.append(row)
    return pd.DataFrame(rows).set_index("label")
