"""What the forms of McNemar's test share: do two fixed models err equally often on the same cases?

Only the cases on which the models disagree count: given how many there are, the number that favour
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

import scipy

from referee.core.results import Evidence
from referee.errors import InputError, arg
from referee.measures.formulas.paired_counts import PairedCounts
from referee.significance.comparison_test import ComparisonSituation, unsuited

__all__ = [
    "ASSUMPTIONS",
    "mcnemar_evidence",
    "mcnemar_refusal",
    "signed",
    "smallest_p",
    "two_sided",
    "whole_counts",
]

NULL = "both models err equally often on new cases"
ASSUMPTIONS = (
    "the cases are independent draws from one population",
    "both models were fixed before the cases were seen",
)


def smallest_p(n_discordant: int) -> float:
    """Return the smallest p the exact test can reach when the models disagree so often.

    Examples
    --------
    >>> smallest_p(5), smallest_p(6), smallest_p(0)
    (0.0625, 0.03125, 1.0)
    """
    if not n_discordant >= 0 or not float(n_discordant).is_integer():
        raise InputError(
            "must be a count of at least 0", argument="n_discordant", value=str(n_discordant)
        )
    return min(1.0, math.ldexp(1.0, 1 - int(n_discordant)))


def two_sided(b: int, c: int) -> float:
    """Return the exact two-sided p of b and c: twice the smaller tail, at most 1."""
    if b + c == 0:
        return 1.0
    return min(1.0, float(scipy.stats.binomtest(b, b + c, 0.5).pvalue))


def signed(b: int, c: int) -> float:
    """Return the statistic c - b."""
    return float(c - b)


def whole_counts(counts: PairedCounts) -> tuple[int, int]:
    """Return the discordant counts b and c, refusing fractions."""
    for name in ("both_right", "first_right", "second_right", "both_wrong"):
        value = getattr(counts, name)
        if not float(value).is_integer():
            raise InputError(
                f"{name} must be a whole number of cases for McNemar's test",
                concerning=name,
                value=f"{value:g}",
                remedy="for grouped cases use group_flip",
            )
    return int(counts.first_right), int(counts.second_right)


def mcnemar_evidence(
    test: str, statistic: float, p: float, counts: PairedCounts, flag: str = ""
) -> Evidence:
    """Return the outcome of one of the forms."""
    return Evidence(
        test=test,
        statistic=statistic,
        p_value=p,
        null=NULL,
        n=int(counts.n),
        assumptions=ASSUMPTIONS,
        flag=flag,
    )


def mcnemar_refusal(name: str, situation: ComparisonSituation) -> str | None:
    """Say why one of the forms may not be used: it needs a share of independent cases."""
    if not situation.counts_cases:
        return unsuited(name, situation)
    if situation.grouped:
        return (
            f"{arg('significance', name)} takes the cases of a group as independent; with "
            f"groups use {arg('significance', 'group-flip')}"
        )
    return None
