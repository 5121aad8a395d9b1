"""McNemar's chi-square test of two fixed models on the same cases: an approximation, flagged.

References
----------
McNemar (1947), Psychometrika 12. Edwards (1948), Psychometrika 13 (the correction).
"""

from __future__ import annotations

import math
from functools import partial

import scipy

from referee.core.results import Evidence, Target
from referee.measures.formulas.paired_counts import PairedCounts
from referee.significance.comparison_test import ComparisonTest, Setting
from referee.significance.paired.mcnemar import (
    ASSUMPTIONS,
    mcnemar_evidence,
    mcnemar_refusal,
    whole_counts,
)
from referee.significance.samples import PairedSample
from referee.significance.works import MCNEMAR_1947

__all__ = ["MCNEMAR_ASYMPTOTIC", "mcnemar_asymptotic"]

FLAG = "size reaches .125 where models disagree on few cases; use mcnemar-exact"
CORRECTED_FLAG = "an approximation of mcnemar-exact, which costs no more; use that"


def mcnemar_asymptotic(counts: PairedCounts, *, correction: bool = False) -> Evidence:
    """Return the normal form z = (c - b) / sqrt(b + c), z² being McNemar's chi-square; flagged.

    Parameters
    ----------
    counts : PairedCounts
        Whole counts.
    correction : bool
        Edwards' correction: abs(c - b) less 1, but not below 0.

    Examples
    --------
    >>> e = mcnemar_asymptotic(PairedCounts(59, 6, 16, 80), correction=True)
    >>> round(e.statistic**2, 4), round(e.p_value, 4)
    (3.6818, 0.055)
    """
    b, c = whole_counts(counts)
    over = max(0, abs(c - b) - 1) if correction else abs(c - b)
    z = math.copysign(over / math.sqrt(b + c), c - b) if over else 0.0
    p = min(1.0, float(2 * scipy.stats.norm.sf(abs(z))))
    flag = CORRECTED_FLAG if correction else FLAG
    return mcnemar_evidence("mcnemar-asymptotic", z, p, counts, flag)


def _compute(sample: PairedSample) -> Evidence:
    return mcnemar_asymptotic(sample.counts)


MCNEMAR_ASYMPTOTIC = ComparisonTest(
    "mcnemar-asymptotic",
    title="McNemar's chi-squared test",
    formula=r"""$b$ cases only the first model got right, $c$ only the second; $z$ is normal.

$$
z = \frac{c - b}{\sqrt{b + c}}
$$
""",
    label="asymptotic McNemar",
    citations=(MCNEMAR_1947,),
    target=Target.FIXED,
    assumptions=ASSUMPTIONS,
    flag=FLAG,
    setting=Setting.SAME_CASES,
    refusal=partial(mcnemar_refusal, "mcnemar-asymptotic"),
    compute=_compute,
    of_counts=mcnemar_asymptotic,
)
