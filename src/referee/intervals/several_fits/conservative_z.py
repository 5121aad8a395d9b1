"""Conservative z: the variance of a repeated holdout, seen on halves that share no case.

A repeated holdout has no unbiased estimate of its variance, since its splits share cases. Two
disjoint halves share none: for M random halvings, with mu the same repeated holdout inside either
half (as many cases tested, fewer trained on),

    sigma^2 = sum over m of (mu_m - mu'_m)^2 / (2 M),        interval  point ± z sigma

with the point from all cases. Models of half the cases vary more than those of all, hence
conservative.

References
----------
Nadeau and Bengio (2003), Inference for the generalization error, Machine Learning 52.
"""

from __future__ import annotations

import math

import numpy as np

from referee.core.arrays import Floats
from referee.core.plan import Part
from referee.core.results import Interval, Target
from referee.core.situation import Situation
from referee.errors import InputError, arg
from referee.intervals import works
from referee.intervals.one_set.normal import around
from referee.intervals.risk import NORMAL, RiskInterval, RiskSample, both_targets
from referee.measures.losses import Losses

__all__ = ["CONSERVATIVE_Z", "conservative_z"]


def conservative_z(losses: Losses, halves: Losses, level: float = 0.95) -> Interval:
    """Return point ± z sigma for the learning procedure, sigma from pairs of disjoint halves.

    Parameters
    ----------
    losses : Losses
        Of a repeated holdout on all cases.
    halves : Losses
        Of the same inside halves; repetition 2 m is one half of the m-th halving, 2 m + 1 the
        other.

    Examples
    --------
    >>> wrong = (np.arange(40) % 5 == 0).astype(float)
    >>> split, nothing = np.arange(40) // 10, np.zeros(40)
    >>> i = conservative_z(Losses(wrong, np.arange(40), split, split, nothing),
    ...     Losses(wrong * (split % 2), np.arange(40), split, split, nothing))
    >>> round(i.low, 3), round(i.high, 3)
    (0.0, 0.477)
    """
    of_half = _half_means(halves)
    apart = of_half[::2] - of_half[1::2]
    sigma = math.sqrt(float(np.sum(apart**2)) / (2 * len(apart)))
    return around(
        losses.mean, sigma, losses, level, method="conservative-z", target=Target.EXPECTED
    )


def _half_means(halves: Losses) -> Floats:
    numbers, half = np.unique(halves.repetition, return_inverse=True)
    if not np.array_equal(numbers, np.arange(len(numbers))) or len(numbers) % 2:
        raise InputError("conservative-z needs both halves of every halving", concerning="halves")
    weight = np.ones(len(half)) if halves.weight is None else halves.weight
    sums = np.bincount(half, weights=halves.value * weight)
    return np.asarray(sums / np.bincount(half, weights=weight))


def _refusal(situation: Situation) -> str | None:
    if Part.HALF_HOLDOUTS in situation.parts:
        return None
    asked, plan = arg("interval", "conservative-z"), arg("by", "conservative-z")
    return f"{asked} needs disjoint halves; use {plan}"


def _of_sample(sample: RiskSample) -> Interval:
    assert sample.half_holdouts is not None
    return conservative_z(sample.losses, sample.half_holdouts, sample.level)


CONSERVATIVE_Z = RiskInterval(
    "conservative-z",
    title="the conservative z interval over disjoint halves",
    formula=r"""$\mu_m$ and $\mu'_m$ are the errors of the same repeated holdout in the two halves
of the $m$-th of $M$ random halvings, $\bar e$ that of all cases, $z$ the normal quantile.

$$
\sigma^2 = \frac{1}{2 M} \sum_{m=1}^{M} (\mu_m - \mu'_m)^2, \quad \bar e \pm z \sigma
$$
""",
    citations=(works.NADEAU_BENGIO,),
    target=Target.EXPECTED,
    assumptions=("training on 90 % of the cases gives about the same error", NORMAL),
    refusal=_refusal,
    compute=_of_sample,
    by="conservative-z",
    of_all_cases=True,
    tried=both_targets("conservative-z"),
)
