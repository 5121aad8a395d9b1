"""Rows of an earlier run, of which only the table was kept: taken where draws are fewer.

Their limits are made anew from how many data sets they rest on, so that all limits of the table
hold in the same sense.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from referee.study.calibration.limits import counted

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["filled_in"]

_KEYS = ["section", "method", "by", "target", "cell", "quantity"]


def filled_in(table: pd.DataFrame, earlier: pd.DataFrame) -> pd.DataFrame:
    """Return the rows that rest on most data sets, in the order of the earlier table.

    Enumerated rows of the first table replace earlier ones.
    """
    import pandas as pd

    own = {tuple(row[key] for key in _KEYS): row for row in table.to_dict("records")}
    rows: list[dict[Any, Any]] = []
    for row in earlier.to_dict("records"):
        mine = own.get(tuple(row[key] for key in _KEYS))
        if mine is not None and mine["repetitions"] >= row["repetitions"]:
            rows.append(own.pop(tuple(row[key] for key in _KEYS)))
            continue
        own.pop(tuple(row[key] for key in _KEYS), None)
        rows.append(_limited_anew(row))
    return pd.DataFrame([*rows, *own.values()])[list(earlier.columns)]


def _limited_anew(row: dict[Any, Any]) -> dict[Any, Any]:
    n, value = int(row["repetitions"]), float(row["value"])
    if n == 0 or str(row["quantity"]).startswith("adjusted"):
        return row
    share = counted(np.arange(n) < round(value * n), row["quantity"], planned=int(row["planned"]))
    # What an uncertain truth added to the error, it adds to the limits.
    extra = math.sqrt(max(0.0, float(row["error"]) ** 2 - share.error**2))
    low = max(0.0, share.value - math.hypot(share.value - share.low, 2 * extra))
    high = min(1.0, share.value + math.hypot(share.high - share.value, 2 * extra))
    return row | {"low": float(f"{low:.6g}"), "high": float(f"{high:.6g}")}
