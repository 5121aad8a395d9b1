"""Intervals for the difference in error of two models on the same cases.

All of them are of error(first) - error(second), so a negative difference favours the first model.
With b cases that only the first model got right and c that only the second did it is (c - b) / n;
the literature's tables [[a, b], [c, d]] mostly give (b - c) / n, so that its intervals come out
here with `pairs.swapped`. Counts may be fractions, for an effective number of cases.

Coverage at 95 %, every table enumerated, the minimum / mean over all shares of b and c from half a
percent (from 1 % at n = 100, and for Newcombe's with no case that both got wrong):

=================  ===========  ===========  ===========  ===========
form               n = 10       20           50           100
=================  ===========  ===========  ===========  ===========
Bonett-Price       .897 / .966  .924 / .959  .940 / .954  .945 / .952
Tango              .924 / .964  .924 / .957  .935 / .951  .933 / .950
Newcombe           .864 / .950  .900 / .952  .927 / .952  .944 / .951
=================  ===========  ===========  ===========  ===========

References
----------
Bonett and Price (2012), J. Educational and Behavioral Statistics 37. Tango (1998), Statistics in
Medicine 17. Newcombe (1998), Statistics in Medicine 17:2635 (method 10). Fagerland, Lydersen and
Laake (2014), Statistics in Medicine 33.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy

from referee.core.arrays import Floats
from referee.core.results import Interval, Target, check_level
from referee.intervals import works
from referee.intervals.difference.difference_interval import DifferenceInterval
from referee.intervals.one_set.proportion import wilson
from referee.measures.formulas.paired_counts import PairedCounts

__all__ = [
    "BONETT_PRICE",
    "NEWCOMBE_PAIRED",
    "TANGO",
    "WALD_PAIRED",
    "bonett_price",
    "newcombe_paired",
    "tango",
    "tango_score",
    "wald_paired",
]

_WALD_FLAG = "covers far less than it says where few cases tell the models apart; use bonett-price"


def bonett_price(pairs: PairedCounts, level: float = 0.95) -> Interval:
    """Return the Wald interval after one case more in each discordant cell.

    Examples
    --------
    >>> i = bonett_price(PairedCounts(59, 6, 16, 80))
    >>> round(i.low, 4), round(i.high, 4)
    (0.0032, 0.1195)
    """
    b, c, n = pairs.first_right + 1, pairs.second_right + 1, pairs.n + 2
    return _wald(b / n, c / n, n, level, "bonett-price")


def tango(pairs: PairedCounts, level: float = 0.95) -> Interval:
    """Return the score interval: the differences that Tango's score test does not reject.

    Examples
    --------
    >>> i = tango(PairedCounts(59, 6, 16, 80))
    >>> round(i.low, 4), round(i.high, 4)
    (0.0054, 0.124)
    """
    z = _quantile(level)
    high = _tango_upper(pairs, z)
    low = -_tango_upper(pairs.swapped, z)
    return Interval(low=low, high=high, level=level, method="tango")


def tango_score(first_right: Any, second_right: Any, n: float, difference: Any) -> Floats:
    """Return Tango's z for error(first) - error(second) = `difference`, count by count.

    Several differences at once must be of one sign.

    Notes
    -----
    z = (c - b - n d) / sqrt(n (2 q + d (1 - d))), where q is the likeliest share of b if the
    difference is d >= 0: the root of 2 n q² + ((2 n - c + b) d - b - c) q - b d (1 - d) = 0. It is
    infinite, or 0 where the counts fit exactly, if the variance vanishes.

    Examples
    --------
    With a difference of 0 it is McNemar's (c - b) / sqrt(b + c).

    >>> float(tango_score(6, 16, 161, 0.0)) == 10 / 22**0.5
    True
    """
    if np.max(difference) < 0:
        return -tango_score(second_right, first_right, n, -difference)
    b, c = np.asarray(first_right, dtype=float), np.asarray(second_right, dtype=float)
    linear = (2 * n - c + b) * difference - b - c
    constant = b * difference * (1 - difference)
    root = np.sqrt(linear**2 + 8 * n * constant)
    # Two forms of the same root; each is exact where the other one cancels.
    with np.errstate(divide="ignore", invalid="ignore"):
        q = np.where(linear > 0, 2 * constant / (linear + root), (root - linear) / (4 * n))
    variance = n * (2 * q + difference * (1 - difference))
    away = c - b - n * difference
    # A difference of a rounding error is none.
    away = np.where(np.abs(away) <= 1e-12 * n, 0.0, away)
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.where(away == 0, 0.0, away / np.sqrt(np.maximum(variance, 0.0)))
    return np.asarray(z, dtype=float)


def newcombe_paired(pairs: PairedCounts, level: float = 0.95) -> Interval:
    """Return the square-and-add interval from two Wilson ones and the correlation (method 10).

    The correlation of the errors is corrected towards 0 by half a case in n, as published.

    Examples
    --------
    >>> i = newcombe_paired(PairedCounts(1, 0, 0, 1))
    >>> round(i.low, 4), round(i.high, 4)
    (-0.5734, 0.5734)
    """
    n, d = pairs.n, pairs.difference
    e1, e2 = pairs.errors
    first, second = (wilson(min(e * n, n), n, level) for e in (e1, e2))
    phi = _correlation(pairs)
    up1, down1, up2, down2 = first.high - e1, e1 - first.low, second.high - e2, e2 - second.low
    low = d - math.sqrt(max(0.0, down1**2 - 2 * phi * down1 * up2 + up2**2))
    high = d + math.sqrt(max(0.0, up1**2 - 2 * phi * up1 * down2 + down2**2))
    return _clipped(low, high, level, "newcombe-paired")


def wald_paired(pairs: PairedCounts, level: float = 0.95) -> Interval:
    """Return the textbook interval d ± z sqrt((b + c) / n - d²) / sqrt(n), flagged.

    It alone has no width at all where no case tells the models apart.

    Examples
    --------
    >>> i = wald_paired(PairedCounts(59, 6, 16, 80))
    >>> round(i.low, 4), round(i.high, 4)
    (0.0058, 0.1184)
    """
    b, c, n = pairs.first_right, pairs.second_right, pairs.n
    return _wald(b / n, c / n, n, level, "wald-paired", _WALD_FLAG)


def _wald(b: float, c: float, n: float, level: float, method: str, flag: str = "") -> Interval:
    d = c - b
    half = _quantile(level) * math.sqrt(max(0.0, b + c - d * d) / n)
    return _clipped(d - half, d + half, level, method, flag)


def _tango_upper(pairs: PairedCounts, z: float) -> float:
    b, c, n = pairs.first_right, pairs.second_right, pairs.n

    def beyond(difference: float) -> float:
        return float(tango_score(b, c, n, difference)) + z

    # At 1 the score is minus infinity unless every case spoke for the second model.
    if c >= n * (1 - 1e-12):
        return 1.0
    almost = 1 - 1e-13
    if beyond(almost) > 0:
        return 1.0
    return float(scipy.optimize.brentq(beyond, pairs.difference, almost, xtol=1e-13))


def _correlation(pairs: PairedCounts) -> float:
    a, b, c, d = pairs.both_right, pairs.first_right, pairs.second_right, pairs.both_wrong
    scale = math.sqrt((a + b) * (c + d) * (a + c) * (b + d))
    over = a * d - b * c
    if scale == 0:
        return 0.0
    return (max(over - pairs.n / 2, 0.0) if over > 0 else over) / scale


def _quantile(level: float) -> float:
    return float(scipy.special.ndtri((1 + check_level(level)) / 2))


def _clipped(low: float, high: float, level: float, method: str, flag: str = "") -> Interval:
    low, high = max(-1.0, low), min(1.0, high)
    return Interval(low=low, high=high, level=level, method=method, flag=flag)


BONETT_PRICE = DifferenceInterval(
    "bonett-price",
    title="the Wald interval after one more case in each discordant cell",
    formula=r"""Of $n$ cases only the first model got $b$ right, only the second $c$; $z$ is the
normal quantile.

$$
p_b = \frac{b + 1}{n + 2}, \quad p_c = \frac{c + 1}{n + 2}, \quad d = p_c - p_b, \quad
d \pm z \sqrt{\frac{p_b + p_c - d^2}{n + 2}}
$$
""",
    citations=(works.BONETT_PRICE,),
    target=Target.FIXED,
    compute=bonett_price,
)
TANGO = DifferenceInterval(
    "tango",
    title="the score interval of a paired difference",
    formula=r"""Of $n$ cases only the first model got $b$ right, only the second $c$. The ends are
the two $d$ for which the score is $\pm z$, where $q$ is the likeliest share of $b$ if the
difference is $d \ge 0$ (for $d < 0$ exchange the models):

$$
\frac{c - b - n d}{\sqrt{n \, (2 q + d (1 - d))}} = \pm z, \quad
2 n q^2 + ((2 n - c + b) \, d - b - c) \, q - b d (1 - d) = 0
$$
""",
    citations=(works.TANGO,),
    target=Target.FIXED,
    compute=tango,
)
NEWCOMBE_PAIRED = DifferenceInterval(
    "newcombe-paired",
    title="the square-and-add interval of a paired difference",
    formula=r"""$e_1$ and $e_2$ are the errors of the models, $l_i$ and $u_i$ their Wilson limits,
$\phi$ the correlation of right and wrong between the models, brought nearer to 0 by half a case.

$$
e_1 - e_2 - \sqrt{(e_1 - l_1)^2 - 2 \phi (e_1 - l_1)(u_2 - e_2) + (u_2 - e_2)^2}
$$

$$
e_1 - e_2 + \sqrt{(u_1 - e_1)^2 - 2 \phi (u_1 - e_1)(e_2 - l_2) + (e_2 - l_2)^2}
$$
""",
    citations=(works.NEWCOMBE,),
    target=Target.FIXED,
    compute=newcombe_paired,
)
WALD_PAIRED = DifferenceInterval(
    "wald-paired",
    title="the Wald interval of a paired difference",
    formula=r"""Of $n$ cases only the first model got $b$ right, only the second $c$; $z$ is the
normal quantile.

$$
d = \frac{c - b}{n}, \quad d \pm z \sqrt{\frac{(b + c) / n - d^2}{n}}
$$
""",
    target=Target.FIXED,
    flag=_WALD_FLAG,
    compute=wald_paired,
)
