"""The corrected resampled t: two learners over splits whose training sets overlap.

References
----------
Nadeau and Bengio (2003), Inference for the generalization error, Machine Learning 52. Bouckaert
and Frank (2004), PAKDD, for repeated cross-validation.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from referee.core.arrays import Floats
from referee.core.calibration_record import false_alarms
from referee.core.results import Evidence, Target
from referee.errors import InputError
from referee.significance.comparison_test import ComparisonTest, LearnerTrial, Setting
from referee.significance.contrast import Contrast
from referee.significance.samples import LearnerSample
from referee.significance.works import NADEAU_BENGIO_2003

__all__ = ["CORRECTED_T", "corrected_contrast", "corrected_t"]

NULL = "both learners err equally often when trained on samples of this size"
ASSUMPTIONS = (
    "both learners went through the same splits, each with about the same number of test cases",
    "the correlation between splits is the share of test cases, a heuristic: "
    + false_alarms("corrected-t"),
)


def corrected_t(differences: Floats, n_train: float, n_test: float) -> Evidence:
    """Test whether two learners differ; see `corrected_contrast`.

    Examples
    --------
    >>> e = corrected_t(np.array([0.02, 0.05, 0.01, 0.04]), n_train=75, n_test=25)
    >>> round(e.statistic, 3), round(e.p_value, 3), e.df
    (2.151, 0.121, 3)
    """
    return corrected_contrast(differences, n_train, n_test).evidence()


def corrected_contrast(differences: Floats, n_train: float, n_test: float) -> Contrast:
    """Return the mean of J differences with standard error s sqrt(1/J + n_test/n_train).

    Parameters
    ----------
    differences : array of shape (splits,)
        Loss of the first learner minus loss of the second in each test set, whether of k-fold
        cross-validation, repeated or not, or of repeated holdout.
    n_train, n_test : float
        Training and test cases of one split (their means, where splits differ).

    Examples
    --------
    >>> c = corrected_contrast(np.array([0.02, 0.05, 0.01, 0.04]), n_train=75, n_test=25)
    >>> round(c.value, 4), round(c.se, 5), c.df
    (0.03, 0.01394, 3)
    """
    d = np.asarray(differences, dtype=float)
    if d.ndim != 1 or len(d) < 2:
        raise InputError(
            "a corrected t needs the differences of at least 2 splits", value=f"shape {d.shape}"
        )
    if not np.all(np.isfinite(d)):
        raise InputError("must be finite; found nan or infinity", argument="differences")
    if not (n_train > 0 and n_test > 0):
        raise InputError(
            "n_train and n_test must be positive",
            concerning="n_train",
            value=f"{n_train} and {n_test}",
        )
    same = bool(np.all(d == d[0]))
    spread = 0.0 if same else float(np.std(d, ddof=1))
    return Contrast(
        value=float(d[0] if same else np.mean(d)),
        se=spread * math.sqrt(1 / len(d) + n_test / n_train),
        df=len(d) - 1,
        test="corrected-t",
        null=NULL,
        n=round(n_train + n_test),
        target=Target.EXPECTED,
        assumptions=ASSUMPTIONS,
        flag="all splits gave the same difference, so its variance cannot be told"
        if same and d[0]
        else "",
    )


def _compute(sample: LearnerSample) -> Contrast:
    losses = sample.losses
    contrast = corrected_contrast(
        sample.defined, float(np.mean(losses.n_train)), float(np.mean(losses.split_sizes))
    )
    lacking = int(np.sum(np.isnan(sample.per_split)))
    flag = f"{sample.measure.name} is undefined in {lacking} splits, which were left out"
    contrast = replace(contrast, n=losses.n, flag=flag if lacking else contrast.flag)
    if contrast.se > 0 or not sample.mean_loss:
        return contrast
    # A perfect model against a constant one differs equally in all folds; the cases still vary.
    spread = float(np.std(losses.per_case, ddof=1)) / losses.n**0.5
    flag = "all splits gave the same difference, so its variance was taken from the cases"
    return replace(contrast, se=spread, df=losses.n - 1.0, flag=flag)


CORRECTED_T = ComparisonTest(
    "corrected-t",
    title="the t test corrected for overlapping training sets",
    label="corrected t",
    citations=(NADEAU_BENGIO_2003,),
    formula=r"""$\bar d$ is the mean and $s$ the standard deviation of the differences of $J$
splits, each of which trains on $n_1$ cases and tests $n_2$; $t$ has $J - 1$ degrees of freedom.

$$
t = \bar d \, / \left( s \sqrt{\frac{1}{J} + \frac{n_2}{n_1}} \right)
$$
""",
    target=Target.EXPECTED,
    assumptions=ASSUMPTIONS,
    setting=Setting.SEVERAL_FITS,
    compute=_compute,
    weighs=True,
    tried=(LearnerTrial("calibrated-cv"),),
    over_splits=True,
)
