"""R016: a column looks like the id of units in several rows, and no groups were given."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from referee.checks.check import Check
from referee.checks.context import Context
from referee.core.arrays import Codes
from referee.core.dataset import Dataset
from referee.core.results import Finding, Severity
from referee.errors import arg

__all__ = ["REPEATED_IDS", "check"]

_WORDS = frozenset(
    {"id", "ids", "uid", "pid", "sid", "mrn", "patient", "subject", "person", "user", "customer"}
    | {"client", "animal", "donor", "participant", "individual", "household", "family", "member"}
    | {"student", "speaker", "author", "slide", "scan", "session"}
)
_FEWEST = 10
"""Distinct values from which on a column may number units."""
_REPEATS = 1.5
"""Rows per value from which on units count as repeated."""
_CONSTANT = 0.95
"""Share of repeated values whose rows all have one class, in a column without a telling name."""
_BY_CHANCE = 0.5
_COMMONEST = 0.5
"""Share of rows that one value may have: an amount is often 0, a patient is not half the table."""


def check(context: Context) -> Finding | None:
    """Report the first column that numbers units which occur in several rows."""
    data = context.data
    if data is None or data.groups is not None or not hasattr(data.X, "columns"):
        return None
    for position, name in enumerate(data.columns):
        description = _units(data, position, name)
        if description:
            return REPEATED_IDS.finding(
                f"column {name} {description}; it was used as a feature, and rows of one value may "
                "stand on both sides of a split.",
                remedy=(
                    f"If it says which rows belong together, pass it as {arg('groups')}; otherwise "
                    "leave it out."
                ),
            )
    return None


def _units(data: Dataset, position: int, name: str) -> str:
    """Say in what a column is like an id of repeated units; empty where it is not."""
    codes = _codes(data.X.iloc[:, position] if hasattr(data.X, "iloc") else data.X[name])
    if codes is None:
        return ""
    sizes = np.bincount(codes)
    if len(sizes) < _FEWEST or len(codes) / len(sizes) < _REPEATS:
        return ""
    repeated, constant, chance = _constant(data, codes, sizes)
    scattered = sizes.max() <= _COMMONEST * len(codes)
    pure = (
        scattered
        and repeated > 0
        and constant / repeated >= _CONSTANT
        and chance / repeated <= _BY_CHANCE
    )
    if not pure and not _called_so(name):
        return ""
    description = (
        f"has {len(sizes)} values in {len(codes)} rows, as the numbers of patients or subjects do"
    )
    if pure:
        description += f", and in {constant} of {repeated} that occur again all rows have one class"
    return description


def _called_so(name: str) -> bool:
    """Tell whether a column is called after units.

    Examples
    --------
    >>> _called_so("PatientID"), _called_so("subject_no"), _called_so("width")
    (True, True, False)
    """
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)
    return any(word.lower() in _WORDS for word in words)


def _codes(column: Any) -> Codes | None:
    """Return a code per value of a column of whole numbers or text; None for other columns."""
    values = np.asarray(column)
    if values.dtype.kind == "f":
        whole = np.isfinite(values).all() and np.all(values == np.round(values))
        if not whole:
            return None
    elif values.dtype.kind not in "iuOSU":
        return None
    keys = values if values.dtype.kind in "iuf" else np.array([str(v) for v in values])
    return np.asarray(np.unique(keys, return_inverse=True)[1], dtype=np.intp)


def _constant(data: Dataset, codes: Codes, sizes: Codes) -> tuple[int, int, float]:
    """Return how many values repeat, in how many of them one class only occurs, and by chance."""
    if not data.classes:
        return 0, 0, 0.0
    k = len(data.classes)
    counts = np.bincount(codes * k + data.codes, minlength=len(sizes) * k).reshape(-1, k)
    again = sizes > 1
    pure = (counts.max(axis=1) == sizes) & again
    shares = data.class_counts / data.n
    by_size = {int(m): float(np.sum(shares**m)) for m in np.unique(sizes[again])}
    chance = sum(by_size[int(m)] for m in sizes[again])
    return int(again.sum()), int(pure.sum()), float(chance)


REPEATED_IDS = Check(
    "R016",
    title="a column looks like an id of repeated units",
    compute=check,
    cause=(
        "Without groups, a column of text or whole numbers is called like an id (patient, subject, "
        "user ...) and repeats its values, or the rows of nearly all repeated values have one "
        "class, far more often than chance allows."
    ),
    remedy=lambda: f"Pass the column as {arg('groups')}, or leave it out.",
    severities=(Severity.WARNING,),
    needs_data=True,
)
