"""Fisher's exact test of two models on different cases: valid, and less powerful than Boschloo's.

References
----------
Fisher (1935), JRSS 98.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Literal, cast

import numpy as np
import scipy

from referee.core.results import Evidence, Target
from referee.significance.comparison_test import ComparisonTest, Setting
from referee.significance.samples import UnpairedSample
from referee.significance.unpaired.two_sample import (
    ASSUMPTIONS,
    check_counts,
    one_side,
    two_sample_evidence,
    two_sample_refusal,
)
from referee.significance.works import FISHER_1935

__all__ = ["FISHER", "fisher"]


def fisher(
    errors1: int, n1: int, errors2: int, n2: int, *, alternative: str = "two-sided"
) -> Evidence:
    """Return Fisher's exact test given the total of errors; valid, and conservative.

    The statistic is the odds ratio of an error, 1 where no odds can be told.

    Examples
    --------
    >>> round(fisher(30, 100, 20, 100).p_value, 4)
    0.1412
    """
    check_counts(errors1, n1, errors2, n2)
    if alternative != "two-sided":
        one_side(alternative)
    table = np.array([[errors1, errors2], [n1 - errors1, n2 - errors2]])
    side = cast(Literal["two-sided", "less", "greater"], alternative)
    outcome = scipy.stats.fisher_exact(table, alternative=side)
    odds = 1.0 if math.isnan(outcome.statistic) else float(outcome.statistic)
    return two_sample_evidence(
        "fisher", odds, min(1.0, float(outcome.pvalue)), n1 + n2, alternative
    )


def _compute(sample: UnpairedSample) -> Evidence:
    return fisher(*sample.errors)


FISHER = ComparisonTest(
    "fisher",
    title="Fisher's exact test",
    formula=r"""The first model errs on $x_1$ of $n_1$ cases, the second on $x_2$ of $n_2$ others.
Given the errors in all, $k = x_1 + x_2$,

$$
h(i) = \binom{n_1}{i} \binom{n_2}{k - i} / \binom{n_1 + n_2}{k}, \quad
p = \sum_{i :\, h(i) \le h(x_1)} h(i).
$$
""",
    label="Fisher",
    citations=(FISHER_1935,),
    target=Target.FIXED,
    assumptions=ASSUMPTIONS,
    setting=Setting.DIFFERENT_CASES,
    refusal=partial(two_sample_refusal, "fisher"),
    compute=_compute,
    of_counts=fisher,
)
