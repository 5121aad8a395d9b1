"""The Wilcoxon signed-rank test of two models over data sets, exact with ties and zeros.

References
----------
Wilcoxon (1945), Biometrics Bulletin 1. Demšar (2006), JMLR 7, section 3.1.
"""

from __future__ import annotations

import numpy as np
from scipy import stats

from referee.core.arrays import Floats, Rows
from referee.core.results import Evidence, Target
from referee.core.showing.numbers import p_number
from referee.significance.datasets.dataset_test import DatasetTest, Role
from referee.significance.datasets.differences import checked_differences
from referee.significance.works import WILCOXON_1945

__all__ = ["WILCOXON", "wilcoxon"]

NULL = "differences between the models lie symmetrically around 0 over such data sets"
ASSUMPTIONS = (
    "data sets are independent",
    "sizes of differences can be compared between data sets",
)
EXACT_UP_TO = 500


def wilcoxon(differences: Floats) -> Evidence:
    """Test whether either of two models is better, by signed ranks.

    Parameters
    ----------
    differences : array of shape (data sets,)
        First minus second, of any score or loss.

    Notes
    -----
    The statistic is T, the smaller sum of ranks. Equal sizes share their midrank; zeros are ranked
    too and their ranks split between both sums, as Demšar does. p counts the signs that the
    nonzero differences might have had, which is exact whatever the ties; tables and the normal
    approximation are not. The normal law serves above 500 data sets only.

    Examples
    --------
    >>> e = wilcoxon(np.array([0.4, 0.3, -0.1, 0.5, 0.2, 0.6, 0.7]))
    >>> e.statistic, e.p_value
    (1.0, 0.03125)
    """
    d = checked_differences(differences)
    # Doubled midranks are whole numbers, and so are their sums.
    doubled = np.rint(2 * stats.rankdata(np.abs(d))).astype(np.intp)
    positive, negative = (int(np.sum(doubled[d * sign > 0])) for sign in (1, -1))
    zero = int(np.sum(doubled[d == 0]))
    smaller = min(positive, negative)
    signed = doubled[d != 0]
    return Evidence(
        test="wilcoxon",
        statistic=(smaller + zero / 2) / 2,
        p_value=_exact(signed, smaller) if len(d) <= EXACT_UP_TO else _normal(signed, smaller),
        null=NULL,
        n=len(d),
        target=Target.EXPECTED,
        assumptions=ASSUMPTIONS,
    )


def _exact(ranks: Rows, smaller: int) -> float:
    """Return twice the share of sign flips whose sum is at most `smaller`."""
    ways = np.zeros(smaller + 1)
    ways[0] = 1.0
    for rank in ranks:
        ways /= 2
        if rank <= smaller:
            ways[rank:] += ways[: len(ways) - rank].copy()
    return min(1.0, float(2 * ways.sum()))


def _normal(ranks: Rows, smaller: int) -> float:
    spread = float(np.sqrt(np.sum(ranks.astype(float) ** 2))) / 2
    if spread == 0:
        return 1.0
    # Sums of doubled ranks lie 2 apart without ties, so half a step is 1.
    z = (smaller + 1 - float(np.sum(ranks)) / 2) / spread
    return min(1.0, float(2 * stats.norm.cdf(z)))


def _can_show(n: int, alpha: float) -> str:
    """Say what so many data sets can show at best."""
    least = 2.0 ** (1 - n)
    if least > alpha:
        ever = p_number(least)
        return f"{n} data sets are too few to ever show it: the smallest p possible is {ever}"
    return (
        f"{n} data sets can show it only if the ranks of those that disagree sum to at most "
        f"{_ranks_against(n, alpha)} of {n * (n + 1) // 2}"
    )


def _ranks_against(n: int, alpha: float) -> int:
    """Return the largest sum of the ranks on one side at which the test rejects."""
    law = np.ones(1)
    for rank in range(1, n + 1):
        with_it = np.zeros(len(law) + rank)
        with_it[: len(law)] += law / 2
        with_it[rank:] += law / 2
        law = with_it
    return int(np.searchsorted(np.cumsum(law), alpha / 2, side="right")) - 1


WILCOXON = DatasetTest(
    "wilcoxon",
    title="Wilcoxon's signed rank test",
    formula=r"""$R_i$ is the rank of $|d_i|$ among the differences of $N$ data sets, equal sizes
sharing their midrank; half of the ranks of zeros goes to either sum. $s_i = \pm 1$ are
random signs.

$$
R^+ = \sum_{d_i > 0} R_i, \quad R^- = \sum_{d_i < 0} R_i, \quad
p = \min\left(1,\; 2 \Pr\left(\sum_{d_i \ne 0,\; s_i = 1} R_i \le \min(R^+, R^-)\right)\right)
$$

$T$ is the smaller sum with its half of the zeros' ranks.
""",
    measured=(
        "Exact: tests enumerate every flip of signs, with ties and zeros, and size never exceeds "
        "the level (`pytest tests/significance/datasets/test_wilcoxon.py`)."
    ),
    citations=(WILCOXON_1945,),
    target=Target.EXPECTED,
    assumptions=ASSUMPTIONS,
    role=Role.PAIR,
    compute=wilcoxon,
    label="Wilcoxon signed rank",
    symbol="T",
    can_show=_can_show,
)
