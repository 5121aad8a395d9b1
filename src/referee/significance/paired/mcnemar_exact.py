"""McNemar's exact test of two fixed models on the same cases: the default.

Its size never exceeds the level; see `referee.significance.paired.mcnemar` for all three forms.

References
----------
McNemar (1947), Psychometrika 12.
"""

from __future__ import annotations

from functools import partial

from referee.core.results import Evidence, Target
from referee.measures.paired_counts import PairedCounts
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

__all__ = ["MCNEMAR_EXACT", "mcnemar_exact"]


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


MCNEMAR_EXACT = ComparisonTest(
    "mcnemar-exact",
    title="McNemar's exact test on the cases that only one of two models got right",
    label="exact McNemar",
    citations=(MCNEMAR_1947,),
    target=Target.FIXED,
    assumptions=ASSUMPTIONS,
    setting=Setting.SAME_CASES,
    refusal=partial(mcnemar_refusal, "mcnemar-exact"),
    compute=_compute,
    smallest_p=_smallest,
)
