"""Dietterich's t of 5 x 2-fold cross-validation: flagged, for it rests on one fold of ten.

References
----------
Dietterich (1998), Approximate statistical tests, Neural Computation 10.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from referee.core.arrays import Floats
from referee.core.calibration_record import false_alarms
from referee.core.results import Evidence, Target
from referee.significance.comparison_test import ComparisonTest, LearnerTrial, Setting
from referee.significance.contrast import Contrast
from referee.significance.learners.five_by_two import (
    ASSUMPTIONS,
    FLAG_SAME,
    NULL,
    checked_differences,
    five_by_two_refusal,
    variances,
)
from referee.significance.samples import LearnerSample
from referee.significance.works import DIETTERICH_1998

__all__ = ["FIVE_BY_TWO_T", "five_by_two_t"]

FLAG = (
    "rests on the difference of one fold of ten, so another order of the folds gives another p; "
    f"{false_alarms('5x2cv-t')}; use calibrated-t"
)


def five_by_two_t(differences: Floats, *, n: int | None = None) -> Evidence:
    """Test whether two learners differ by Dietterich's t with 5 degrees of freedom, flagged.

    The first fold's difference over the root mean of the 5 halvings' variances.

    Parameters
    ----------
    differences : array of shape (5, 2)
        Loss of the first learner minus loss of the second: a row for each halving, a column for
        each of its two folds.
    n : int, optional
        The number of cases, for the record; the 10 folds where it is not given.

    Examples
    --------
    >>> d = np.array([[0.02, 0.01], [0.03, -0.01], [0.0, 0.02], [0.01, 0.01], [0.02, 0.0]])
    >>> e = five_by_two_t(d)
    >>> round(e.statistic, 4), round(e.p_value, 4)
    (1.2649, 0.2617)
    """
    d = checked_differences(differences)
    variance = float(np.mean(variances(d)))
    contrast = Contrast(
        value=float(d[0, 0]),
        se=math.sqrt(variance),
        df=5,
        test="5x2cv-t",
        null=NULL,
        n=d.size if n is None else n,
        target=Target.EXPECTED,
        assumptions=ASSUMPTIONS,
        flag=FLAG if variance > 0 or d[0, 0] == 0 else f"{FLAG_SAME}; {FLAG}",
    )
    return contrast.evidence()


def _compute(sample: LearnerSample) -> Evidence:
    return five_by_two_t(sample.per_split.reshape(5, 2))


FIVE_BY_TWO_T = ComparisonTest(
    "5x2cv-t",
    title="the 5x2cv t test",
    formula=r"""$d_{i1}$ and $d_{i2}$ are the differences of the two folds of halving $i$, and
$s_i^2$ is their variance; $t$ has 5 degrees of freedom.

$$
s_i^2 = \frac{(d_{i1} - d_{i2})^2}{2}, \quad
t = d_{11} \, / \sqrt{\frac{1}{5} \sum_{i=1}^{5} s_i^2}
$$
""",
    label="5x2cv t",
    citations=(DIETTERICH_1998,),
    target=Target.EXPECTED,
    assumptions=ASSUMPTIONS,
    flag=FLAG,
    setting=Setting.SEVERAL_FITS,
    refusal=partial(five_by_two_refusal, "5x2cv-t"),
    compute=_compute,
    tried=(LearnerTrial("5x2"),),
    over_splits=True,
)
