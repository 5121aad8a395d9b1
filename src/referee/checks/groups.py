"""R003: a group stands on both sides of a split (E9)."""

from __future__ import annotations

import numpy as np

from referee.checks.context import Context
from referee.core.plan import Part
from referee.core.results import Finding, Severity

__all__ = ["check"]

CODE = "R003"


def check(context: Context) -> Finding | None:
    """Report splits that test a group on which the model was partly trained."""
    if context.data is None or context.plan is None or context.data.groups is None:
        return None
    groups = context.data.groups
    main = context.plan.part(Part.MAIN)
    broken = 0
    torn: set[int] = set()
    for split in main:
        unseen = np.setdiff1d(split.test, split.train)
        both = np.intersect1d(groups[split.train], groups[unseen])
        broken += both.size > 0
        torn.update(int(g) for g in both)
    if not broken:
        return None
    return Finding(
        code=CODE,
        severity=Severity.SERIOUS,
        title="groups are split",
        message=(
            f"{len(torn)} of {int(groups.max()) + 1} groups stand on both sides of a split "
            f"({broken} of {len(main)} splits); the model is tested on old acquaintances."
        ),
        remedy="Use by='cv', 'holdout' or 'loo', or a Group splitter, which keep groups whole.",
    )
