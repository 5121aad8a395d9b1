"""The exact interval of a difference between models on different cases: it covers as it says.

With x errors of m cases and y of n the counts are binomial with shares q + d and q, where d =
error(first) - error(second) and q is a nuisance. A difference belongs to the interval unless one
of the tails of the score of Farrington and Manning, at its largest over all q, is below alpha / 2.
For given d and y the score rises with x, so a tail is a sum over y of a binomial chance times a
binomial distribution function.

The largest tail is sought on a grid of q that is refined twice around its best point; that, and not
the theory, is where the guarantee could fail, and enumeration of every pair of counts finds no
coverage below .950 (tests/intervals/difference/test_exact_unpaired.py).

References
----------
Chan and Zhang (1999), Biometrics 55. Farrington and Manning (1990), Statistics in Medicine 9.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
from scipy import special

from referee.core.arrays import Floats, Rows
from referee.core.results import Interval, Target, check_level
from referee.errors import arg
from referee.intervals import works
from referee.intervals.difference.difference_interval import DifferenceInterval
from referee.intervals.difference.unpaired import newcombe_unpaired

__all__ = ["EXACT_UNPAIRED", "exact_unpaired", "farrington_manning"]

MOST = 1000
"""Up to so many cases of both models together the interval is exact."""

_GRID = 41
_CLOSE = 1e-5
"""How exactly ends are found, in shares; they are rounded outwards."""


def exact_unpaired(
    errors1: float, n1: float, errors2: float, n2: float, level: float = 0.95
) -> Interval:
    """Return the differences that no exact one-sided score test at half the error rejects.

    Above 1000 cases in all, and for counts that are no whole numbers, it is Newcombe's interval.

    Examples
    --------
    >>> i = exact_unpaired(7, 20, 1, 20)
    >>> round(i.low, 3), round(i.high, 3)
    (0.042, 0.546)
    """
    near = newcombe_unpaired(errors1, n1, errors2, n2, level)
    counts = (errors1, n1, errors2, n2)
    if n1 + n2 > MOST or any(float(k) != round(float(k)) for k in counts):
        flag = f"the square-and-add interval: exact only up to {MOST} whole cases"
        return Interval(
            low=near.low, high=near.high, level=level, method=EXACT_UNPAIRED.name, flag=flag
        )
    x, m, y, n = (round(k) for k in counts)
    alpha = (1 - check_level(level)) / 2
    high = _upper(*_either(x, m, y, n), alpha)
    low = -_upper(*_either(y, n, x, m), alpha)
    return Interval(low=low, high=high, level=level, method=EXACT_UNPAIRED.name)


def _either(x: int, m: int, y: int, n: int) -> tuple[int, int, int, int]:
    """Return the counts, or those of right answers with the models exchanged: the same question."""
    return min((x, m, y, n), (n - y, n, m - x, m))


@lru_cache(maxsize=4096)
def _upper(x: int, m: int, y: int, n: int, alpha: float) -> float:
    """Return the largest difference whose lower tail is not below alpha."""
    if x == m and y == 0:
        return 1.0
    least = x / m - y / n
    near = newcombe_unpaired(x, m, y, n, 1 - 2 * alpha).high
    step = max(0.25 * (near - least), 0.02)
    high = min(near, 1 - 1e-9)
    while high < 1 and _exceeds(alpha, x, m, y, n, high):
        high = min(1.0, high + step)
    if high >= 1 and _exceeds(alpha, x, m, y, n, 1 - 1e-9):
        return 1.0
    # Blips of the tail beyond the first crossing belong to the interval, too.
    beyond = [high + k * step / 2 for k in (3, 2, 1) if high + k * step / 2 < 1]
    low = next((d for d in beyond if _exceeds(alpha, x, m, y, n, d)), None)
    if low is None:
        low = least
    else:
        high = min(1.0, low + step / 2)
    while high - low > _CLOSE:
        middle = (low + high) / 2
        if _exceeds(alpha, x, m, y, n, middle):
            low = middle
        else:
            high = middle
    return high


def farrington_manning(x: Any, m: int, y: Any, n: int, difference: float) -> Floats:
    """Return the score of a difference: how far that seen lies above it, in standard errors.

    The shares under the sum are the likeliest ones that differ by just so much, a root of a cubic.

    Examples
    --------
    >>> round(float(farrington_manning(7, 20, 1, 20, 0.0)), 4)
    2.3717
    """
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    p, q, d, t = x / m, y / n, difference, n / m
    a = 1 + t
    b = -(1 + t + p + t * q + d * (t + 2))
    c = d * d + d * (2 * p + t + 1) + p + t * q
    v = (b / (3 * a)) ** 3 - b * c / (6 * a * a) + -p * d * (1 + d) / (2 * a)
    u = np.where(v >= 0, 1.0, -1.0) * np.sqrt(np.maximum((b / (3 * a)) ** 2 - c / (3 * a), 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        cosine = np.where(u == 0, 0.0, v / np.where(u == 0, 1.0, u) ** 3)
    angle = (math.pi + np.arccos(np.clip(cosine, -1.0, 1.0))) / 3
    first = np.clip(2 * u * np.cos(angle) - b / (3 * a), max(0.0, d), min(1.0, 1 + d))
    second = np.clip(first - d, 0.0, 1.0)
    variance = first * (1 - first) / m + second * (1 - second) / n
    away = p - q - d
    with np.errstate(divide="ignore", invalid="ignore"):
        score = away / np.sqrt(variance)
    certain = np.where(np.abs(away) < 1e-12, 0.0, np.copysign(np.inf, away))
    return np.asarray(np.where(variance <= 1e-15, certain, score))


def _exceeds(alpha: float, x: int, m: int, y: int, n: int, difference: float) -> bool:
    """Tell whether, for some nuisance, a score at most as large as that seen is likelier."""
    seen = float(farrington_manning(x, m, y, n, difference))
    second = np.arange(n + 1)
    most = _largest_first(second, m, n, difference, seen)
    low, high = max(0.0, -difference), min(1.0, 1 - difference)
    for _ in range(3):
        shares = np.linspace(low, high, _GRID)
        chances = _chances(second, most, m, n, shares, difference)
        at = int(np.argmax(chances))
        # A grid so fine misses little of a peak: far from alpha there is nothing to refine.
        if chances[at] > alpha or chances[at] < 0.7 * alpha:
            return bool(chances[at] > alpha)
        width = (high - low) / (_GRID - 1)
        low, high = max(low, shares[at] - width), min(high, shares[at] + width)
    return False


def _largest_first(second: Rows, m: int, n: int, difference: float, seen: float) -> Rows:
    """Return for each y the largest x whose score is at most the one seen; -1 for none."""
    low, high = np.full(n + 1, -1), np.full(n + 1, m)
    slack = 1e-9 * max(1.0, abs(seen)) if math.isfinite(seen) else 0.0
    while np.any(low < high):
        middle = (low + high + 1) // 2
        fits = farrington_manning(middle, m, second, n, difference) <= seen + slack
        low, high = np.where(fits, middle, low), np.where(fits, high, middle - 1)
    return np.asarray(low)


def _chances(second: Rows, most: Rows, m: int, n: int, shares: Floats, difference: float) -> Floats:
    """Return for each share of y the chance that x is at most `most`, summed over y."""
    q = np.clip(shares, 0.0, 1.0)[:, None]
    p = np.clip(q + difference, 0.0, 1.0)
    logs = special.xlogy(second, q) + special.xlog1py(n - second, -q)
    choose = special.gammaln(n + 1) - special.gammaln(second + 1) - special.gammaln(n - second + 1)
    below = special.bdtr(np.maximum(most, 0).astype(float), m, p)
    below = np.where(most < 0, 0.0, np.where(most >= m, 1.0, below))
    return np.asarray((np.exp(choose + logs) * below).sum(axis=1))


def _refusal(situation: Any) -> str | None:
    if getattr(situation, "n", 0) <= MOST:
        return None
    return (
        f"{arg('interval', 'exact-unpaired')} is exact up to {MOST} cases in all, got "
        f"{situation.n}; use {arg('interval', 'newcombe-unpaired')}"
    )


EXACT_UNPAIRED = DifferenceInterval(
    "exact-unpaired",
    title="the exact unconditional interval of a difference between models on different cases",
    formula=r"""The first model errs on $x$ of $m$ cases, the second on $y$ of $n$ others; these
counts are binomial with shares $q + d$ and $q$. $z_d$ is the score of Farrington and Manning,

$$
Z_d = \frac{x / m - y / n - d}{\sqrt{\tilde p (1 - \tilde p) / m + \tilde q (1 - \tilde q) / n}},
$$

with $\tilde p = \tilde q + d$ the likeliest shares that differ by $d$. The interval holds every $d$
for which

$$
\max_q \Pr(Z_d \le z_d) > \frac{\alpha}{2} \quad \text{and} \quad
\max_q \Pr(Z_d \ge z_d) > \frac{\alpha}{2}.
$$
""",
    citations=(works.CHAN_ZHANG,),
    target=Target.FIXED,
    refusal=_refusal,
    compute=exact_unpaired,
    paired=False,
)
