"""R017: errors come in stretches of time."""

from __future__ import annotations

from referee.checks.check import Check
from referee.checks.context import Context
from referee.core.results import Finding, Severity
from referee.intervals.one_set.dependent.serial_n import slow_movement
from referee.measures.losses import Losses

__all__ = ["SERIAL_LOSSES", "check"]

_CHANCE = 1e-3


def check(context: Context) -> Finding | None:
    """Report losses that move slowly in time, as those of independent cases do not."""
    p = context.predictions
    if p is None or p.moment is None or p.numeric or not len(p.unseen.case):
        return None
    losses = Losses.of(p.unseen)
    assert losses.case_moment is not None
    slow = slow_movement(losses.per_case, losses.case_moment, losses.case_weight)
    if slow.chance >= _CHANCE:
        return None
    seen = context.interval
    worth = ""
    if seen is not None and seen.n_effective is not None:
        worth = f" The {losses.n} tested cases count as {seen.n_effective:.0f} independent ones."
    return SERIAL_LOSSES.finding(
        f"errors come in stretches of time: their mean varies {slow.ratio:.1f} times as much as "
        f"that of independent cases would.{worth}",
    )


SERIAL_LOSSES = Check(
    "R017",
    title="errors come in stretches of time",
    compute=check,
    cause="Cases that follow each other in time are answered wrongly together more often than "
    "chance allows: labels persist, or the world drifts away from what was learned.",
    remedy="Test over a longer time, not on more cases of the same one; look at the error over "
    "time before relying on its mean.",
    severities=(Severity.WARNING,),
)
