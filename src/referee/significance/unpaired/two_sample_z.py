"""The two-sample z test of two models on different cases: right in large samples only, flagged.

References
----------
Mitchell (1997), Machine Learning, section 5.5.
"""

from __future__ import annotations

import math
from functools import partial

from referee.core.results import Evidence, Target
from referee.significance.comparison_test import ComparisonTest, Setting
from referee.significance.contrast import Contrast
from referee.significance.samples import UnpairedSample
from referee.significance.unpaired.two_sample import (
    ASSUMPTIONS,
    NULL,
    check_counts,
    two_sample_refusal,
)
from referee.significance.works import MITCHELL_1997

__all__ = ["TWO_SAMPLE_Z", "two_sample_z"]

NORMAL = "enough errors and right answers in both for a normal law"
FLAG = "rejects too often where errors are few; use boschloo"


def two_sample_z(errors1: int, n1: int, errors2: int, n2: int, *, pooled: bool = False) -> Evidence:
    """Return the z test, flagged: its size is right in large samples only.

    Var = e1 (1 - e1) / n1 + e2 (1 - e2) / n2, or with `pooled` the variance under one common rate.
    Where the former vanishes although the rates differ (none wrong against all wrong), the pooled
    one stands in.

    Examples
    --------
    >>> round(two_sample_z(20, 100, 30, 100).statistic, 4)
    -1.644
    >>> two_sample_z(0, 50, 0, 60).p_value
    1.0
    """
    check_counts(errors1, n1, errors2, n2)
    e1, e2, e = errors1 / n1, errors2 / n2, (errors1 + errors2) / (n1 + n2)
    variance = e1 * (1 - e1) / n1 + e2 * (1 - e2) / n2
    if pooled or variance == 0:
        variance = e * (1 - e) * (1 / n1 + 1 / n2)
    contrast = Contrast(
        value=e1 - e2,
        se=math.sqrt(variance),
        df=math.inf,
        test="two-sample-z-pooled" if pooled else "two-sample-z",
        null=NULL,
        n=n1 + n2,
        assumptions=(*ASSUMPTIONS, NORMAL),
        flag=FLAG,
    )
    return contrast.evidence()


def _compute(sample: UnpairedSample) -> Evidence:
    return two_sample_z(*sample.errors)


TWO_SAMPLE_Z = ComparisonTest(
    "two-sample-z",
    title="the two-sample z test",
    formula=r"""The first model errs on a share $e_1$ of $n_1$ cases, the second on $e_2$ of $n_2$
others; $z$ is normal.

$$
z = \frac{e_1 - e_2}{\sqrt{e_1 (1 - e_1) / n_1 + e_2 (1 - e_2) / n_2}}
$$
""",
    label="two-sample z",
    citations=(MITCHELL_1997,),
    target=Target.FIXED,
    assumptions=(*ASSUMPTIONS, NORMAL),
    flag=FLAG,
    setting=Setting.DIFFERENT_CASES,
    refusal=partial(two_sample_refusal, "two-sample-z"),
    compute=_compute,
    of_counts=two_sample_z,
)
