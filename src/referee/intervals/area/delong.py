"""Intervals of an area under the ROC curve from DeLong's variance, plain and on the logit scale.

References
----------
DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44.
"""

from __future__ import annotations

import math

from scipy import special

from referee.core.results import Interval, Target, check_level
from referee.intervals import works
from referee.intervals.area.area_interval import AreaInterval
from referee.intervals.area.placements import Placements

__all__ = ["DELONG", "LOGIT_DELONG", "delong", "logit_delong"]

_FLAG = "covers too seldom near 1 (.56 at an area of .98 with 10 + 10 cases)"


def delong(p: Placements, level: float = 0.95) -> Interval:
    """Return area ± z se, within [0, 1]; flagged, as it fails near 1.

    Examples
    --------
    >>> import numpy as np
    >>> from referee.intervals.area.placements import placements
    >>> rng = np.random.default_rng(0)
    >>> positive = np.arange(100) < 50
    >>> i = delong(placements(positive, rng.normal(size=100) + positive))
    >>> 0.5 < i.low < i.high < 0.95
    True
    """
    half = quantile(level, p.df) * math.sqrt(p.variance)
    if math.isnan(half):
        return _unknown(level, "delong")
    return Interval(
        low=max(0.0, p.auc - half),
        high=min(1.0, p.auc + half),
        level=level,
        method="delong",
        flag=_FLAG,
    )


def logit_delong(p: Placements, level: float = 0.95) -> Interval:
    """Return DeLong's interval made on the logit scale; no width at an area of 0 or 1."""
    if math.isnan(p.variance):
        return _unknown(level, "logit-delong")
    if p.variance == 0:
        return Interval(
            low=p.auc,
            high=p.auc,
            level=level,
            method="logit-delong",
            flag="all placements are the same, so the interval has no width",
        )
    centre = special.logit(p.auc)
    half = quantile(level, p.df) * math.sqrt(p.variance) / (p.auc * (1 - p.auc))
    return Interval(
        low=float(special.expit(centre - half)),
        high=float(special.expit(centre + half)),
        level=level,
        method="logit-delong",
    )


def _unknown(level: float, method: str) -> Interval:
    return Interval(
        low=0.0,
        high=1.0,
        level=check_level(level),
        method=method,
        flag="a class has one case only, so its variance is not known",
    )


def quantile(level: float, df: float = math.inf) -> float:
    """Return the quantile of Student's t for a two-sided level; the normal law's where df is not.

    Examples
    --------
    >>> round(quantile(0.95), 3), round(quantile(0.95, 9), 3)
    (1.96, 2.262)
    """
    share = (1 + check_level(level)) / 2
    # What scipy.stats.t answers, without its third of a second to load.
    return float(special.stdtrit(df, share))


DELONG = AreaInterval(
    "delong",
    title="DeLong's variance",
    formula=r"""$A$ is the area of $m$ positives and $n$ negatives. Each positive is placed by the
share of negatives below it, each negative by the share of positives above it (ties count half);
$s_+^2$ and $s_-^2$ are the variances of these placements.

$$
A \pm z \sqrt{V}, \quad V = \frac{s_+^2}{m} + \frac{s_-^2}{n}
$$

In groups $V$ comes from sums over groups (Obuchowski), and $z$ is a quantile of Student's $t$.
""",
    citations=(works.DELONG,),
    target=Target.FIXED,
    flag=_FLAG,
    compute=delong,
)
LOGIT_DELONG = AreaInterval(
    "logit-delong",
    title="DeLong's variance on the logit scale",
    formula=r"""$A$ is the area and $V$ its variance by [DeLong](delong.md); $z$ is the normal
quantile.

$$
\operatorname{logit}^{-1}\left(\operatorname{logit} A \pm z \, \frac{\sqrt{V}}{A (1 - A)}\right)
$$
""",
    citations=(works.DELONG,),
    target=Target.FIXED,
    compute=logit_delong,
)
