"""Each class against the rest: rates and precision with their intervals."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from referee.core.arrays import Label
from referee.core.results import Estimate
from referee.judging.estimating.measuring import Measuring
from referee.measures import MatrixMeasure, measure_named

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["class_estimates", "class_frame"]

_SHARES = ("tpr", "tnr", "precision")
_RESAMPLED = "f1"


def class_estimates(measuring: Measuring) -> dict[Label, dict[str, Estimate]]:
    """Return, for every class, its measures with that class as the positive one.

    They are those that the same judge gives for that positive class, to the last digit.
    """
    measure = measure_named(_RESAMPLED)
    assert isinstance(measure, MatrixMeasure)
    resampled = measuring.by_class(measure)
    return {
        label: replace(measuring, positive=label).estimates(_SHARES) | {_RESAMPLED: estimate}
        for label, estimate in resampled.items()
    }


def class_frame(measuring: Measuring) -> pd.DataFrame:
    """Return one row per class: its cases, and each measure with both ends of its interval."""
    import pandas as pd

    predictions = measuring.predictions
    counts = predictions.cell_counts.sum(axis=1)
    if not predictions.counts_suffice:
        tested = predictions.truth[predictions.unseen.cases]
        counts = np.bincount(tested, minlength=len(predictions.classes))
    rows = []
    for (label, estimates), n in zip(class_estimates(measuring).items(), counts, strict=True):
        row = {"class": label, "n": int(n)}
        for name, e in estimates.items():
            row[name] = e.value
            row[f"{name} low"] = e.interval.low if e.interval else float("nan")
            row[f"{name} high"] = e.interval.high if e.interval else float("nan")
        rows.append(row)
    return pd.DataFrame(rows).set_index("class")
