"""Point ± z standard errors: the shape that nested-cv, conservative-z and cv-clt share.

The shape is Wald's and has Wald's fault: where (almost) no error was seen the standard error is
(almost) 0, and the interval claims a certainty that no sample gives. Such intervals are flagged.
"""

from __future__ import annotations

import scipy

from referee.core.results import Interval, Target, check_level
from referee.errors import arg
from referee.measures.losses import Losses

__all__ = ["around"]

_FEW = 5


def around(
    point: float,
    error: float,
    losses: Losses,
    level: float,
    *,
    method: str,
    target: Target,
    flag: str = "",
) -> Interval:
    """Return point ± z error, flagged where the losses are too few or too alike.

    Parameters
    ----------
    point, error : float
        The estimate and its standard error.
    losses : Losses
        What the estimate was read from.
    flag : str
        What is to be said against the method in any case.
    """
    half = float(scipy.special.ndtri((1 + check_level(level)) / 2)) * error
    point = min(losses.greatest, max(0.0, point))
    return Interval(
        low=max(0.0, point - half),
        high=min(losses.greatest, point + half),
        level=level,
        method=method,
        target=target,
        flag="; ".join(said for said in (flag, _collapse(losses, half)) if said),
    )


def _collapse(losses: Losses, half: float) -> str:
    errors = losses.mean * losses.n
    if half == 0:
        return (
            "the losses show no variation, so the interval has no width, which no sample can "
            f"justify; use effective-jeffreys over {arg('by', '10x10')}"
        )
    if losses.zero_one and min(errors, losses.n - errors) < _FEW:
        return (
            f"fewer than {_FEW} cases went the rarer way, where an interval of this shape covers "
            f"less than it says; use effective-jeffreys over {arg('by', '10x10')}"
        )
    return ""
