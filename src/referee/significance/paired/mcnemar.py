"""McNemar's test: do two fixed models err equally often on the same cases? (E6)

Only the cases on which the models disagree speak: given how many there are, the number that favour
the first is binomial with probability 1/2 if both err equally often.

Size at .05, every table enumerated. Given that the models disagree m times, m <= 400: exact at
most .050, with Edwards' correction .050, mid-p .077 (m = 16), asymptotic .125 (m = 4). Over all
tables of n <= 400 cases, where models disagree on at most half of them: exact .042, mid-p .0497,
asymptotic .054.
Only the exact test keeps its promise everywhere; it is the default.

References
----------
McNemar (1947), Psychometrika 12. Edwards (1948), Psychometrika 13. Fagerland, Lydersen and Laake
(2013), BMC Medical Research Methodology 13.
"""

from __future__ import annotations

import math

from scipy import stats

from referee.core.results import Evidence
from referee.errors import InputError
from referee.measures.pairs import Pairs

__all__ = ["mcnemar_asymptotic", "mcnemar_exact", "mcnemar_midp", "smallest_p"]

MIDP_FLAG = "size reaches .077 where models disagree on nearly every case; use mcnemar-exact"
ASYMPTOTIC_FLAG = "size reaches .125 where models disagree on few cases; use mcnemar-exact"
CORRECTED_FLAG = "an approximation of mcnemar-exact, which costs no more; use that"
NULL = "both models err equally often on new cases"
ASSUMPTIONS = (
    "the cases are independent draws from one population",
    "both models were fixed before the cases were seen",
)


def mcnemar_exact(pairs: Pairs) -> Evidence:
    """Return the exact test, the default; the statistic is c - b.

    The two-sided p is twice the smaller tail, at most 1, and 1 where the models never disagree.

    Examples
    --------
    >>> round(mcnemar_exact(Pairs(59, 6, 16, 80)).p_value, 4)
    0.0525
    >>> mcnemar_exact(Pairs(10, 0, 0, 2)).p_value
    1.0
    """
    b, c = _whole(pairs)
    return _evidence("mcnemar-exact", _signed(b, c), _exact(b, c), pairs)


def mcnemar_midp(pairs: Pairs) -> Evidence:
    """Return the mid-p test, flagged: half the chance of the observed table is not counted.

    Examples
    --------
    >>> round(mcnemar_midp(Pairs(59, 6, 16, 80)).p_value, 4)
    0.0347
    """
    b, c = _whole(pairs)
    observed = float(stats.binom.pmf(b, b + c, 0.5)) if b + c else 0.0
    # Of equal counts there is one table, of others two: b and c may be exchanged.
    p = 1 - observed / 2 if b == c else _exact(b, c) - observed
    return _evidence("mcnemar-midp", _signed(b, c), p, pairs, MIDP_FLAG)


def mcnemar_asymptotic(pairs: Pairs, *, correction: bool = False) -> Evidence:
    """Return the normal form z = (c - b) / sqrt(b + c), z² being McNemar's chi-square; flagged.

    Parameters
    ----------
    pairs : Pairs
        Whole counts.
    correction : bool
        Edwards' correction: abs(c - b) less 1, but not below 0.

    Examples
    --------
    >>> e = mcnemar_asymptotic(Pairs(59, 6, 16, 80), correction=True)
    >>> round(e.statistic**2, 4), round(e.p_value, 4)
    (3.6818, 0.055)
    """
    b, c = _whole(pairs)
    over = max(0, abs(c - b) - 1) if correction else abs(c - b)
    z = math.copysign(over / math.sqrt(b + c), c - b) if over else 0.0
    p = min(1.0, float(2 * stats.norm.sf(abs(z))))
    flag = CORRECTED_FLAG if correction else ASYMPTOTIC_FLAG
    return _evidence("mcnemar-asymptotic", z, p, pairs, flag)


def smallest_p(n_discordant: int) -> float:
    """Return the smallest p the exact test can reach when the models disagree so often.

    Examples
    --------
    >>> smallest_p(5), smallest_p(6), smallest_p(0)
    (0.0625, 0.03125, 1.0)
    """
    if not n_discordant >= 0 or not float(n_discordant).is_integer():
        raise InputError(f"n_discordant must be a count of at least 0, got {n_discordant}")
    return min(1.0, math.ldexp(1.0, 1 - int(n_discordant)))


def _exact(b: int, c: int) -> float:
    if b + c == 0:
        return 1.0
    return min(1.0, float(stats.binomtest(b, b + c, 0.5).pvalue))


def _signed(b: int, c: int) -> float:
    return float(c - b)


def _whole(pairs: Pairs) -> tuple[int, int]:
    """Return the discordant counts b and c, refusing fractions."""
    for name in ("both_right", "first_right", "second_right", "both_wrong"):
        value = getattr(pairs, name)
        if not float(value).is_integer():
            raise InputError(
                f"{name} must be a whole number of cases for McNemar's test, got {value:g}; "
                "for grouped cases use group_flip"
            )
    return int(pairs.first_right), int(pairs.second_right)


def _evidence(test: str, statistic: float, p: float, pairs: Pairs, flag: str = "") -> Evidence:
    return Evidence(
        test=test,
        statistic=statistic,
        p_value=p,
        null=NULL,
        n=int(pairs.n),
        assumptions=ASSUMPTIONS,
        flag=flag,
    )
