"""The halves-calibrated t: do two learners differ, judged by repeated cross-validation?

The per-case variance of a cross-validated difference is too small, because cases share training
sets. How much too small is measured where it can be: random halves of the data have no case in
common, so the spread between the two cross-validations of a halving is real.

References
----------
Nadeau and Bengio (2003), Machine Learning 52. Bengio and Grandvalet (2004), JMLR 5: no unbiased
estimator of the variance of cross-validation exists.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from referee.core.arrays import Codes, Floats
from referee.core.results import Evidence, Target
from referee.errors import InputError, arg
from referee.significance.comparison_test import (
    ComparisonSituation,
    ComparisonTest,
    LearnerTrial,
    Setting,
)
from referee.significance.contrast import Contrast
from referee.significance.samples import LearnerSample

__all__ = [
    "ASSUMPTIONS",
    "CALIBRATED_T",
    "Halves",
    "Spreads",
    "calibrated_contrast",
    "calibrated_t",
    "inflation",
]

Halves: TypeAlias = tuple[Floats, Floats]
"""Per-case differences of the cross-validations inside two halves that share no case."""

HalfGroups: TypeAlias = tuple[Codes, Codes]
"""The group of each case of either half."""

NULL = "both learners err equally often when trained on samples of this size"
ASSUMPTIONS = (
    "cases are independent draws from one population",
    "both learners went through one shared plan of splits",
    "trained on the cases of all folds but one, so it speaks about slightly fewer cases",
    "calibrated in simulations of equal learners, not guaranteed: no unbiased estimate of the "
    "variance of cross-validation exists",
    "validated for the zero-one loss",
)
GROUPED = "groups are independent draws from one population"


def calibrated_t(
    main: Floats,
    halves: Sequence[Halves],
    *,
    groups: Codes | None = None,
    half_groups: Sequence[HalfGroups] | None = None,
) -> Evidence:
    """Test whether two learners differ; see `calibrated_contrast`.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> main = rng.integers(-1, 2, size=(10, 60)).astype(float)
    >>> halves = [(main[0, :30], main[0, 30:]), (main[1, ::2], main[1, 1::2])]
    >>> e = calibrated_t(main, halves)
    >>> e.test, e.target.value, e.p_value > 0.05
    ('calibrated-t', 'expected', True)
    """
    contrast = calibrated_contrast(main, halves, groups=groups, half_groups=half_groups)
    return contrast.evidence()


def calibrated_contrast(
    main: Floats,
    halves: Sequence[Halves],
    *,
    groups: Codes | None = None,
    half_groups: Sequence[HalfGroups] | None = None,
) -> Contrast:
    """Return the mean difference of two learners' losses with its calibrated standard error.

    Parameters
    ----------
    main : array of shape (repetitions, cases)
        Loss of the first learner minus loss of the second, from repeated cross-validation.
    halves : sequence of pairs of arrays
        The same differences from cross-validations inside the two halves of each halving.
    groups : array of int, optional
        The group of each case of `main`; variances then come from group sums.
    half_groups : sequence of pairs of arrays, optional
        The group of each case of `halves`; needed with `groups`.

    Notes
    -----
    SE² = max{V_case, φ V1 - (1 - 1/R) S2}: V1 is the mean over the R repetitions of the variance
    of the mean, φ what it has to be multiplied by (`inflation`), S2 the variance between
    repetitions, of which averaging removes all but one R-th, and V_case the variance of the mean
    of each case's mean difference. df = 1/(1/M + 1/(n - 1)) for M halvings and n cases or groups.

    Examples
    --------
    >>> nothing = np.zeros((10, 20))
    >>> c = calibrated_contrast(nothing, [(nothing[0, :10], nothing[0, 10:])])
    >>> c.value, c.se, c.evidence().p_value
    (0.0, 0.0, 1.0)
    """
    if (groups is None) != (half_groups is None):
        raise InputError(
            "groups and half_groups go together", concerning="groups", remedy="give both or neither"
        )
    spreads = Spreads.of(main, groups)
    return spreads.contrast(
        inflation(halves, half_groups),
        len(halves),
        test="calibrated-t",
        assumptions=ASSUMPTIONS if groups is None else (GROUPED, *ASSUMPTIONS[1:]),
        flag=_flag(spreads.per_case, groups),
    )


@dataclass(frozen=True, eq=False)
class Spreads:
    """What repeated cross-validation alone tells of how much a difference varies.

    Attributes
    ----------
    per_case : array
        The mean difference of each case.
    repetitions, units : int
        Repetitions, and cases or groups.
    of_case, of_one, between : float
        The variance of the mean of `per_case`, the mean over repetitions of the variance of the
        mean of one, and the variance between repetitions.
    """

    per_case: Floats
    repetitions: int
    units: int
    of_case: float
    of_one: float
    between: float

    @classmethod
    def of(cls, main: Floats, groups: Codes | None = None) -> Spreads:
        """Read them off the differences by repetition and case."""
        main = np.asarray(main, dtype=float)
        if main.ndim != 2 or not main.size:
            raise InputError(
                "must have shape (repetitions, cases)", argument="main", value=str(main.shape)
            )
        _check_units(main[0], groups, "main")
        repetitions, n = main.shape
        per_case = main.mean(axis=0)
        return cls(
            per_case=per_case,
            repetitions=repetitions,
            units=n if groups is None else len(np.unique(groups)),
            of_case=_variance(per_case, groups),
            of_one=float(np.mean([_variance(d, groups) for d in main])),
            between=float(np.var(main.mean(axis=1), ddof=1)) if repetitions > 1 else 0.0,
        )

    def contrast(
        self, factor: float, halvings: float, *, test: str, assumptions: tuple[str, ...], flag: str
    ) -> Contrast:
        """Return the contrast whose variance is raised by a factor that so many halvings told."""
        calibrated = factor * self.of_one - (1 - 1 / self.repetitions) * self.between
        return Contrast(
            value=float(self.per_case.mean()),
            se=max(self.of_case, calibrated) ** 0.5,
            df=1 / (1 / halvings + 1 / (self.units - 1)),
            test=test,
            null=NULL,
            n=len(self.per_case),
            target=Target.EXPECTED,
            assumptions=assumptions,
            flag=flag,
        )


def inflation(halves: Sequence[Halves], groups: Sequence[HalfGroups] | None = None) -> float:
    """Return φ: the spread between halves over what cases alone would give; 1 where none varied.

    Examples
    --------
    >>> round(inflation([(np.array([0.0, 1, 0, 1]), np.array([1.0, 0, 1, 1]))]), 4)
    0.4286
    """
    if not len(halves):
        raise InputError(
            "the calibrated t needs at least 1 halving, got 0; 40 are usual", concerning="halves"
        )
    if groups is not None and len(groups) != len(halves):
        raise InputError(
            f"{len(halves)} halvings need as many pairs of groups",
            concerning="by",
            value=str(len(groups)),
        )
    units = [(None, None)] * len(halves) if groups is None else groups
    spread = expected = 0.0
    for (first, second), (first_unit, second_unit) in zip(halves, units, strict=True):
        _check_units(first, first_unit, "each half")
        _check_units(second, second_unit, "each half")
        spread += float(first.mean() - second.mean()) ** 2
        expected += _variance(first, first_unit) + _variance(second, second_unit)
    return spread / expected if expected > 0 else 1.0


def _variance(values: Floats, groups: Codes | None) -> float:
    """Return the variance of the mean: s²/n, or its like from group sums."""
    away = values - values.mean()
    if groups is not None:
        _, unit = np.unique(groups, return_inverse=True)
        away = np.bincount(unit, weights=away)
    g = len(away)
    return float(g / (g - 1) * np.sum(away**2) / len(values) ** 2)


def _flag(per_case: Floats, groups: Codes | None) -> str:
    flags = []
    if groups is not None:
        flags.append(
            "barely validated with groups: of equal learners on 20 groups 6 to 11 % are declared "
            "different at the 5 % level (simulated)"
        )
    if per_case[0] and np.all(per_case == per_case[0]):
        flags.append("every case gave the same difference, so its variance cannot be told")
    return "; ".join(flags)


def _check_units(values: Floats, groups: Codes | None, name: str) -> None:
    if groups is not None and len(groups) != len(values):
        raise InputError(
            f"{name} has {len(values)} cases and {len(groups)} groups", concerning=name
        )
    units = len(values) if groups is None else len(np.unique(groups))
    if units < 2:
        what = "cases" if groups is None else "groups"
        raise InputError(f"{name} must have at least 2 {what}", concerning=name, value=str(units))
    if not np.all(np.isfinite(values)):
        raise InputError(
            f"{name} must hold finite differences; found nan or infinity", concerning=name
        )


def _refusal(situation: ComparisonSituation) -> str | None:
    if not situation.mean_loss:
        return (
            f"calibrated-t compares mean losses case by case, and {situation.measure_name} has "
            f"none; use {arg('significance', 'corrected-t')}"
        )
    if not (situation.halved and situation.partition):
        return (
            f"calibrated-t needs halvings; use {arg('by', 'calibrated-cv')} or "
            f"{arg('significance', 'corrected-t')}"
        )
    return None


def _compute(sample: LearnerSample) -> Contrast:
    return calibrated_contrast(
        sample.by_repetition,
        sample.halves,
        groups=sample.losses.case_group,
        half_groups=sample.half_groups,
    )


CALIBRATED_T = ComparisonTest(
    "calibrated-t",
    title="a t test on the mean cross-validated difference whose standard error is calibrated by "
    "cross-validations inside random halves of the data, which share no case",
    formula=r"""$D$ is the mean difference of losses over $R$ cross-validations of $n$ cases, $V_1$
the mean of $s_r^2 / n$, $s_r^2$ being the variance of the cases' differences in repetition $r$,
$S_2$ the variance of the mean differences between repetitions, and $V_h = s^2(h) / n$ that of the
cases' mean differences $h$. In $M$ random halvings both halves are cross-validated: $D_{m1}$ and
$D_{m2}$ are their mean differences, $v_{m1}$ and $v_{m2}$ the variances that cases alone would give
these.

$$
\varphi = \frac{\sum_m (D_{m1} - D_{m2})^2}{\sum_m (v_{m1} + v_{m2})}, \quad
SE^2 = \max\left(V_h,\; \varphi V_1 - \left(1 - \frac{1}{R}\right) S_2\right)
$$

$$
t = \frac{D}{SE}, \quad \nu = 1 / \left(\frac{1}{M} + \frac{1}{n - 1}\right)
$$

$\nu$ are the degrees of freedom. In groups variances come from sums over groups.
""",
    label="halves-calibrated t",
    target=Target.EXPECTED,
    assumptions=ASSUMPTIONS,
    setting=Setting.SEVERAL_FITS,
    refusal=_refusal,
    compute=_compute,
    tried=(LearnerTrial("calibrated-cv"),),
    bears_collapse=0.5,
)
