"""Can the errors of k equal folds have this mean and this standard deviation? (GRIMMER)

The error of a fold of m cases is a whole number over m, so mean and spread over folds are bound to
a grid as well: the total is a whole number, and the sum of squares is whole and of its parity.

References
----------
Anaya (2016), PeerJ Preprints 4 (GRIMMER). Brown and Heathers (2017), Social Psychological and
Personality Science 8 (GRIM).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal

import scipy

from referee.errors import InputError

__all__ = ["FoldAudit", "FoldSpread", "audit_folds"]

_MOST = 300_000
"""Most steps taken to list what folds can give; beyond, gaps are too fine to matter."""


@dataclass(frozen=True)
class FoldSpread:
    """One outcome that folds can have: total errors, their mean and standard deviation."""

    total: int
    mean: float
    s: float


@dataclass(frozen=True, kw_only=True)
class FoldAudit:
    """Whether k folds can have a printed mean and standard deviation.

    Attributes
    ----------
    attainable : bool
        Whether some errors of the folds round to both printed numbers.
    exact_total : int or None
        Errors in all if the mean is meant exactly; None if that is no whole number.
    smallest_s : float
        The smallest standard deviation above 0 at the total nearest to the mean.
    nearest : FoldSpread
        The outcome that comes nearest to the printed standard deviation, then to the mean.
    expected_s : float
        The standard deviation independent cases would give: sqrt(p (1 - p) / fold_size).
    regular_p : float
        How rarely independent cases give folds as much alike as these (chi-squared).
    """

    attainable: bool
    exact_total: int | None
    smallest_s: float
    nearest: FoldSpread
    expected_s: float
    regular_p: float


def audit_folds(mean: str | float, s: str | float, k: int, fold_size: int) -> FoldAudit:
    """Check a mean error and its standard deviation (with k - 1) over k folds of equal size.

    Parameters
    ----------
    mean, s : str or float
        As printed, as shares; strings keep their last zeros.
    k, fold_size : int
        Folds, and cases in each.

    Examples
    --------
    Eleven folds of 30 cases cannot have a mean of .100 and s = .010:

    >>> audit = audit_folds("0.100", "0.010", k=11, fold_size=30)
    >>> audit.attainable, round(audit.smallest_s, 4)
    (False, 0.0149)
    >>> round(audit.nearest.mean, 4), round(audit.nearest.s, 5)
    (0.103, 0.01005)
    """
    if k < 2 or fold_size < 1:
        raise InputError(
            "k must be at least 2 and fold_size at least 1",
            concerning="k",
            value=f"{k} and {fold_size}",
        )
    m, spread = Decimal(str(mean)), Decimal(str(s))
    if not 0 <= m <= 1 or spread < 0:
        raise InputError(
            "must be a share and s at least 0", argument="mean", value=f"{mean} and {s}"
        )
    n = k * fold_size
    centre = float(m) * n
    totals = _totals(m, n)
    around = range(max(0, math.floor(centre) - k), min(n, math.ceil(centre) + k) + 1)
    near = [
        FoldSpread(t, t / n, v) for t in around for v in _spreads(t, k, fold_size, float(spread))
    ]
    half = float(_half(spread)) + 1e-12
    fits = [f for f in near if f.total in totals and abs(f.s - float(spread)) <= half]
    nominal = math.sqrt(float(m) * (1 - float(m)) / fold_size)
    ratio = (k - 1) * (float(spread) / nominal) ** 2 if nominal > 0 else math.nan
    whole = m * n
    return FoldAudit(
        attainable=bool(fits),
        exact_total=int(whole) if whole == whole.to_integral_value() else None,
        smallest_s=_smallest(round(centre), k, fold_size),
        nearest=min(
            near, key=lambda f: (round(abs(f.s - float(spread)), 12), abs(f.mean - float(m)))
        ),
        expected_s=nominal,
        regular_p=float(scipy.stats.chi2.cdf(ratio, k - 1)) if nominal > 0 else 1.0,
    )


def _half(value: Decimal) -> Decimal:
    exponent = value.as_tuple().exponent
    return Decimal(5).scaleb(int(exponent) - 1)


def _totals(mean: Decimal, n: int) -> range:
    """Return the total errors whose mean rounds to what is printed."""
    low, high = (mean - _half(mean)) * n, (mean + _half(mean)) * n
    return range(max(0, math.ceil(low)), min(n, math.floor(high)) + 1)


def _spreads(total: int, k: int, size: int, wanted: float) -> list[float]:
    """Return the standard deviations near the wanted one that folds with this total can have."""
    squares = _squares(total, k, size, wanted)
    return [math.sqrt(max(q - total**2 / k, 0.0) / (k - 1)) / size for q in squares]


def _squares(total: int, k: int, size: int, wanted: float) -> list[int]:
    """Return attainable sums of squares just below and above the wanted one."""
    each, rest = divmod(total, k)
    least = k * each**2 + rest * (2 * each + 1)
    aim = (k - 1) * (wanted * size) ** 2 + total**2 / k
    # Sums of squares go in steps of 2 from the evenest folds on: moving one error changes it so.
    below = least + 2 * max(0, math.floor((aim - least) / 2))
    full, left = divmod(total, size)
    most = full * size**2 + left**2  # all errors in as few folds as possible
    below = min(below, most - (most - least) % 2)
    sides = (range(below, least - 1, -2), range(below + 2, most + 1, 2))
    roots = (next((q for q in side if _reached(q, total, k, size)), None) for side in sides)
    return [q for q in roots if q is not None]


def _reached(square: int, total: int, k: int, size: int) -> bool:
    """Return whether k whole numbers from 0 to size have this sum and this sum of squares."""
    each = total / k
    reach = math.sqrt(max(square - total**2 / k, 0.0) * (k - 1) / k) + 1
    low, high = max(0, math.floor(each - reach)), min(size, math.ceil(each + reach))
    if k * (high - low) ** 3 * k > _MOST:
        return True
    # Bit q of sums[t] says that so many folds can have total t and sum of squares q.
    sums = {0: 1}
    for left in range(k - 1, -1, -1):
        following: dict[int, int] = {}
        for t, bits in sums.items():
            for x in range(low, high + 1):
                if low * left <= total - t - x <= high * left:
                    following[t + x] = following.get(t + x, 0) | bits << x * x
        sums = following
    return bool(sums.get(total, 0) >> square & 1)


def _smallest(total: int, k: int, size: int) -> float:
    """Return the smallest spread above 0: the evenest folds, or one error moved from even ones."""
    rest = total % k
    square = rest * (k - rest) / k if rest else 2.0
    if total in (0, k * size):
        return 0.0
    return math.sqrt(square / (k - 1)) / size
