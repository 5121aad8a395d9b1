"""Cochran's Q: do several fixed models err equally often on the same cases?

Q = (k - 1) (k sum C² - N²) / (k N - sum R²), with C the errors of each model, R those on each case
and N all errors; it is chi-square with k - 1 degrees of freedom in large samples. A case on which
all models agree is not informative. If the models are interchangeable on each case, the errors of a
case are as likely to fall on any of them, and permuting them within each case gives the exact law.

Size of the chi-square form at .05 given m informative cases, every outcome enumerated: two models
.125 (m = 4), .077 (16), .057 (100), .054 (over 1000); three .111 (3), .072 (12), .053 (100); four
.069 (8), .051 (32). So p comes from permutation below 1000 informative cases: from the exact law
where its table is small (two models always, three up to 75 cases, four up to 24), from 9999 random
permutations otherwise.

References
----------
Cochran (1950), Biometrika 37. Tate and Brown (1970), JASA 65. Patil (1975), JASA 70.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import scipy

from referee.core.arrays import Codes, Flags
from referee.core.randomness import RandomState, integer_seed
from referee.core.results import Evidence, Target
from referee.errors import InputError
from referee.significance.datasets.dataset_test import DatasetTest, Role
from referee.significance.works import COCHRAN_1950

__all__ = ["COCHRAN_Q", "cochran_q"]

NULL = "all models err equally often on new cases"
ASSUMPTIONS = (
    "the cases are independent draws from one population",
    "all models were fixed before the cases were seen",
)

ENOUGH = 1000
"""Informative cases from which on the chi-square law serves."""

MOST_STATES = 3_000
"""Up to so many different columns of totals the exact law is built; beyond it is sampled."""

MOST_SETS = 1_000
"""Up to so many sets of models that may err together, a round draws how often each of them does."""

ROUNDS = 9_999
"""Random permutations, so that the smallest p is 1 / 10 000."""


def cochran_q(wrong: Flags, *, law: str = "auto", random_state: RandomState = 0) -> Evidence:
    """Return Cochran's test of equal errors.

    Parameters
    ----------
    wrong : array of bool, shape (cases, models)
        Whether each model erred on each case.
    law : {"auto", "chi2", "permutation"}
        Where p comes from; "auto" permutes below 1000 informative cases.
    random_state : int, generator or None
        Used only where there are too many outcomes to list; then 9999 random permutations stand
        for all of them and p = (1 + hits) / 10 000.

    Examples
    --------
    >>> wrong = np.array([[1, 0, 0]] * 6 + [[1, 1, 0]] * 2 + [[0, 0, 0]] * 9, dtype=bool)
    >>> e = cochran_q(wrong)
    >>> round(e.statistic, 3), round(e.p_value, 5)
    (13.0, 0.00091)
    """
    cells = _checked(wrong)
    if law not in ("auto", "chi2", "permutation"):
        raise InputError("must be 'auto', 'chi2' or 'permutation'", argument="law", value=repr(law))
    k, informative = cells.shape[1], _informative(cells)
    permuted = law == "permutation" or (law == "auto" and len(informative) < ENOUGH)
    q = _statistic(informative, k)
    if len(informative) == 0:
        p = 1.0
    elif permuted:
        p = _permuted(informative, integer_seed(random_state))
    else:
        p = float(scipy.stats.chi2.sf(q, k - 1))
    few = not permuted and len(informative) < ENOUGH
    return Evidence(
        test="cochran-q",
        statistic=q,
        p_value=p,
        null=NULL,
        n=len(cells),
        assumptions=ASSUMPTIONS,
        df=None if permuted else float(k - 1),
        flag=f"only {len(informative)} informative cases; use law='permutation'" if few else "",
    )


def _informative(cells: Codes) -> Codes:
    errors = cells.sum(axis=1)
    informative: Codes = cells[(errors > 0) & (errors < cells.shape[1])]
    return informative


def _statistic(informative: Codes, k: int) -> float:
    # Cases on which all agree cancel from Q, so they need not be carried along.
    if len(informative) == 0:
        return 0.0
    by_case = informative.sum(axis=1)
    return _q(float(_spread(informative.sum(axis=0))), by_case, k)


def _q(spread: float, by_case: Codes, k: int) -> float:
    return (k - 1) * spread / float(np.sum(by_case * (k - by_case)))


def _spread(totals: Codes) -> int:
    """Return k sum C² - N², all of Q that permuting changes; a whole number, so ties are exact."""
    return int(totals.size * np.sum(totals**2) - np.sum(totals) ** 2)


def _permuted(informative: Codes, seed: int) -> float:
    observed = _spread(informative.sum(axis=0))
    m, k = informative.shape
    if math.comb(m + k - 1, k - 1) <= MOST_STATES:
        return _exact(informative.sum(axis=1), k, observed)
    return _sampled(informative, observed, seed)


def _exact(by_case: Codes, k: int, observed: int) -> float:
    """Return P(spread >= observed) from the law of the totals, built case by case.

    Models are interchangeable, so totals are kept sorted: k! fewer of them.
    """
    law: dict[tuple[int, ...], float] = {(0,) * k: 1.0}
    for errors, cases in sorted(Counter(by_case.tolist()).items()):
        ways = list(itertools.combinations(range(k), errors))
        for _ in range(cases):
            following: dict[tuple[int, ...], float] = {}
            for totals, chance in law.items():
                for way in ways:
                    reached = tuple(sorted(t + (j in way) for j, t in enumerate(totals)))
                    following[reached] = following.get(reached, 0.0) + chance / len(ways)
            law = following
    return min(1.0, sum(c for t, c in law.items() if _spread(np.array(t)) >= observed))


def _sampled(informative: Codes, observed: int, seed: int) -> float:
    rng = np.random.default_rng(seed)
    k = informative.shape[1]
    totals = np.zeros((ROUNDS, k), dtype=np.intp)
    for errors, cases in sorted(Counter(informative.sum(axis=1).tolist()).items()):
        totals += _random_totals(rng, k, errors, cases)
    spread = k * np.sum(totals**2, axis=1) - np.sum(totals, axis=1) ** 2
    return (1 + int(np.sum(spread >= observed))) / (1 + ROUNDS)


def _random_totals(rng: np.random.Generator, k: int, errors: int, cases: int) -> Codes:
    """Return the models' totals when each of `cases` puts its errors on a random set of models."""
    if math.comb(k, errors) <= MOST_SETS:
        sets = np.array(list(itertools.combinations(range(k), errors)))
        member = np.zeros((len(sets), k), dtype=np.intp)
        np.put_along_axis(member, sets, 1, axis=1)
        drawn = rng.multinomial(cases, np.full(len(sets), 1 / len(sets)), size=ROUNDS)
        return np.asarray(drawn @ member, dtype=np.intp)
    one = np.arange(k) < errors
    totals = np.zeros((ROUNDS, k), dtype=np.intp)
    for _ in range(cases):
        totals += rng.permuted(np.broadcast_to(one, (ROUNDS, k)), axis=1)
    return totals


def _checked(wrong: Flags) -> Codes:
    cells = np.asarray(wrong)
    if cells.ndim != 2 or cells.shape[0] < 1 or cells.shape[1] < 2:
        raise InputError(
            "must have a row for each case and a column for each of at least 2 models",
            argument="wrong",
            value=f"shape {cells.shape}",
        )
    if not np.all((cells == 0) | (cells == 1)):
        raise InputError(
            "must hold only True and False (an error or not)",
            argument="wrong",
            remedy="compare answers",
        )
    return cells.astype(np.intp)


COCHRAN_Q = DatasetTest(
    "cochran-q",
    title="Cochran's Q",
    formula=r"""$C_j$ are the errors of model $j$ of $k$, $R_i$ the models that err on case $i$, and
$N$ all errors; $Q$ has about $k - 1$ degrees of freedom.

$$
Q = \frac{(k - 1) \left(k \sum_j C_j^2 - N^2\right)}{k N - \sum_i R_i^2}
$$

On fewer than 1000 cases that tell the models apart p is the chance of so large a $Q$ if the errors
of each case fell to the models at random (exact, or from 9999 arrangements).
""",
    measured=(
        "Size at most .050 by enumeration of 3 to 24 cases that tell models apart; the chi-squared"
        " form reaches .125 there (`pytest -m slow tests/significance/paired/test_cochran.py -s`)."
    ),
    citations=(COCHRAN_1950,),
    target=Target.FIXED,
    assumptions=ASSUMPTIONS,
    role=Role.CASES,
    compute=cochran_q,
)
