"""Alpaydin's F of 5 x 2-fold cross-validation, which reads all ten differences; flagged.

References
----------
Alpaydin (1999), Combined 5 x 2 cv F test, Neural Computation 11.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from scipy import stats

from referee.core.arrays import Floats
from referee.core.calibration_record import false_alarms
from referee.core.results import Evidence, Target
from referee.significance.comparison_test import ComparisonTest, LearnerTrial, Setting
from referee.significance.learners.five_by_two import (
    ASSUMPTIONS,
    FLAG_SAME,
    NULL,
    checked_differences,
    five_by_two_refusal,
    variances,
)
from referee.significance.samples import LearnerSample
from referee.significance.works import ALPAYDIN_1999

__all__ = ["FIVE_BY_TWO_F", "five_by_two_f"]

FLAG = f"{false_alarms('5x2cv-f')}; use calibrated-t"


def five_by_two_f(differences: Floats, *, n: int | None = None) -> Evidence:
    """Test whether two learners differ by Alpaydin's F with 10 and 5 degrees of freedom, flagged.

    All ten differences count, and the order of the folds does not. Where nothing varied within
    halvings F is 0 and p is 1 if all differences are 0, infinite and 0 otherwise.

    Examples
    --------
    >>> d = np.array([[0.02, 0.01], [0.03, -0.01], [0.0, 0.02], [0.01, 0.01], [0.02, 0.0]])
    >>> e = five_by_two_f(d)
    >>> round(e.statistic, 4), round(e.p_value, 4)
    (1.0, 0.5349)
    """
    d = checked_differences(differences)
    above, below = float(np.sum(d**2)), 2 * float(np.sum(variances(d)))
    statistic = above / below if below > 0 else (math.inf if above > 0 else 0.0)
    return Evidence(
        test="5x2cv-f",
        statistic=statistic,
        p_value=float(stats.f.sf(statistic, 10, 5)),
        null=NULL,
        n=d.size if n is None else n,
        target=Target.EXPECTED,
        assumptions=ASSUMPTIONS,
        df=5,
        flag=f"{FLAG_SAME}; {FLAG}" if math.isinf(statistic) else FLAG,
    )


def _compute(sample: LearnerSample) -> Evidence:
    return five_by_two_f(sample.per_split.reshape(5, 2))


FIVE_BY_TWO_F = ComparisonTest(
    "5x2cv-f",
    title="the combined 5x2cv F test",
    formula=r"""$d_{i1}$ and $d_{i2}$ are the differences of the two folds of halving $i$, and
$s_i^2$ is their variance; $F$ has 10 and 5 degrees of freedom.

$$
s_i^2 = \frac{(d_{i1} - d_{i2})^2}{2}, \quad
F = \frac{\sum_{i=1}^{5} (d_{i1}^2 + d_{i2}^2)}{2 \sum_{i=1}^{5} s_i^2}
$$
""",
    label="5x2cv F",
    citations=(ALPAYDIN_1999,),
    target=Target.EXPECTED,
    assumptions=ASSUMPTIONS,
    flag=FLAG,
    setting=Setting.SEVERAL_FITS,
    refusal=partial(five_by_two_refusal, "5x2cv-f"),
    compute=_compute,
    tried=(LearnerTrial("5x2"),),
    over_splits=True,
)
