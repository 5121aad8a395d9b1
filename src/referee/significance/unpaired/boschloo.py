"""Boschloo's exact unconditional test of two models on different cases: the default.

Its size never exceeds the level, as with Fisher's test, and it is more powerful than Fisher's
everywhere. It orders the outcomes by Fisher's one-sided p and maximises their probability over the
unknown common error rate; the two-sided p is twice the smaller one-sided one, as in scipy. scipy's
own needs n1 times n2 cells; here the region is a staircase.

References
----------
Boschloo (1970), Statistica Neerlandica 24.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from referee.core.results import Evidence, Target
from referee.significance.comparison_test import ComparisonTest, Setting
from referee.significance.samples import UnpairedSample
from referee.significance.unpaired.two_sample import (
    ASSUMPTIONS,
    check_counts,
    one_side,
    two_sample_evidence,
    two_sample_refusal,
)
from referee.significance.works import BOSCHLOO_1970

__all__ = ["BOSCHLOO", "FORMULA", "boschloo"]


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
    check_counts(errors1, n1, errors2, n2)
    one_sided = {
        "greater": _boschloo_greater(errors1, n1, errors2, n2),
        "less": _boschloo_greater(errors2, n2, errors1, n1),
    }
    if alternative == "two-sided":
        statistic, p = min(one_sided.values(), key=lambda side: side[1])
        p = min(1.0, 2 * p)
    else:
        statistic, p = one_sided[one_side(alternative)]
    return two_sample_evidence("boschloo", statistic, p, n1 + n2, alternative)


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


def _compute(sample: UnpairedSample) -> Evidence:
    return boschloo(*sample.errors)


FORMULA = r"""$P_F(x_1, x_2)$ is Fisher's one-sided p-value of $x_1$ errors of $n_1$ and $x_2$ of
$n_2$ cases. With $X_1$ and $X_2$ binomial at one common rate $q$ the one-sided p-value is

$$
p = \max_q \Pr\left(P_F(X_1, X_2) \le P_F(x_1, x_2)\right),
$$

and the two-sided one twice the smaller of both sides, at most 1.
"""
"""How it is computed."""

BOSCHLOO = ComparisonTest(
    "boschloo",
    title="Boschloo's exact unconditional test",
    formula=FORMULA,
    label="Boschloo",
    citations=(BOSCHLOO_1970,),
    target=Target.FIXED,
    assumptions=ASSUMPTIONS,
    setting=Setting.DIFFERENT_CASES,
    refusal=partial(two_sample_refusal, "boschloo"),
    compute=_compute,
    of_counts=boschloo,
)
