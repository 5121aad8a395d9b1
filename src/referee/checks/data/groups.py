"""R003: a group stands on both sides of a split."""

from __future__ import annotations

import numpy as np

from referee.checks.check import Check
from referee.checks.context import Context
from referee.core.plan import Part
from referee.core.results import Finding, Severity
from referee.errors import arg

__all__ = ["GROUPS", "check"]


def check(context: Context) -> Finding | None:
    """Report splits that test a group on which the model was partly trained."""
    if context.data is None or context.plan is None or context.data.groups is None:
        return None
    groups = context.data.groups
    main = context.plan.part(Part.MAIN)
    broken = 0
    torn: set[int] = set()
    for split in main:
        both = np.intersect1d(groups[split.train], groups[split.unseen])
        broken += both.size > 0
        torn.update(int(g) for g in both)
    if not broken:
        return None
    return GROUPS.finding(
        (
            f"{len(torn)} of {int(groups.max()) + 1} groups stand on both sides of a split "
            f"({broken} of {len(main)} splits); the model is tested on old acquaintances."
        ),
    )


GROUPS = Check(
    "R003",
    title="groups are split",
    compute=check,
    cause=(
        "A group stands on both sides of a split, which only a splitter or index pairs of "
        "one's own can do."
    ),
    remedy=lambda: (
        f"Use {arg('by', 'cv')}, holdout or loo, or a Group splitter, which keep groups whole."
    ),
    severities=(Severity.SERIOUS,),
    needs_data=True,
)
