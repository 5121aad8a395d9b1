"""How many cases would show a difference, and what can a given number of cases show?

Two models on the same cases differ only where one is right and the other wrong. With psi the share
of such cases and delta the difference, Connor's formula for McNemar's test is

    n = (z_alpha sqrt(psi) + z_power sqrt(psi - delta²))² / delta².

The exact test is discrete and asks for a few cases more; its power is enumerated over the number
of discordant cases, a few standard deviations of it, so that any n costs the same.

References
----------
Connor (1987), Biometrics 43. Miettinen (1968), Biometrics 24. Fleiss, Levin and Paik (2003),
Statistical Methods for Rates and Proportions, chapters 4 and 13.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy
from scipy import special

from referee.core.arrays import Codes, Flags, Floats
from referee.errors import InputError, nearest

__all__ = [
    "connor_power",
    "connor_rows",
    "detectable_as_seen",
    "detectable_difference",
    "detectable_nested",
    "mcnemar_power",
    "mcnemar_rows",
    "two_sample_power",
    "two_sample_rows",
]

_TESTS = ("exact", "midp")
_FAR = 6.5
"""Numbers of discordant cases further away, in standard deviations, are left out."""
_MANY = 2_000
"""Discordant cases from which on the corrected formula is right to two parts in a thousand."""
_THIN = 512
"""Numbers of discordant cases that suffice for a mean over many more of them."""
_SCANNED = 200_000
"""Most probabilities looked at when the teeth of the power are scanned one by one."""


def connor_rows(
    p_first_only: float, p_second_only: float, *, power: float = 0.8, alpha: float = 0.05
) -> float:
    """Return the cases McNemar's test needs by Connor's formula, not rounded.

    Parameters
    ----------
    p_first_only, p_second_only : float
        Share of cases that only the first, and only the second model answers rightly.

    Examples
    --------
    99.0 against 99.5 % right where the better model makes no error of its own:

    >>> round(connor_rows(0.005, 0.0), 1)
    1567.4
    """
    psi, delta = _shares(p_first_only, p_second_only)
    z = _quantile(1 - _probability("alpha", alpha) / 2)
    root = z * math.sqrt(psi) + _aimed(power, alpha) * math.sqrt(max(psi - delta**2, 0.0))
    return (root / _apart(delta)) ** 2


def connor_power(
    n: int, p_first_only: float, p_second_only: float, *, alpha: float = 0.05
) -> float:
    """Return the power of McNemar's test with n cases by Connor's formula.

    Examples
    --------
    >>> round(connor_power(1567, 0.005, 0.0), 3)
    0.8
    """
    psi, delta = _shares(p_first_only, p_second_only)
    z = _quantile(1 - _probability("alpha", alpha) / 2)
    spread = math.sqrt(max(psi - delta**2, 0.0))
    above = delta * math.sqrt(_count(n)) - z * math.sqrt(psi)
    if spread == 0:
        return float(psi > 0 and above > 0)
    return float(special.ndtr(above / spread))


def mcnemar_power(
    n: int,
    p_first_only: float,
    p_second_only: float,
    *,
    alpha: float = 0.05,
    test: str = "exact",
) -> float:
    """Return the probability that McNemar's test rejects, by enumeration.

    Parameters
    ----------
    n : int
        Cases.
    p_first_only, p_second_only : float
        Share of cases that only the first, and only the second model answers rightly.
    test : "exact" or "midp"
        Which form of the test.

    Examples
    --------
    >>> round(mcnemar_power(800, 0.005, 0.0), 4), round(mcnemar_power(800, 0.25, 0.2), 4)
    (0.2145, 0.5394)
    """
    psi, _ = _shares(p_first_only, p_second_only)
    _probability("alpha", alpha)
    _known(test)
    if psi == 0:
        return 0.0
    counts, chances = _discordant(_count(n), psi)
    chance = _Rejection.of(counts, alpha, test).chance(min(p_first_only / psi, 1.0))
    return min(1.0, float(chances @ chance))


def mcnemar_rows(
    p_first_only: float,
    p_second_only: float,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    test: str = "exact",
) -> int:
    """Return the smallest n from which on the test keeps at least this power.

    The power of an exact test is a saw-tooth: it may pass 80 % at some n and fall below at n + 1.
    What is returned is the n after the last such fall. Where more than 2000 cases would be
    discordant, it is Connor's formula with the correction for continuity, which then is within two
    parts in a thousand.

    Examples
    --------
    >>> mcnemar_rows(0.005, 0.0)
    1580
    >>> n = mcnemar_rows(0.3, 0.1)
    >>> mcnemar_power(n, 0.3, 0.1) >= 0.8 > mcnemar_power(n - 1, 0.3, 0.1)
    True
    """
    psi, delta = _shares(p_first_only, p_second_only)
    _known(test)
    about = connor_rows(p_first_only, p_second_only, power=power, alpha=alpha)
    # Fleiss' correction for continuity, which an exact test pays.
    about *= (1 + math.sqrt(1 + 4 / (about * delta))) ** 2 / 4
    if about * psi > _MANY:
        return math.ceil(about)
    p = max(p_first_only, p_second_only), min(p_first_only, p_second_only)

    def lasts(n: int) -> bool:
        return _lasting_power(n, psi, p[0] / psi, alpha, test) >= power

    def enough(n: int) -> bool:
        return mcnemar_power(n, *p, alpha=alpha, test=test) >= power

    sure = _first(math.ceil(about), lasts)
    crossing = _first(min(sure, math.ceil(about)), enough)
    return _after_last_fall(crossing, sure, p, power, alpha, test)


def detectable_difference(
    n: int,
    discordance: float,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    test: str = "exact",
) -> float | None:
    """Return the smallest difference that n cases show with this power, or None for none.

    Parameters
    ----------
    n : int
        Cases both models are tested on.
    discordance : float
        Share of cases that exactly one of the models answers rightly. No difference can exceed it;
        None says that not even a difference of that size would be shown.

    Examples
    --------
    >>> round(detectable_difference(1000, 0.10), 4)
    0.0287
    >>> print(detectable_difference(1000, 0.003))
    None
    """
    _aimed(power, alpha)
    _known(test)
    if not 0 <= discordance <= 1:
        raise InputError(
            "must be a share between 0 and 1", argument="discordance", value=str(discordance)
        )
    counts, chances = _thinned(*_discordant(_count(n), discordance))
    law = _Rejection.of(counts, alpha, test)

    def surplus(share: float) -> float:
        return float(chances @ law.chance(share)) - power

    if chances @ (law.critical >= 0) < power:  # all in favour of one model, and still not shown
        return None
    reach = _quantile(1 - alpha / 2) + _quantile(power)
    off = 1 / math.sqrt(n * discordance)
    # The normal law's answer is short by about a discordant case; look from just below it on.
    low, high = (0.5 + reach / 2 * off * factor for factor in (1 - off, 1 + 3 * off))
    low = low if low < 1 and surplus(low) < 0 else 0.5
    high = high if low < high < 1 and surplus(high) > 0 else 1.0
    share = scipy.optimize.brentq(surplus, low, high, xtol=1e-6 * off, rtol=1e-12)
    return float(discordance * (2 * share - 1))


def detectable_nested(
    n: int, *, power: float = 0.8, alpha: float = 0.05, test: str = "exact"
) -> float | None:
    """Return the smallest difference n cases show if one model errs only where the other does.

    The best case: every case that tells the models apart speaks for the same one. None where even
    a model that is always right against one that is always wrong would not be told apart.

    Examples
    --------
    >>> round(detectable_nested(800), 4)
    0.0099
    >>> detectable_nested(4) is None
    True
    """
    goal = _probability("power", power)

    def surplus(difference: float) -> float:
        return mcnemar_power(n, difference, 0.0, alpha=alpha, test=test) - goal

    if surplus(1.0) < 0:
        return None
    return float(scipy.optimize.brentq(surplus, 1e-12, 1.0, xtol=1e-7))


def detectable_as_seen(n: int, discordance: float, alpha: float) -> float | None:
    """Return what n cases can detect: as often discordant as seen, or more if need be.

    Examples
    --------
    >>> round(detectable_as_seen(200, 0.2, 0.05), 3)
    0.091
    """
    if discordance > 0:
        difference = detectable_difference(n, discordance, alpha=alpha)
        if difference is not None:
            return difference
    return detectable_nested(n, alpha=alpha)


def two_sample_rows(p1: float, p2: float, *, power: float = 0.8, alpha: float = 0.05) -> float:
    """Return the cases *each* model needs when they are tested on different ones, not rounded.

    Examples
    --------
    >>> round(two_sample_rows(0.99, 0.995), 1)
    4672.8
    """
    pooled, apart = _two_spreads(p1, p2)
    z = _quantile(1 - _probability("alpha", alpha) / 2)
    return ((z * pooled + _aimed(power, alpha) * apart) / _apart(abs(p1 - p2))) ** 2


def two_sample_power(n: int, p1: float, p2: float, *, alpha: float = 0.05) -> float:
    """Return the power with n cases for each of two models tested on different cases.

    Examples
    --------
    >>> round(two_sample_power(4673, 0.99, 0.995), 3)
    0.8
    """
    pooled, apart = _two_spreads(p1, p2)
    z = _quantile(1 - _probability("alpha", alpha) / 2)
    above = abs(p1 - p2) * math.sqrt(_count(n)) - z * pooled
    if apart == 0:
        return float(p1 != p2)
    return float(special.ndtr(above / apart))


@dataclass(frozen=True, eq=False)
class _Rejection:
    """When McNemar's test rejects, for each of some numbers of discordant cases.

    `critical` is the largest smaller count that rejects, -1 where none does.
    """

    discordant: Floats
    critical: Floats

    @classmethod
    def of(cls, discordant: Codes, alpha: float, test: str) -> _Rejection:
        d = discordant.astype(float)
        c = np.maximum(np.floor(d / 2 + _quantile(alpha / 2) * np.sqrt(d) / 2), -1.0)
        # The normal quantile is a case or two away; step to the last count that rejects.
        while np.any(more := _rejects(c + 1, d, alpha, test)):
            c = c + more
        while np.any(less := (c >= 0) & ~_rejects(c, d, alpha, test)):
            c = c - less
        return cls(d, c)

    def chance(self, share: float) -> Floats:
        """Return the chance to reject when each is the first model's with probability `share`."""
        both = _cdf(self.critical, self.discordant, share)
        both += _cdf(self.critical, self.discordant, 1 - share)
        return both


def _rejects(c: Floats, d: Floats, alpha: float, test: str) -> Flags:
    tail = 2 * _cdf(c, d, 0.5)
    if test == "midp":
        tail -= _cdf(c, d, 0.5) - _cdf(c - 1, d, 0.5)
    # With equal counts p is 1, whatever the doubled tail says.
    return np.asarray((tail <= alpha * (1 + 1e-12)) & (2 * c < d))


def _cdf(c: Floats, n: Floats, p: float) -> Floats:
    """Return the binomial distribution function, 0 below 0; far faster than scipy.stats'."""
    inside = special.betainc(np.maximum(n - c, 1e-300), np.maximum(c, 0) + 1, 1 - p)
    return np.where(c < 0, 0.0, np.where(c >= n, 1.0, inside))


def _discordant(n: int, psi: float) -> tuple[Codes, Floats]:
    """Return the likely numbers of discordant cases and their chances."""
    low, high = _range(n, psi)
    counts = np.arange(low, high + 1)
    below = _cdf(np.arange(low - 1.0, high + 1), np.asarray(float(n)), psi)
    return counts, np.diff(below)


def _thinned(counts: Codes, chances: Floats) -> tuple[Codes, Floats]:
    """Return some of many numbers of discordant cases, to stand for those around them.

    The chance to reject is a smooth function of the number with teeth on it, low where there are
    thousands, that come and go with odd and even numbers. An odd step meets both alike: the power
    is the mean over all of them to within 1e-4, and the difference to within 2 parts in 10 000.
    """
    step = len(counts) // _THIN | 1
    if step < 5:
        return counts, chances
    taken = slice(step // 2, None, step)
    return counts[taken], chances[taken] * (chances.sum() / chances[taken].sum())


def _range(n: int, psi: float) -> tuple[int, int]:
    """Return between which numbers the discordant cases lie, up to chances of about 1e-13."""
    away = _FAR * math.sqrt(n * psi * (1 - psi)) + 30 * (psi < 1)
    return max(0, math.floor(n * psi - away)), min(n, math.ceil(n * psi + away))


def _lasting_power(n: int, psi: float, share: float, alpha: float, test: str) -> float:
    """Return a bound of the power that no larger n falls below.

    Given d discordant cases the chance to reject is replaced by its minimum over d and all larger
    numbers. That rises with d, and d rises with n, so the bound rises with n. A tooth is as high
    as the slope over some sqrt(d) cases, so ten times that are looked ahead.
    """
    counts, chances = _discordant(n, psi)
    ahead = 50 + 10 * math.isqrt(math.ceil(n * psi))
    further = np.arange(counts[0], counts[-1] + 1 + ahead)
    chance = _Rejection.of(further, alpha, test).chance(share)
    lasting = np.minimum.accumulate(chance[::-1])[::-1]
    return float(chances @ lasting[: len(counts)])


def _after_last_fall(
    crossing: int, sure: int, p: tuple[float, float], power: float, alpha: float, test: str
) -> int:
    """Return the n after the last fall below the power, between a crossing and a sure n."""
    psi = p[0] + p[1]
    low, high = _range(crossing, psi)[0], _range(sure, psi)[1]
    # Where discordant cases spread far, teeth are averaged out; then a few thousand n will do.
    scanned = np.arange(crossing, min(sure, crossing + _SCANNED // (high - low + 1) + 1))
    if not scanned.size:
        return crossing
    high = _range(int(scanned[-1]), psi)[1]
    counts = np.arange(low, high + 1)
    rows = scanned[:, None].astype(float)
    below = _cdf(np.arange(low - 1.0, high + 1)[None, :], rows, psi)
    chance = _Rejection.of(counts, alpha, test).chance(p[0] / psi)
    short = np.flatnonzero(np.diff(below, axis=1) @ chance < power)
    return int(scanned[short[-1]]) + 1 if short.size else crossing


def _first(about: int, enough: Callable[[int], bool]) -> int:
    """Return an n that is enough while n - 1 is not, looked for from `about` on."""
    step = max(1, about // 50)
    low, high = about - step, about
    while not enough(high):
        low, high, step = high, high + step, 2 * step
    while low > 0 and enough(low):
        low, high, step = low - step, low, 2 * step
    low = max(low, 0)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _two_spreads(p1: float, p2: float) -> tuple[float, float]:
    for name, p in (("p1", p1), ("p2", p2)):
        if not 0 <= p <= 1:
            raise InputError(
                f"{name} must be a share between 0 and 1", concerning=name, value=str(p)
            )
    middle = (p1 + p2) / 2
    apart = p1 * (1 - p1) + p2 * (1 - p2)
    return math.sqrt(2 * middle * (1 - middle)), math.sqrt(max(apart, 0.0))


def _shares(p_first_only: float, p_second_only: float) -> tuple[float, float]:
    """Return the share of discordant cases and the size of the difference."""
    for name, p in (("p_first_only", p_first_only), ("p_second_only", p_second_only)):
        if not 0 <= p <= 1:
            raise InputError(
                f"{name} must be a share of the cases between 0 and 1",
                concerning=name,
                value=str(p),
            )
    psi = p_first_only + p_second_only
    if psi > 1 + 1e-12:
        raise InputError(
            f"p_first_only and p_second_only must not exceed 1 together, got {psi:g}; they are "
            "shares of all cases, not of the discordant ones",
            concerning="p_first_only",
        )
    return min(psi, 1.0), abs(p_first_only - p_second_only)


def _apart(delta: float) -> float:
    if delta == 0:
        raise InputError(
            "the two models must differ; no number of cases shows a difference that is not there",
            concerning="p_first_only",
        )
    return delta


def _count(n: int) -> int:
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 1:
        raise InputError("must be a whole number of cases, at least 1", argument="n", value=repr(n))
    return int(n)


def _probability(name: str, value: float) -> float:
    if not 0 < value < 1:
        remedy = f"; for {value:g} % write {value / 100:g}" if 1 < value < 100 else ""
        raise InputError(
            f"{name} must lie strictly between 0 and 1",
            concerning=name,
            value=str(value),
            remedy=remedy,
        )
    return float(value)


_SUREST = 1 - 1e-9


def _aimed(power: float, alpha: float) -> float:
    """Return the normal quantile of a power that is worth aiming at."""
    if _probability("power", power) <= alpha:
        raise InputError(
            f"must exceed alpha = {alpha:g}, which equal models reach",
            argument="power",
            value=f"{power:g}",
        )
    if power > _SUREST:
        raise InputError(
            f"must be at most {_SUREST:.9f}, as nothing is shown surely",
            argument="power",
            value=f"{power:.17g}",
            remedy="for example 0.9",
        )
    return _quantile(power)


def _quantile(q: float) -> float:
    return float(special.ndtri(q))


def _known(test: str) -> str:
    if test not in _TESTS:
        raise InputError(
            f"test {test!r} is unknown", concerning="test", remedy=nearest(test, _TESTS)
        )
    return test
