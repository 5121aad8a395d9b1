"""Which interval belongs to which risk estimate, and the catalogue to choose from by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from referee.core.arrays import Floats
from referee.core.randomness import Seed
from referee.core.results import Interval, Target
from referee.errors import InputError, Refusal, nearest
from referee.intervals.one_set import bootstrap, proportion
from referee.intervals.one_set.clustered import effective_n
from referee.intervals.several_fits import student
from referee.intervals.several_fits.conservative_z import conservative_z
from referee.intervals.several_fits.cross_validation import effective_jeffreys
from referee.intervals.several_fits.cv_clt import cv_clt
from referee.intervals.several_fits.nested_cv import nested_cv
from referee.measures.losses import Losses

__all__ = ["CATALOGUE", "OF_ALL_CASES", "RiskSample", "choose", "risk_interval"]

_SINGLE_PASS = {Target.CONDITIONAL: 1.5, Target.EXPECTED: 2.0}
"""What a single pass of cross-validation costs in cases (see `intervals.cross_validation`)."""


_ONE_MODEL = "takes predictions of several models as those of one"
_EXACT = "use clopper-pearson"


@dataclass(frozen=True, kw_only=True)
class RiskSample:
    """Losses, and what must be known about them to put an interval around their mean.

    Attributes
    ----------
    losses : Losses
        Losses of cases the models had not seen.
    fits : int
        How many different models predicted them; 1 for a test set or bare predictions.
    halves : Losses or None
        Losses under twofold cross-validation of the same cases.
    nested : Losses or None
        Losses of the inner loops of nested cross-validation (``Part.NESTED``).
    half_holdouts : Losses or None
        Losses of repeated holdouts inside halves (``Part.HALF_HOLDOUTS``).
    partition : bool
        Whether every repetition tests each case exactly once, as cross-validation does.
    """

    losses: Losses
    fits: int = 1
    halves: Losses | None = None
    nested: Losses | None = None
    half_holdouts: Losses | None = None
    partition: bool = True
    level: float = 0.95
    target: Target = Target.CONDITIONAL
    seed: Seed = 0

    @property
    def dependent(self) -> bool:
        """Whether cases come in groups."""
        return self.losses.groups is not None


def risk_interval(sample: RiskSample, method: str = "auto") -> Interval:
    """Return the interval of the mean loss, by name or by the rule of `choose`.

    Examples
    --------
    >>> from referee.core.predictions import Predictions
    >>> p = Predictions.of([0] * 50 + [1] * 50, [0] * 90 + [1] * 10)
    >>> i = risk_interval(RiskSample(losses=Losses.of(p)))
    >>> i.method, round(i.low, 3), round(i.high, 3)
    ('clopper-pearson', 0.303, 0.503)
    """
    name = choose(sample) if method == "auto" else method
    if name not in CATALOGUE:
        raise InputError(f"interval {method!r} is unknown{nearest(method, CATALOGUE)}")
    made = CATALOGUE[name](sample)
    if method == "auto" and made.width == 0:
        # A t interval of splits that all agree; the cases tested still bound the error.
        return _worth_less(sample, "clopper-pearson")
    return made


def choose(sample: RiskSample) -> str:
    """Return the name of the interval that suits the sample."""
    if sample.half_holdouts is not None:
        return "conservative-z"
    if sample.dependent:
        return "clustered"
    if sample.fits == 1:
        return "clopper-pearson"
    if sample.nested is not None:
        return "nested-cv"
    return "effective-jeffreys" if sample.partition else "corrected-t"


Proportion = Callable[..., Interval]


def _by_counts(form: Proportion) -> Callable[[RiskSample], Interval]:
    def interval(sample: RiskSample) -> Interval:
        losses = sample.losses
        n = _independent_cases(sample)
        target = Target.FIXED if sample.fits == 1 else sample.target
        made = form(losses.mean * n, n, sample.level, target=target)
        if sample.fits > 1:
            made = replace(made, flag="; ".join(f for f in (made.flag, _ONE_MODEL) if f))
        return replace(made, n_effective=n)

    return interval


def _independent_cases(sample: RiskSample) -> float:
    losses = sample.losses
    if losses.weight is None and losses.groups is None:
        return float(losses.n)
    return effective_n(
        losses.per_case,
        weights=losses.case_weight,
        groups=losses.case_group,
        level=sample.level,
    )


def _clustered(sample: RiskSample) -> Interval:
    if not sample.dependent:
        raise Refusal("interval='clustered' needs groups=; without them use 'clopper-pearson'")
    return _worth_less(sample, "clustered")


def _worth_less(sample: RiskSample, method: str) -> Interval:
    """Return the exact interval at the number of independent cases, fewer after several fits."""
    n = _independent_cases(sample)
    target = Target.FIXED
    if sample.fits > 1:
        target = sample.target if sample.partition else Target.EXPECTED
        n = max(1.0, n / _SINGLE_PASS[target])
    made = proportion.clopper_pearson(sample.losses.mean * n, n, sample.level, target=target)
    return replace(made, method=method, n_effective=n)


def _effective_jeffreys(sample: RiskSample) -> Interval:
    if sample.fits < 2 or not sample.partition:
        raise Refusal(
            "effective-jeffreys belongs to cross-validation; for one test set use "
            "interval='clopper-pearson', for repeated holdout 'corrected-t'"
        )
    return effective_jeffreys(
        sample.losses, sample.level, halves=sample.halves, target=sample.target
    )


def _student_t(sample: RiskSample) -> Interval:
    if sample.losses.repetitions > 1 or not sample.partition:
        raise Refusal(
            "student-t over repeated splits counts the same cases many times and covers far less "
            "than it says; use interval='corrected-t' or 'effective-jeffreys'"
        )
    means, weights = _split_means(sample)
    return student.student_t(means, sample.level, weights=weights)


def _split_means(sample: RiskSample) -> tuple[Floats, Floats]:
    """Return the mean loss of each split and its weight, so that they pool to the estimate."""
    losses = sample.losses
    told = ~np.isnan(losses.per_split)
    return losses.per_split[told], losses.split_weights[told]


def _corrected_t(sample: RiskSample) -> Interval:
    losses = sample.losses
    means, weights = _split_means(sample)
    return student.corrected_t(
        means,
        float(np.mean(losses.n_train)),
        float(np.mean(losses.split_sizes)),
        sample.level,
        weights=weights,
    )


def _nested_cv(sample: RiskSample) -> Interval:
    if sample.nested is None:
        raise Refusal("interval='nested-cv' needs inner loops; use by='nested-cv'")
    return nested_cv(sample.losses, sample.nested, sample.level)


def _conservative_z(sample: RiskSample) -> Interval:
    if sample.half_holdouts is None:
        raise Refusal("interval='conservative-z' needs disjoint halves; use by='conservative-z'")
    return conservative_z(sample.losses, sample.half_holdouts, sample.level)


def _cv_clt(*, within_folds: bool) -> Callable[[RiskSample], Interval]:
    def interval(sample: RiskSample) -> Interval:
        if sample.fits < 2 or not sample.partition:
            raise Refusal(
                "cv-clt belongs to one pass of cross-validation; use by=10, or for one test set "
                "interval='clopper-pearson'"
            )
        return cv_clt(sample.losses, sample.level, within_folds=within_folds)

    return interval


def _by_resampling(form: bootstrap.Method) -> Callable[[RiskSample], Interval]:
    def interval(sample: RiskSample) -> Interval:
        losses = sample.losses
        drawn = bootstrap.bootstrap_mean(
            losses.per_case,
            weights=losses.case_weight,
            groups=losses.case_group,
            random_state=sample.seed,
        )
        made = form(drawn, sample.level)
        flag = made.flag
        if made.low == made.high:
            flag = flag or "the interval has no width, which no sample can justify; " + _EXACT
        elif sample.fits > 1:
            flag = flag or _ONE_MODEL
        return replace(made, low=max(0.0, made.low), high=min(1.0, made.high), flag=flag)

    return interval


CATALOGUE: dict[str, Callable[[RiskSample], Interval]] = {
    "clopper-pearson": _by_counts(proportion.clopper_pearson),
    "wilson": _by_counts(proportion.wilson),
    "agresti-coull": _by_counts(proportion.agresti_coull),
    "jeffreys": _by_counts(proportion.jeffreys),
    "wald": _by_counts(proportion.wald),
    "student-t": _student_t,
    "corrected-t": _corrected_t,
    "effective-jeffreys": _effective_jeffreys,
    "nested-cv": _nested_cv,
    "conservative-z": _conservative_z,
    "cv-clt": _cv_clt(within_folds=True),
    "cv-clt-all-pairs": _cv_clt(within_folds=False),
    "clustered": _clustered,
    "percentile": _by_resampling(bootstrap.percentile),
    "basic": _by_resampling(bootstrap.basic),
    "bca": _by_resampling(bootstrap.bca),
}
"""Name -> interval of a risk."""

OF_ALL_CASES = frozenset({"nested-cv", "conservative-z", "cv-clt", "cv-clt-all-pairs"})
"""Intervals that need every case: rates of one class get the automatic choice instead."""
