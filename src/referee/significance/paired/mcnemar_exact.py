"""McNemar's exact test of two fixed models on the same cases: the default.

Its size never exceeds the level; see `referee.significance.paired.mcnemar` for all three forms.

References
----------
McNemar (1947), Psychometrika 12.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import scipy

from referee.core.arrays import Floats
from referee.core.results import Evidence, Target
from referee.measures.formulas.paired_counts import PairedCounts
from referee.significance.comparison_test import ComparisonTest, Setting
from referee.significance.paired.mcnemar import (
    ASSUMPTIONS,
    mcnemar_evidence,
    mcnemar_refusal,
    signed,
    smallest_p,
    two_sided,
    whole_counts,
)
from referee.significance.samples import PairedSample
from referee.significance.works import MCNEMAR_1947

__all__ = ["FORMULA", "MCNEMAR_EXACT", "mcnemar_exact", "mcnemar_exact_of_many"]


def mcnemar_exact(counts: PairedCounts) -> Evidence:
    """Return the exact test, the default; the statistic is c - b.

    The two-sided p is twice the smaller tail, at most 1, and 1 where the models never disagree.

    Examples
    --------
    >>> round(mcnemar_exact(PairedCounts(59, 6, 16, 80)).p_value, 4)
    0.0525
    >>> mcnemar_exact(PairedCounts(10, 0, 0, 2)).p_value
    1.0
    """
    b, c = whole_counts(counts)
    return mcnemar_evidence("mcnemar-exact", signed(b, c), two_sided(b, c), counts)


def _compute(sample: PairedSample) -> Evidence:
    return mcnemar_exact(sample.counts)


def _smallest(sample: PairedSample) -> float:
    return smallest_p(int(sample.counts.discordant))


def mcnemar_exact_of_many(b: Floats, c: Floats) -> Floats:
    """Return the p-values of many pairs at once.

    Examples
    --------
    >>> mcnemar_exact_of_many(np.array([0.0, 3.0]), np.array([0.0, 12.0])).round(4).tolist()
    [1.0, 0.0352]
    """
    p = 2 * scipy.stats.binom.cdf(np.minimum(b, c), b + c, 0.5)
    return np.minimum(np.where(b + c == 0, 1.0, p), 1.0)


FORMULA = r"""$b$ cases only the first model got right, $c$ only the second.

$$
p = \min\left(1,\; 2 \sum_{i=0}^{\min(b, c)} \binom{b + c}{i} \, 2^{-(b + c)}\right)
$$
"""
"""How the p-value follows from the counts."""

MCNEMAR_EXACT = ComparisonTest(
    "mcnemar-exact",
    title="McNemar's exact test on the cases that only one of two models got right",
    label="exact McNemar",
    citations=(MCNEMAR_1947,),
    formula=FORMULA,
    target=Target.FIXED,
    assumptions=ASSUMPTIONS,
    setting=Setting.SAME_CASES,
    refusal=partial(mcnemar_refusal, "mcnemar-exact"),
    compute=_compute,
    of_counts=mcnemar_exact,
    smallest_p=_smallest,
)
