"""Do two models that were tested on different cases err equally often? (T1 and the exact forms)

Boschloo's test is the default: its size never exceeds the level, as with Fisher's, and it is more
powerful than Fisher's everywhere. It orders the outcomes by Fisher's one-sided p and takes the
largest chance over the unknown common error rate; the two-sided p is twice the smaller one-sided
one, as in scipy. scipy's own needs n1 times n2 cells; here the region is a staircase.

References
----------
Fisher (1935), JRSS 98. Barnard (1947), Biometrika 34. Suissa and Shuster (1985), JRSS A 148.
Boschloo (1970), Statistica Neerlandica 24. Mitchell (1997), Machine Learning, section 5.5 (T1).
"""

from __future__ import annotations

import math
from typing import Literal, cast

import numpy as np
from scipy import stats

from referee.core.arrays import Codes, Floats
from referee.core.results import Evidence
from referee.errors import InputError
from referee.significance.contrast import Contrast
from referee.significance.unpaired.supremum import TIE

__all__ = ["barnard", "boschloo", "fisher", "two_sample_z"]

NULL = "both models err equally often on new cases"
ASSUMPTIONS = (
    "the cases of each test set are independent draws from one population",
    "the two test sets are independent of each other and of the models",
)


def boschloo(
    errors1: int, n1: int, errors2: int, n2: int, *, alternative: str = "two-sided"
) -> Evidence:
    """Return Boschloo's exact unconditional test; the statistic is Fisher's one-sided p.

    Parameters
    ----------
    errors1, n1, errors2, n2 : int
        Errors and cases of the first and of the second model.
    alternative : {"two-sided", "less", "greater"}
        "less": the first model errs less often.

    Examples
    --------
    >>> round(boschloo(30, 100, 20, 100).p_value, 4)
    0.1085
    """
    _check(errors1, n1, errors2, n2)
    one_sided = {
        "greater": _boschloo_greater(errors1, n1, errors2, n2),
        "less": _boschloo_greater(errors2, n2, errors1, n1),
    }
    if alternative == "two-sided":
        statistic, p = min(one_sided.values(), key=lambda found: found[1])
        p = min(1.0, 2 * p)
    else:
        statistic, p = one_sided[_sided(alternative)]
    return _evidence("boschloo", statistic, p, n1 + n2, alternative)


def barnard(
    errors1: int, n1: int, errors2: int, n2: int, *, alternative: str = "two-sided"
) -> Evidence:
    """Return Barnard's exact test, ordered by the pooled z (Suissa and Shuster).

    With few errors its p may be far above Boschloo's: 30 of 300 against 37 of 300 gives .53,
    Boschloo .40.

    Examples
    --------
    >>> round(barnard(30, 100, 20, 100).p_value, 4)
    0.1247
    """
    _check(errors1, n1, errors2, n2)
    z = float(_pooled_z(np.array([errors1]), n1, np.array([errors2]), n2)[0])
    none = np.full(n1 + 1, n2 + 1)
    if alternative == "two-sided":
        low, high = _z_staircases(abs(z), n1, n2)
    elif _sided(alternative) == "greater":
        low, high = _z_staircases(z, n1, n2)[0], none
    else:
        low, high = none - n2 - 2, _z_staircases(-z, n1, n2)[1]
    from referee.significance.unpaired.unconditional import largest_chance

    return _evidence("barnard", z, largest_chance(low, high, n2), n1 + n2, alternative)


def fisher(
    errors1: int, n1: int, errors2: int, n2: int, *, alternative: str = "two-sided"
) -> Evidence:
    """Return Fisher's exact test given the total of errors; valid and timid.

    The statistic is the odds ratio of an error, 1 where no odds can be told.

    Examples
    --------
    >>> round(fisher(30, 100, 20, 100).p_value, 4)
    0.1412
    """
    _check(errors1, n1, errors2, n2)
    if alternative != "two-sided":
        _sided(alternative)
    table = np.array([[errors1, errors2], [n1 - errors1, n2 - errors2]])
    side = cast(Literal["two-sided", "less", "greater"], alternative)
    made = stats.fisher_exact(table, alternative=side)
    odds = 1.0 if math.isnan(made.statistic) else float(made.statistic)
    return _evidence("fisher", odds, min(1.0, float(made.pvalue)), n1 + n2, alternative)


def two_sample_z(errors1: int, n1: int, errors2: int, n2: int, *, pooled: bool = False) -> Evidence:
    """Return the z test of the notes (T1), flagged: its size is right in large samples only.

    Var = e1 (1 - e1) / n1 + e2 (1 - e2) / n2, or with `pooled` the variance under one common rate.
    Where the former vanishes although the rates differ (none wrong against all wrong), the pooled
    one stands in.

    Examples
    --------
    >>> round(two_sample_z(20, 100, 30, 100).statistic, 4)
    -1.644
    >>> two_sample_z(0, 50, 0, 60).p_value
    1.0
    """
    _check(errors1, n1, errors2, n2)
    e1, e2, e = errors1 / n1, errors2 / n2, (errors1 + errors2) / (n1 + n2)
    variance = e1 * (1 - e1) / n1 + e2 * (1 - e2) / n2
    if pooled or variance == 0:
        variance = e * (1 - e) * (1 / n1 + 1 / n2)
    contrast = Contrast(
        value=e1 - e2,
        se=math.sqrt(variance),
        df=math.inf,
        test="two-sample-z-pooled" if pooled else "two-sample-z",
        null=NULL,
        n=n1 + n2,
        assumptions=(*ASSUMPTIONS, "enough errors and right answers in both for a normal law"),
        flag="rejects too often where errors are few; use boschloo",
    )
    return contrast.evidence()


def _boschloo_greater(x1: int, n1: int, x2: int, n2: int) -> tuple[float, float]:
    """Return Fisher's and Boschloo's one-sided p that the first errs more."""
    # Compiled loops are imported only where they are used: they cost a second to load.
    from referee.significance.unpaired.unconditional import (
        fisher_greater,
        fisher_staircase,
        largest_chance,
    )

    by_fisher = fisher_greater(x1, n1, x2, n2)
    # Fisher's p is never smaller; so far out the tails of the binomials are no longer summed.
    if by_fisher < 1e-60:
        return by_fisher, by_fisher
    stairs = fisher_staircase(by_fisher, n1, n2)
    p = largest_chance(stairs, np.full(n1 + 1, n2 + 1), n2)
    return by_fisher, min(p, by_fisher)


def _pooled_z(x1: Codes, n1: int, x2: Codes, n2: int) -> Floats:
    # Whole numbers as far as they go, so that tables with equal z are seen as ties.
    m = x1 + x2
    variance = m * (n1 + n2 - m) * (float(n1) * n2 / (n1 + n2))
    over = x1.astype(float) * n2 - x2.astype(float) * n1
    return np.where(variance > 0, over / np.sqrt(np.maximum(variance, 1e-300)), 0.0)


def _z_staircases(z: float, n1: int, n2: int) -> tuple[Codes, Codes]:
    """Return the largest x2 with z(x1, x2) >= z, and the smallest with z(x1, x2) <= -z."""
    x1 = np.arange(n1 + 1)
    slack = TIE * max(abs(z), 1e-9)

    def count(below: bool) -> Codes:
        left, right = np.full(n1 + 1, -1), np.full(n1 + 1, n2)
        while np.any(left < right):  # z falls with x2
            middle = (left + right + 1) // 2
            found = _pooled_z(x1, n1, middle, n2)
            inside = (found >= z - slack) if below else (found > -z + slack)
            left, right = np.where(inside, middle, left), np.where(inside, right, middle - 1)
        return left

    return count(True), count(False) + 1


def _sided(alternative: str) -> str:
    if alternative not in ("less", "greater"):
        raise InputError(
            f"alternative must be 'two-sided', 'less' or 'greater', got {alternative!r}"
        )
    return alternative


def _check(errors1: int, n1: int, errors2: int, n2: int) -> None:
    for name, errors, n in (("1", errors1, n1), ("2", errors2, n2)):
        for label, value in ((f"n{name}", n), (f"errors{name}", errors)):
            if isinstance(value, bool) or not float(value).is_integer():
                raise InputError(f"{label} must be a whole number of cases, got {value}")
        if n < 1:
            raise InputError(f"n{name} must be at least 1, got {n}; a test needs cases")
        if not 0 <= errors <= n:
            raise InputError(f"errors{name} must lie between 0 and n{name} = {n}, got {errors}")


def _evidence(test: str, statistic: float, p: float, n: int, alternative: str) -> Evidence:
    return Evidence(
        test=test,
        statistic=statistic,
        p_value=p,
        null=NULL,
        n=n,
        alternative=alternative,
        assumptions=ASSUMPTIONS,
    )
