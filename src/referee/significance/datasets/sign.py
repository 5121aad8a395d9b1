"""The sign test: on how many data sets is one of two models the better?

References
----------
Demšar (2006), Statistical comparisons of classifiers over multiple data sets, JMLR 7, section 3.1.
"""

from __future__ import annotations

import numpy as np
import scipy

from referee.core.arrays import Floats
from referee.core.results import Evidence, Target
from referee.significance.datasets.dataset_test import DatasetTest, Role
from referee.significance.datasets.differences import checked_differences
from referee.significance.works import DEMSAR_2006

__all__ = ["SIGN", "sign_test"]

NULL = "each model is the better one on half of such data sets"
ASSUMPTIONS = ("data sets are independent", "ties speak for equality: each counts half a win")


def sign_test(differences: Floats) -> Evidence:
    """Test whether either of two models wins more often, by the exact binomial law.

    Parameters
    ----------
    differences : array of shape (data sets,)
        First minus second, of any score or loss.

    Notes
    -----
    Ties are split evenly between the models, as Demšar does, and an odd one is dropped. The test
    keeps its level so, conservatively where there are many ties. The statistic is the number of
    wins of whichever model has more.

    Examples
    --------
    >>> e = sign_test(np.array([0.1] * 12 + [-0.1, -0.1]))
    >>> e.statistic, round(e.p_value, 4)
    (12.0, 0.0129)
    """
    d = checked_differences(differences)
    shared = int(np.sum(d == 0)) // 2
    wins = [int(np.sum(d < 0)) + shared, int(np.sum(d > 0)) + shared]
    n = sum(wins)
    return Evidence(
        test="sign",
        statistic=float(max(wins)),
        p_value=min(1.0, float(2 * scipy.stats.binom.cdf(min(wins), n, 0.5))) if n else 1.0,
        null=NULL,
        n=len(d),
        target=Target.EXPECTED,
        assumptions=ASSUMPTIONS,
    )


SIGN = DatasetTest(
    "sign",
    title="the sign test",
    formula=r"""The models win $w_1$ and $w_2$ of the data sets; ties are shared, and an odd one is
dropped. $X$ is binomial with $w_1 + w_2$ and $\frac{1}{2}$.

$$
p = \min\left(1,\; 2 \Pr(X \le \min(w_1, w_2))\right)
$$
""",
    measured=(
        "Exact: size never exceeds the level, by enumeration, ties or not (`pytest "
        "tests/significance/datasets/test_sign.py`)."
    ),
    citations=(DEMSAR_2006,),
    target=Target.EXPECTED,
    assumptions=ASSUMPTIONS,
    role=Role.PAIR,
    compute=sign_test,
    label="sign test",
    symbol="wins",
)
