"""R009: columns that tell nothing."""

from __future__ import annotations

from typing import Any

import numpy as np

from referee.checks.check import Check
from referee.checks.context import Context
from referee.core.dataset import Dataset
from referee.core.results import Finding, Severity
from referee.core.showing.counting import few

__all__ = ["EMPTY_COLUMNS", "check"]


def check(context: Context) -> Finding | None:
    """Report columns that are constant or missing throughout."""
    data = context.data
    if data is None or hasattr(data.X, "tocsr") or len(data.X.shape) < 2:
        return None
    missing, constant = _useless(data)
    if not missing and not constant:
        return None
    parts = [
        f"{what} ({len(names)}): {few(names, most=8)}"
        for what, names in (("entirely missing", missing), ("constant", constant))
        if names
    ]
    return EMPTY_COLUMNS.finding(
        "; ".join(parts) + ".",
    )


def _useless(data: Dataset) -> tuple[list[str], list[str]]:
    import pandas as pd

    missing, constant = [], []
    for position, name in enumerate(data.columns):
        values = _column(data.X, position)
        gone = np.asarray(pd.isna(values))
        if gone.all():
            missing.append(name)
        elif not gone.any() and (values == values[0]).all():
            constant.append(name)
    return missing, constant


def _column(X: Any, position: int) -> Any:
    if hasattr(X, "iloc"):
        return np.asarray(X.iloc[:, position])
    return np.asarray(X[:, position])


EMPTY_COLUMNS = Check(
    "R009",
    title="columns that tell nothing",
    compute=check,
    cause="Columns are constant or missing throughout.",
    remedy="Drop them, or find out why they are empty.",
    severities=(Severity.NOTE,),
    needs_data=True,
)
