"""Friedman's test in the sharper form of Iman and Davenport, exact where data sets are few.

With few data sets the F law rejects too often: at a level of .05 up to .083 (three models on three
data sets), by enumeration. So p comes from all arrangements of the ranks up to 100 data sets
(`rank_law`), and from F beyond.

References
----------
Iman and Davenport (1980), Communications in Statistics A9. Demšar (2006), JMLR 7, section 3.2.
"""

from __future__ import annotations

import math

import numpy as np
import scipy

from referee.core.arrays import Floats
from referee.core.results import Evidence, Target
from referee.errors import InputError
from referee.significance.datasets.dataset_test import DatasetTest, Role
from referee.significance.datasets.friedman import ASSUMPTIONS, NULL, chi_squared, ranks_of
from referee.significance.datasets.rank_law import chance_of_ranks
from referee.significance.works import IMAN_DAVENPORT_1980

__all__ = ["IMAN_DAVENPORT", "iman_davenport"]


ENOUGH = 100
"""Data sets from which on the F law serves."""


def iman_davenport(
    scores: Floats,
    *,
    greater_is_better: bool = True,
    tie_correction: bool = True,
    law: str = "auto",
) -> Evidence:
    """Test whether any of k models ranks differently.

    Parameters
    ----------
    scores, greater_is_better, tie_correction
        As in `friedman`, whose statistic is turned into F = (N - 1) χ² / (N (k - 1) - χ²).
    law : {"auto", "f", "permutation"}
        Where p comes from: F with k - 1 and (k - 1)(N - 1) degrees of freedom, or all arrangements
        of the ranks; "auto" arranges up to 100 data sets.

    Notes
    -----
    Where all N data sets rank the models alike F is infinite; p is then the chance of that, the
    smallest that N data sets can give: one in k! for each data set after the first, fewer with
    ties.

    Examples
    --------
    >>> scores = np.array([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.7, 0.8], [0.7, 0.6, 0.5]])
    >>> e = iman_davenport(scores)
    >>> round(e.statistic, 4), round(e.p_value, 4)
    (13.0, 0.0417)
    """
    if law not in ("auto", "f", "permutation"):
        raise InputError("must be 'auto', 'f' or 'permutation'", argument="law", value=repr(law))
    ranks = ranks_of(scores, greater_is_better)
    n, k = ranks.shape
    alike = bool(np.all(ranks == ranks[0])) and bool(np.any(ranks != ranks[0, 0]))
    infinite = alike and (tie_correction or _orders(ranks[0]) == math.factorial(k))
    chi2 = chi_squared(ranks, tie_correction)
    f = math.inf if infinite else (n - 1) * chi2 / (n * (k - 1) - chi2)
    arranged = law == "permutation" or (law == "auto" and n <= ENOUGH)
    if infinite:
        p = _orders(ranks[0]) ** -(n - 1.0)
    elif arranged:
        p = chance_of_ranks(ranks)
    else:
        p = float(scipy.stats.f.sf(f, k - 1, (k - 1) * (n - 1)))
    return Evidence(
        test="iman-davenport",
        statistic=float(f),
        p_value=float(p),
        null=NULL,
        n=n,
        target=Target.EXPECTED,
        assumptions=ASSUMPTIONS if arranged else (*ASSUMPTIONS, "enough data sets for the F law"),
        df=None if arranged else k - 1,
        flag="all data sets rank the models alike; p is the smallest so many can give"
        if infinite
        else "",
    )


def _orders(ranks: Floats) -> int:
    """Return how many orders models with these ties can be brought into."""
    _, ties = np.unique(ranks, return_counts=True)
    return math.factorial(len(ranks)) // math.prod(math.factorial(int(t)) for t in ties)


IMAN_DAVENPORT = DatasetTest(
    "iman-davenport",
    title="Friedman's test in the form of Iman and Davenport",
    formula=r"""$\chi^2$ is [Friedman's](friedman.md), of $k$ models on $N$ data sets.

$$
F = \frac{(N - 1) \, \chi^2}{N (k - 1) - \chi^2}
$$

Up to 100 data sets p is the chance of so large an $F$ if the ranks of each data set fell to the
models at random (exact, or from 9999 arrangements); beyond, $F$ has $k - 1$ and $(k - 1)(N - 1)$
degrees of freedom.
""",
    measured=(
        "Size never exceeds the level where all arrangements are enumerated, nor where they are "
        "sampled but for the error of that (`pytest "
        "tests/significance/datasets/test_friedman.py`)."
    ),
    citations=(IMAN_DAVENPORT_1980,),
    target=Target.EXPECTED,
    assumptions=ASSUMPTIONS,
    role=Role.ALL,
    compute=iman_davenport,
    label="Iman-Davenport",
    symbol="F",
)
