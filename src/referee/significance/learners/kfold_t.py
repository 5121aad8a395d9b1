"""The paired t over the folds of one cross-validation: rejects too often, hence flagged.

References
----------
Dietterich (1998), Neural Computation 10. Mitchell (1997), Machine Learning, section 5.6.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from referee.core.arrays import Floats
from referee.core.calibration_record import false_alarms
from referee.core.results import Evidence, Target
from referee.errors import InputError, Refusal, arg
from referee.significance.comparison_test import (
    ComparisonSituation,
    ComparisonTest,
    LearnerTrial,
    Setting,
)
from referee.significance.contrast import Contrast
from referee.significance.samples import LearnerSample
from referee.significance.works import MITCHELL_1997

__all__ = ["KFOLD_T", "kfold_contrast", "kfold_t"]

NULL = "both learners err equally often when trained on samples of this size"
ASSUMPTIONS = (
    "both learners went through the same folds",
    "the folds are independent, which they are not: their training sets overlap",
)
FLAG = (
    f"ignores that training sets overlap: {false_alarms('kfold-t')}; use calibrated-t or "
    "corrected-t"
)


def kfold_t(
    differences: Floats, *, n: int | None = None, repetitions: int = 1, resampled: bool = False
) -> Evidence:
    """Test whether two learners differ, from the folds of one cross-validation, flagged.

    Examples
    --------
    >>> e = kfold_t(np.array([0.02, 0.05, 0.01, 0.04]))
    >>> round(e.statistic, 3), round(e.p_value, 3), e.flag != ""
    (3.286, 0.046, True)
    >>> kfold_t(np.array([0.02, 0.05, 0.01, 0.04]), repetitions=2)
    Traceback (most recent call last):
    ...
    referee.errors.Refusal: a t over the folds of repeated cross-validation counts every case ...
    """
    contrast = kfold_contrast(differences, n=n, repetitions=repetitions, resampled=resampled)
    return contrast.evidence()


def kfold_contrast(
    differences: Floats, *, n: int | None = None, repetitions: int = 1, resampled: bool = False
) -> Contrast:
    """Return the mean difference of k folds with standard error s / sqrt(k) and k - 1 df.

    Parameters
    ----------
    differences : array of shape (folds,)
        Loss of the first learner minus loss of the second in each fold.
    n : int, optional
        The number of cases, for the record; the number of folds where it is not given.
    repetitions : int
        How often cross-validation was repeated; more than once is refused.
    resampled : bool
        Whether the splits are repeated random holdouts; these are refused.
    """
    _refuse(repetitions, resampled)
    d = np.asarray(differences, dtype=float)
    if d.ndim != 1 or len(d) < 2:
        raise InputError("a t over folds needs at least 2 of them", value=f"shape {d.shape}")
    if not np.all(np.isfinite(d)):
        raise InputError("must be finite; found nan or infinity", argument="differences")
    contrast = Contrast(
        value=float(np.mean(d)),
        se=float(np.std(d, ddof=1)) / len(d) ** 0.5,
        df=len(d) - 1,
        test="kfold-t",
        null=NULL,
        n=len(d) if n is None else n,
        target=Target.EXPECTED,
        assumptions=ASSUMPTIONS,
        flag=FLAG,
    )
    if np.any(d != d[0]):
        return contrast
    flag = f"all folds gave the same difference, so its variance cannot be told; {FLAG}"
    return replace(contrast, value=float(d[0]), se=0.0, flag=flag if d[0] else FLAG)


def _refuse(repetitions: int, resampled: bool) -> None:
    if resampled:
        raise Refusal(
            "a t over repeated holdouts counts the same cases again and again: of equal learners "
            "it declares half different (.52 at the .05 level, simulated)",
            remedy="use corrected-t",
        )
    if repetitions > 1:
        raise Refusal(
            f"a t over the folds of repeated cross-validation counts every case {repetitions} "
            "times: of equal learners it declares half different at 10 repetitions (.52 at the "
            ".05 level, simulated)",
            remedy="use calibrated-t or corrected-t",
        )


def _refusal(situation: ComparisonSituation) -> str | None:
    if not situation.partition:
        return (
            "an uncorrected t over repeated holdout calls equal learners different in about half "
            f"of all comparisons; use {arg('significance', 'corrected-t')}"
        )
    if situation.repetitions > 1:
        return (
            "an uncorrected t over repeated cross-validation counts the same cases many times and "
            "calls equal learners different in about half of all comparisons; use "
            f"{arg('significance', 'corrected-t')}"
        )
    return None


def _compute(sample: LearnerSample) -> Contrast:
    losses = sample.losses
    return kfold_contrast(sample.defined, n=losses.n, repetitions=losses.repetitions)


KFOLD_T = ComparisonTest(
    "kfold-t",
    title="a paired t test over folds, which ignores that training sets overlap",
    formula=r"""$\bar d$ is the mean and $s$ the standard deviation of the differences of $k$ folds;
$t$ has $k - 1$ degrees of freedom.

$$
t = \bar d \, / \left( s / \sqrt{k} \right)
$$
""",
    label="k-fold t",
    citations=(MITCHELL_1997,),
    target=Target.EXPECTED,
    assumptions=ASSUMPTIONS,
    flag=FLAG,
    setting=Setting.SEVERAL_FITS,
    refusal=_refusal,
    compute=_compute,
    tried=(LearnerTrial("calibrated-cv", first_pass=True),),
    over_splits=True,
)
