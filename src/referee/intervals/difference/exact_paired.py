"""The exact unconditional interval of a paired difference: it covers at least as often as it says.

With b cases that only the first model got right and c that only the second did, (b, c) is trinomial
with shares p and p + d, where d = error(first) - error(second) and p is a nuisance. A difference
belongs to the interval unless one of the tails of Tango's score, at its largest over all p, is
below alpha / 2. For given d and b the score rises with c, so a tail is a sum over b of a binomial
chance times a binomial distribution function.

Below ten cases both tails share alpha (`exact_few`).

The largest tail is sought on a grid of p that is refined twice around its best point; that, and not
the theory, is where the guarantee could fail, and enumeration of every table finds no coverage
below .950 (tests/intervals/difference/test_exact_paired.py).

References
----------
Chan and Zhang (1999), Biometrics 55. Tango (1998), Statistics in Medicine 17. Fagerland, Lydersen
and Laake (2014), Statistics in Medicine 33.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
from scipy import special

from referee.core.arrays import Floats, Rows
from referee.core.results import Interval, Target, check_level
from referee.errors import InputError, arg
from referee.intervals import works
from referee.intervals.difference.difference_interval import DifferenceInterval
from referee.intervals.difference.exact_few import FEW, exact_few
from referee.intervals.difference.paired import tango, tango_score
from referee.measures.formulas.paired_counts import PairedCounts

__all__ = ["EXACT_PAIRED", "exact_paired"]

MOST = 1000
"""Up to so many cases the interval is exact; beyond, the score interval itself serves."""

_GRID = 41
_CLOSE = 1e-5
"""How exactly ends are found, in shares; they are rounded outwards."""


def exact_paired(pairs: PairedCounts, level: float = 0.95) -> Interval:
    """Return the differences that no exact one-sided score test at half the error rejects.

    Below 10 cases those that the two-sided one does not reject (`exact_few`). Above 1000 cases, and
    for counts that are no whole numbers, it is Tango's interval.

    Examples
    --------
    >>> i = exact_paired(PairedCounts(59, 6, 16, 80))
    >>> round(i.low, 3), round(i.high, 3)
    (0.005, 0.126)
    >>> i = exact_paired(PairedCounts(30, 0, 0, 0))
    >>> round(i.low, 3), round(i.high, 3)
    (-0.123, 0.123)
    """
    alpha = (1 - check_level(level)) / 2
    b, c, n = pairs.first_right, pairs.second_right, pairs.n
    if n <= 0:
        raise InputError("an interval of a difference needs at least one case", value="none")
    if n > MOST or any(float(count) != round(float(count)) for count in (b, c, n)):
        approximate = tango(pairs, level)
        flag = f"the score interval itself: exact only up to {MOST} whole cases"
        return Interval(
            low=approximate.low,
            high=approximate.high,
            level=level,
            method=EXACT_PAIRED.name,
            flag=flag,
        )
    if n < FEW:
        low, high = exact_few(round(b), round(c), round(n), 2 * alpha)
        return Interval(low=low, high=high, level=level, method=EXACT_PAIRED.name)
    score = tango(pairs, level)
    high = _upper(round(b), round(c), round(n), alpha, score.high)
    low = -_upper(round(c), round(b), round(n), alpha, -score.low)
    return Interval(low=low, high=high, level=level, method=EXACT_PAIRED.name)


@lru_cache(maxsize=4096)
def _upper(b: int, c: int, n: int, alpha: float, near: float) -> float:
    """Return the largest difference whose lower tail is not below alpha; `near` is a guess."""
    if c == n:
        return 1.0
    least = (c - b) / n
    step = max(0.25 * (near - least), 0.02)
    high = near
    while high < 1 and _tail(b, c, n, high) > alpha:
        high = min(1.0, high + step)
    if high >= 1 and _tail(b, c, n, 1 - 1e-9) > alpha:
        return 1.0
    # Blips of the tail beyond the first crossing belong to the interval, too.
    beyond = [high + k * step / 2 for k in (3, 2, 1) if high + k * step / 2 < 1]
    low = next((d for d in beyond if _tail(b, c, n, d) > alpha), None)
    if low is None:
        low = least
    else:
        high = min(1.0, low + step / 2)
    while high - low > _CLOSE:
        middle = (low + high) / 2
        if _tail(b, c, n, middle) > alpha:
            low = middle
        else:
            high = middle
    return high


def _tail(b: int, c: int, n: int, difference: float) -> float:
    """Return the largest chance, over the nuisance, of a score at most as large as that seen."""
    seen = float(tango_score(b, c, n, difference))
    first = np.arange(n + 1)
    most = _largest_second(first, n, difference, seen)
    low, high = max(0.0, -difference), min(1.0, (1 - difference) / 2)
    best = 0.0
    for _ in range(3):
        shares = np.linspace(low, high, _GRID)
        chances = _chances(first, most, n, shares, difference)
        at = int(np.argmax(chances))
        best = max(best, float(chances[at]))
        width = (high - low) / (_GRID - 1)
        low, high = max(low, shares[at] - width), min(high, shares[at] + width)
    return best


def _largest_second(first: Rows, n: int, difference: float, seen: float) -> Rows:
    """Return for each b the largest c whose score is at most the one seen; -1 for none."""
    low, high = np.full(n + 1, -1), n - first
    slack = 1e-9 * max(1.0, abs(seen)) if math.isfinite(seen) else 0.0
    while np.any(low < high):
        middle = (low + high + 1) // 2
        score = tango_score(first, np.maximum(middle, 0), n, difference)
        fits = score <= seen + slack
        low, high = np.where(fits, middle, low), np.where(fits, high, middle - 1)
    return np.asarray(low)


def _chances(first: Rows, most: Rows, n: int, shares: Floats, difference: float) -> Floats:
    """Return for each share of b the chance that c is at most `most`, summed over b."""
    p = np.clip(shares, 0.0, 1.0)[:, None]
    rest = np.maximum(1 - p, 1e-300)
    q = np.clip((p + difference) / rest, 0.0, 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = special.xlogy(first, p) + special.xlog1py(n - first, -p)
    choose = special.gammaln(n + 1) - special.gammaln(first + 1) - special.gammaln(n - first + 1)
    mass = np.exp(choose + logs)
    below = special.bdtr(np.maximum(most, 0).astype(float), (n - first), q)
    below = np.where(most < 0, 0.0, np.where(most >= n - first, 1.0, below))
    return np.asarray((mass * below).sum(axis=1))


def _refusal(situation: Any) -> str | None:
    if getattr(situation, "n", 0) <= MOST:
        return None
    return (
        f"{arg('interval', 'exact-paired')} is exact up to {MOST} cases, got {situation.n}; use "
        f"{arg('interval', 'tango')}"
    )


EXACT_PAIRED = DifferenceInterval(
    "exact-paired",
    title="the exact unconditional interval of a paired difference",
    formula=r"""Of $n$ cases only the first model got $b$ right, only the second $c$. $Z_d$ is
Tango's score of a difference $d$ ([tango](tango.md)), $z_d$ its value here, and $(b, c)$ is
trinomial with shares $p$ and $p + d$. The interval holds every $d$ for which

$$
\max_p \Pr(Z_d \le z_d) > \frac{\alpha}{2} \quad \text{and} \quad
\max_p \Pr(Z_d \ge z_d) > \frac{\alpha}{2}.
$$
""",
    citations=(works.TANGO,),
    target=Target.FIXED,
    refusal=_refusal,
    compute=exact_paired,
)
