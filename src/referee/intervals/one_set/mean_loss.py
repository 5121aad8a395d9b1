"""The interval of a mean loss of given predictions: log loss, Brier score, cost.

Losses are skewed, and a few cases seldom show the long tail. What is returned reaches as far as
Willink's and Student's t interval and, where losses are bounded, as far as the exact interval at
the number of 0/1 cases they are worth. Groups are units with few degrees of freedom.

Where a class has fewer than three cases (groups) among few, its losses, mostly the large ones, were
hardly seen, and no spread of the others tells of them. Then a bounded loss gets the betting
interval, which is guaranteed, and any other none. So does a bounded loss of fewer than 50 cases.
A slow test of this file's name prints coverage.

References
----------
Willink (2005), Communications in Statistics: Theory and Methods 34. Korn and Graubard (1998),
Survey Methodology 24. Waudby-Smith and Ramdas (2024), J. Royal Statistical Society B 86.
"""

from __future__ import annotations

from dataclasses import replace

from referee.core.results import Interval
from referee.core.scores.scores import ItemScores
from referee.errors import Refusal
from referee.intervals import works
from referee.intervals.measure_interval import MeasureInterval
from referee.intervals.scores.cluster_mean import ClusterMean, cluster_mean
from referee.intervals.scores.effective_beta import effective_beta_of
from referee.intervals.scores.guaranteed import BETTING
from referee.intervals.scores.skewed_t import skewed_ends
from referee.intervals.scores.works import WILLINK_2005

__all__ = ["SKEWED_BETA", "mean_loss_interval", "summed_loss_interval"]

_FEWEST = 3
"""Cases or groups of a class that show what its losses are like."""

_MANY = 200
"""Among so many cases or groups a class of fewer than three hardly moves the mean."""


_SMALL = 50
"""Below so many cases a rare large loss is easily missed, whatever its class."""


def mean_loss_interval(
    items: ItemScores, rarest: int, *, worth: float = 1.0, level: float = 0.95
) -> Interval:
    """Return the interval of a mean loss, or refuse where the cases cannot show its tail.

    Parameters
    ----------
    items : ItemScores
        The loss of each case, with its limits, weights and groups.
    rarest : int
        Cases of the rarest class, or groups in which it occurs.
    worth : float
        How many independent cases one of these is worth after several fits; at most 1.

    Examples
    --------
    >>> import numpy as np
    >>> squares = np.array([0.04] * 40 + [0.25] * 12 + [0.81] * 8)
    >>> i = mean_loss_interval(ItemScores(values=squares, low=0.0, high=1.0), 8)
    >>> i.method, round(i.low, 2), round(i.high, 2)
    ('skewed-beta', 0.12, 0.27)
    """
    mean = cluster_mean(items)
    if mean.units < 10:
        raise Refusal(
            "fewer than ten cases or groups cannot show how much this varies", concerning="interval"
        )
    if rarest < _FEWEST and mean.units < _MANY:
        return _guaranteed(items, rarest, worth, level)
    if mean.units < _SMALL and items.cluster is None and _can_be_guaranteed(items, worth):
        return BETTING.compute(items, level)
    return summed_loss_interval(items, replace(mean, variance=mean.variance / worth), level=level)


def summed_loss_interval(
    items: ItemScores, spread: ClusterMean, *, level: float = 0.95
) -> Interval:
    """Return the interval of a mean loss whose mean and spread are known.

    Of the items only the limits of their losses are read.
    """
    low, high = skewed_ends(spread, spread.quantile(level))
    if not items.bounded:
        return Interval(low=max(low, items.low), high=high, level=level, method="skewed-t")
    beta = effective_beta_of(items, spread, level)
    return Interval(
        low=max(items.low, min(low, beta.low)),
        high=min(items.high, max(high, beta.high)),
        level=level,
        method=SKEWED_BETA.name,
    )


def _guaranteed(items: ItemScores, rarest: int, worth: float, level: float) -> Interval:
    seen = f"a class has only {rarest} cases or groups here, too few to show how large its losses"
    if not _can_be_guaranteed(items, worth):
        raise Refusal(f"{seen} are", remedy=f"test at least {_FEWEST}, better 10, of each class")
    return BETTING.compute(items, level)


def _can_be_guaranteed(items: ItemScores, worth: float) -> bool:
    return worth == 1 and items.bounded and BETTING.refusal(items) is None


SKEWED_BETA = MeasureInterval(
    "skewed-beta",
    title="the outer ends of Willink's t interval for a skewed mean and of the exact interval at "
    "the number of 0/1 cases that the losses are worth",
    formula=r"""$\bar e$ is the mean loss, as a share of the way from the least loss possible to the
greatest, $V$ its variance over cases (or groups), $a$ a sixth of the skewness of that mean, $t$ has
Satterthwaite's degrees of freedom and $B$ is a quantile of the beta law. The interval holds the
$\mu$ for which either of these is at most $t$,

$$
|x|, \quad |x + a + 2 a x^2 + \frac{4}{3} a^2 x^3|, \quad
\text{where } x = (\bar e - \mu) / \sqrt{V},
$$

and reaches at least as far as the exact interval at $m$ cases of loss 0 or 1:

$$
m = \frac{\bar e (1 - \bar e)}{V} \left(\frac{z}{t}\right)^2, \quad
[\, B(\alpha/2;\; \bar e m,\; m - \bar e m + 1),\quad
B(1 - \alpha/2;\; \bar e m + 1,\; m - \bar e m) \,]
$$
""",
    measured=(
        "Log loss, Brier score and cost of 30 cases, and of 15 groups: at least .93 but for the "
        "simulation's error in every cell (`pytest -m slow "
        "tests/intervals/one_set/test_mean_loss.py -s`)."
    ),
    citations=(WILLINK_2005, works.KORN),
    assumptions=("the losses seen show how skewed losses are",),
    at_size=None,
)
