"""R013: a feature is the target under another name."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy

from referee.checks.check import Check
from referee.checks.context import Context
from referee.core.results import Finding, Severity

__all__ = ["LEAK", "check"]


_MOST = 5


def check(context: Context) -> Finding | None:
    """Report columns that tell the target: one value for each class, or the quantity itself."""
    data = context.data
    if data is None or data.labels or scipy.sparse.issparse(data.X) or np.ndim(data.X) != 2:
        return None  # documents, images and the like have no columns
    names = [str(c) for c in getattr(data.X, "columns", range(np.shape(data.X)[1]))]
    tells = _is_quantity if data.numeric else _is_target
    same = [name for k, name in enumerate(names) if tells(_column(data.X, k), data.truth)]
    if not same:
        return None
    listed = ", ".join(repr(name) for name in same[:_MOST])
    what = "the target" if data.numeric else "the class"
    noun, verb = ("columns", "tell") if len(same) > 1 else ("column", "tells")
    return LEAK.finding(f"{noun} {listed} {verb} {what} of every row.")


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


def _is_quantity(column: Any, target: Any) -> bool:
    """Tell whether a column is the target, or a multiple of it and a constant."""
    if column.dtype.kind not in "iuf" or len(column) < 3:
        return False
    values = column.astype(float)
    if not np.isfinite(values).all() or np.ptp(values) == 0:
        return False
    away, own = values - values.mean(), target - target.mean()
    alike = float(away @ own) ** 2 / (float(away @ away) * float(own @ own))
    return bool(1 - alike < 1e-12)


LEAK = Check(
    "R013",
    title="the target is among the features",
    compute=check,
    cause=(
        "The values of a column stand one to one for the classes, or are the target itself, or a "
        "multiple of it."
    ),
    remedy="Drop them, unless they are known before the class is and really tell it.",
    severities=(Severity.SERIOUS,),
    needs_data=True,
)
