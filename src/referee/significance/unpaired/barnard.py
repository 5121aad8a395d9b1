"""Barnard's exact unconditional test of two models on different cases.

References
----------
Barnard (1947), Biometrika 34. Suissa and Shuster (1985), JRSS A 148.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from referee.core.arrays import Codes, Floats
from referee.core.results import Evidence, Target
from referee.significance.comparison_test import ComparisonTest, Setting
from referee.significance.samples import UnpairedSample
from referee.significance.unpaired.supremum import TIE
from referee.significance.unpaired.two_sample import (
    ASSUMPTIONS,
    check_counts,
    one_side,
    two_sample_evidence,
    two_sample_refusal,
)
from referee.significance.works import BARNARD_1947

__all__ = ["BARNARD", "barnard"]


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
    check_counts(errors1, n1, errors2, n2)
    z = float(_pooled_z(np.array([errors1]), n1, np.array([errors2]), n2)[0])
    none = np.full(n1 + 1, n2 + 1)
    if alternative == "two-sided":
        low, high = _z_staircases(abs(z), n1, n2)
    elif one_side(alternative) == "greater":
        low, high = _z_staircases(z, n1, n2)[0], none
    else:
        low, high = none - n2 - 2, _z_staircases(-z, n1, n2)[1]
    from referee.significance.unpaired.unconditional import largest_chance

    return two_sample_evidence("barnard", z, largest_chance(low, high, n2), n1 + n2, alternative)


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
            there = _pooled_z(x1, n1, middle, n2)
            inside = (there >= z - slack) if below else (there > -z + slack)
            left, right = np.where(inside, middle, left), np.where(inside, right, middle - 1)
        return left

    return count(True), count(False) + 1


def _compute(sample: UnpairedSample) -> Evidence:
    return barnard(*sample.errors)


BARNARD = ComparisonTest(
    "barnard",
    title="Barnard's exact unconditional test",
    formula=r"""The first model errs on $x_1$ of $n_1$ cases, the second on $x_2$ of $n_2$ others;
$\hat q = (x_1 + x_2) / (n_1 + n_2)$. With $X_1$ and $X_2$ binomial at one common rate $q$

$$
z(x_1, x_2) = \frac{x_1 / n_1 - x_2 / n_2}{\sqrt{\hat q (1 - \hat q) (1 / n_1 + 1 / n_2)}}, \quad
p = \max_q \Pr(|z(X_1, X_2)| \ge |z(x_1, x_2)|).
$$
""",
    label="Barnard",
    citations=(BARNARD_1947,),
    target=Target.FIXED,
    assumptions=ASSUMPTIONS,
    setting=Setting.DIFFERENT_CASES,
    refusal=partial(two_sample_refusal, "barnard"),
    compute=_compute,
    of_counts=barnard,
)
