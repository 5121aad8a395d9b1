"""McNemar's mid-p test of two fixed models on the same cases: sharper, and too eager at times.

References
----------
Fagerland, Lydersen and Laake (2013), BMC Medical Research Methodology 13.
"""

from __future__ import annotations

from functools import partial

import scipy

from referee.core.results import Evidence, Target
from referee.measures.formulas.paired_counts import PairedCounts
from referee.significance.comparison_test import ComparisonTest, Setting
from referee.significance.paired.mcnemar import (
    ASSUMPTIONS,
    mcnemar_evidence,
    mcnemar_refusal,
    signed,
    two_sided,
    whole_counts,
)
from referee.significance.samples import PairedSample
from referee.significance.works import FAGERLAND_2013

__all__ = ["MCNEMAR_MIDP", "mcnemar_midp"]

FLAG = "size reaches .077 where models disagree on nearly every case; use mcnemar-exact"


def mcnemar_midp(counts: PairedCounts) -> Evidence:
    """Return the mid-p test, flagged: half the chance of the observed table is not counted.

    Examples
    --------
    >>> round(mcnemar_midp(PairedCounts(59, 6, 16, 80)).p_value, 4)
    0.0347
    """
    b, c = whole_counts(counts)
    observed = float(scipy.stats.binom.pmf(b, b + c, 0.5)) if b + c else 0.0
    # Of equal counts there is one table, of others two: b and c may be exchanged.
    p = 1 - observed / 2 if b == c else two_sided(b, c) - observed
    return mcnemar_evidence("mcnemar-midp", signed(b, c), p, counts, FLAG)


def _compute(sample: PairedSample) -> Evidence:
    return mcnemar_midp(sample.counts)


MCNEMAR_MIDP = ComparisonTest(
    "mcnemar-midp",
    title="McNemar's mid-p test",
    formula=r"""$b$ cases only the first model got right, $c$ only the second; $X$ is binomial with
$b + c$ and $\frac{1}{2}$.

$$
p = 2 \Pr(X < \min(b, c)) + \Pr(X = \min(b, c)), \quad p = 1 - \frac{1}{2} \Pr(X = b)
\text{ where } b = c
$$
""",
    label="mid-p McNemar",
    citations=(FAGERLAND_2013,),
    target=Target.FIXED,
    assumptions=ASSUMPTIONS,
    flag=FLAG,
    setting=Setting.SAME_CASES,
    refusal=partial(mcnemar_refusal, "mcnemar-midp"),
    compute=_compute,
    of_counts=mcnemar_midp,
)
