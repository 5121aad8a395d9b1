"""R005: a class too small for the splits."""

from __future__ import annotations

import numpy as np

from referee.checks.check import Check
from referee.checks.context import Context
from referee.core.arrays import Codes
from referee.core.dataset import Dataset, class_list
from referee.core.fold_split import FoldSplit
from referee.core.plan import Part, Split
from referee.core.results import Finding, Severity

__all__ = ["SMALL_CLASS", "check"]

_REDRAWN = 5
"""Classes below this size make the bootstrap redraw often enough to bias it."""


def check(context: Context) -> Finding | None:
    """Report classes that some training set lacks, or with fewer cases than there are folds."""
    data, plan = context.data, context.plan
    if data is None or plan is None or not data.classes:
        return None
    main = plan.part(Part.MAIN)
    lacking = np.zeros(len(data.classes), dtype=int)
    if plan.leaves_one_out and data.groups is None:
        lacking += data.class_counts == 1
    else:
        for split in main:
            lacking += _trained(split, data) == 0
    folds = sum(s.repetition == 0 for s in main) if plan.in_folds else 1
    if plan.with_replacement:
        folds = _REDRAWN
    small = np.flatnonzero((lacking > 0) | (data.class_counts < folds))
    if not small.size:
        return None
    names = class_list([data.classes[c] for c in small], data.class_counts[small].tolist())
    untrained = int((lacking > 0).sum())
    harm = (
        f"{untrained} of them missing from some training set, where it can never be recognised"
        if untrained
        else "some folds test none of their cases"
    )
    return SMALL_CLASS.finding(
        f"{small.size} of {len(data.classes)} classes are rare: {names}; {harm}.",
    )


def _trained(split: Split, data: Dataset) -> Codes:
    """Return how many cases of each class a split trains on."""
    k = len(data.classes)
    if isinstance(split, FoldSplit):  # all others train, and tested cases are fewer
        return data.class_counts - np.bincount(data.codes[split.test], minlength=k)
    return np.bincount(data.codes[split.train], minlength=k)


SMALL_CLASS = Check(
    "R005",
    title="classes too small for the splits",
    compute=check,
    cause=(
        "A class is missing from some training set, has fewer cases than there are folds, or "
        "fewer than five under the bootstrap."
    ),
    remedy="Collect more cases of these classes, merge them, or use fewer folds.",
    severities=(Severity.WARNING,),
    needs_data=True,
)
