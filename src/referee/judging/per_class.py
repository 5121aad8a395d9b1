"""Each class against the rest: rates and precision with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from referee.core.arrays import Label
from referee.core.predictions import Predictions
from referee.core.results import Estimate
from referee.judging.measuring import Measuring

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["class_estimates", "class_frame"]

_SHOWN = ("tpr", "tnr", "precision", "f1")


def class_estimates(predictions: Predictions, level: float) -> dict[Label, dict[str, Estimate]]:
    """Return, for every class, its measures with that class as the positive one."""
    return {
        label: Measuring(predictions=predictions, positive=label, level=level).estimates(_SHOWN)
        for label in predictions.classes
    }


def class_frame(predictions: Predictions, level: float) -> pd.DataFrame:
    """Return one row per class: its cases, and each measure with both ends of its interval."""
    import pandas as pd

    counts = np.bincount(
        predictions.truth[predictions.unseen.cases], minlength=len(predictions.classes)
    )
    rows = []
    for (label, estimates), n in zip(
        class_estimates(predictions, level).items(), counts, strict=True
    ):
        row = {"class": label, "n": int(n)}
        for name, e in estimates.items():
            row[name] = e.value
            row[f"{name} low"] = e.interval.low if e.interval else float("nan")
            row[f"{name} high"] = e.interval.high if e.interval else float("nan")
        rows.append(row)
    return pd.DataFrame(rows).set_index("class")
