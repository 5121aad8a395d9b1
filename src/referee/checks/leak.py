"""R013: a feature is the target under another name."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from referee.checks.check import Check
from referee.checks.context import Context
from referee.core.results import Finding, Severity

__all__ = ["LEAK", "check"]


_MOST = 5


def check(context: Context) -> Finding | None:
    """Report columns whose values stand one to one for the classes."""
    data = context.data
    if data is None or sparse.issparse(data.X) or np.ndim(data.X) != 2:
        return None  # documents, images and the like have no columns
    names = [str(c) for c in getattr(data.X, "columns", range(np.shape(data.X)[1]))]
    same = [name for k, name in enumerate(names) if _is_target(_column(data.X, k), data.codes)]
    if not same:
        return None
    listed = ", ".join(repr(name) for name in same[:_MOST])
    return LEAK.finding(
        f"column{'s' if len(same) > 1 else ''} {listed} tell the class of every row.",
    )


def _column(X: Any, k: int) -> Any:
    column = X.iloc[:, k] if hasattr(X, "iloc") else X[:, k]
    return np.asarray(column)


def _is_target(column: Any, codes: Any) -> bool:
    """Tell whether a column has one value for each class, and no other."""
    k = int(codes.max()) + 1
    first = [column[np.argmax(codes == c)] for c in range(k)]
    if len({str(v) for v in first}) < k:
        return False
    written = column.astype(str) if column.dtype == object else column
    expected = np.asarray([str(v) if column.dtype == object else v for v in first])
    return bool(np.all(written == expected[codes]))


LEAK = Check(
    "R013",
    title="the target is among the features",
    compute=check,
    cause="The values of a column stand one to one for the classes.",
    remedy="Drop them, unless they are known before the class is and really tell it.",
    severities=(Severity.SERIOUS,),
    needs_data=True,
)
