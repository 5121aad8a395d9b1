"""The intervals to choose from: one line here for each, defined in the file named after it."""

from __future__ import annotations

from dataclasses import replace

from referee.core.method import Catalogue, load_offers, share_names
from referee.core.results import Interval
from referee.intervals.area.area_interval import AreaInterval
from referee.intervals.area.auc import NEWCOMBE_AUC, NEWCOMBE_DELONG
from referee.intervals.area.delong import DELONG, LOGIT_DELONG
from referee.intervals.area.placements import Placements, placements, with_groups
from referee.intervals.area.ranking_sample import RankingSample
from referee.intervals.area.stratified import STRATIFIED_PERCENTILE
from referee.intervals.difference.clustered_difference import BONETT_PRICE_CLUSTERED
from referee.intervals.difference.difference_interval import (
    DifferenceInterval,
    DifferenceIntervals,
)
from referee.intervals.difference.exact_paired import EXACT_PAIRED
from referee.intervals.difference.exact_unpaired import EXACT_UNPAIRED
from referee.intervals.difference.paired import BONETT_PRICE, NEWCOMBE_PAIRED, TANGO, WALD_PAIRED
from referee.intervals.difference.unpaired import NEWCOMBE_UNPAIRED, WALD_UNPAIRED
from referee.intervals.interval_method import IntervalMethod
from referee.intervals.looks.guaranteed import LOOKS_BENTKUS, LOOKS_CLOPPER_PEARSON
from referee.intervals.measure_interval import MeasureInterval
from referee.intervals.one_set.bentkus import BENTKUS
from referee.intervals.one_set.bootstrap.bootstrap import (
    ABC,
    BASIC,
    BCA,
    CASE_LOGIT_T,
    CLUSTER_LOGIT_T,
    PERCENTILE,
    STRATIFIED_LOGIT_T,
)
from referee.intervals.one_set.class_rates import CLASS_RATES
from referee.intervals.one_set.dependent.clustered import CLUSTERED, worth_fewer
from referee.intervals.one_set.dependent.serial import SERIAL
from referee.intervals.one_set.dependent.weighted import WEIGHTED
from referee.intervals.one_set.mean_loss import SKEWED_BETA
from referee.intervals.one_set.priors import KNOWN, STRATIFIED_JOINT
from referee.intervals.one_set.proportion import (
    AGRESTI_COULL,
    CLOPPER_PEARSON,
    JEFFREYS,
    WALD,
    WILSON,
)
from referee.intervals.one_set.ratio_beta import RATIO_BETA
from referee.intervals.risk import RiskInterval, RiskSample
from referee.intervals.sequential.beta_binomial import BETA_BINOMIAL
from referee.intervals.sequential.betting import BETTING
from referee.intervals.several_fits.conservative_z import CONSERVATIVE_Z
from referee.intervals.several_fits.cross_validation import EFFECTIVE_JEFFREYS
from referee.intervals.several_fits.cv_clt import CV_CLT, CV_CLT_ALL_PAIRS
from referee.intervals.several_fits.effective_t import EFFECTIVE_T, LOSS_T
from referee.intervals.several_fits.efron_tibshirani import EFRON_TIBSHIRANI
from referee.intervals.several_fits.nested_cv import NESTED_CV
from referee.intervals.several_fits.student import CORRECTED_T, STUDENT_T

__all__ = [
    "AREA_INTERVALS",
    "DIFFERENCE_INTERVALS",
    "MEASURE_INTERVALS",
    "RISK_INTERVALS",
    "area_interval",
    "auc_interval",
    "for_areas",
    "for_risks",
    "interval_method",
    "risk_interval",
]

RISK_INTERVALS = Catalogue(
    RiskInterval,
    "interval",
    "interval",
    (
        EFFECTIVE_JEFFREYS,
        EFFECTIVE_T,
        NESTED_CV,
        CONSERVATIVE_Z,
        CORRECTED_T,
        CV_CLT,
        CV_CLT_ALL_PAIRS,
        STUDENT_T,
        CLOPPER_PEARSON,
        WILSON,
        AGRESTI_COULL,
        JEFFREYS,
        WALD,
        CLUSTERED,
        WEIGHTED,
        SERIAL,
        LOSS_T,
        PERCENTILE,
        BASIC,
        BCA,
    ),
    automatic=(
        "conservative-z",
        "clustered",
        "serial",
        "weighted",
        "clopper-pearson",
        "nested-cv",
        "effective-jeffreys",
        "skewed-t",
        "effective-t",
        "corrected-t",
    ),
)
"""Intervals of a risk."""

AREA_INTERVALS = Catalogue(
    AreaInterval,
    "interval",
    "interval",
    (NEWCOMBE_DELONG, NEWCOMBE_AUC, DELONG, LOGIT_DELONG),
    automatic=("newcombe-delong",),
)
"""Intervals of an area under the ROC curve."""

DIFFERENCE_INTERVALS = DifferenceIntervals(
    DifferenceInterval,
    "interval",
    "interval",
    (
        EXACT_PAIRED,
        BONETT_PRICE,
        BONETT_PRICE_CLUSTERED,
        TANGO,
        NEWCOMBE_PAIRED,
        EXACT_UNPAIRED,
        NEWCOMBE_UNPAIRED,
        WALD_PAIRED,
        WALD_UNPAIRED,
    ),
    automatic=(
        "exact-paired",
        "tango",
        "bonett-price-clustered",
        "exact-unpaired",
        "newcombe-unpaired",
    ),
)
"""Intervals of a difference in error between two models."""

MEASURE_INTERVALS = Catalogue(
    MeasureInterval,
    "interval",
    "interval",
    (
        ABC,
        SKEWED_BETA,
        RATIO_BETA,
        EFRON_TIBSHIRANI,
        STRATIFIED_JOINT,
        CLASS_RATES,
        STRATIFIED_LOGIT_T,
        CASE_LOGIT_T,
        CLUSTER_LOGIT_T,
        STRATIFIED_PERCENTILE,
        KNOWN,
        BETA_BINOMIAL,
        BETTING,
        BENTKUS,
        LOOKS_CLOPPER_PEARSON,
        LOOKS_BENTKUS,
    ),
)
"""Intervals that a measure or an estimator always has; they cannot be asked for by name."""


def interval_method(name: str) -> IntervalMethod | None:
    """Return the method of an interval by the name that `Interval.method` holds, if it is known.

    Examples
    --------
    >>> interval_method("wilson").cited
    'the score interval (Wilson 1927)'
    """
    # Intervals of scores stand on those of this file.
    from referee.intervals.scores.catalogue import MEAN_INTERVALS

    own = (RISK_INTERVALS, AREA_INTERVALS, DIFFERENCE_INTERVALS, MEASURE_INTERVALS)
    for catalogue in (*own, MEAN_INTERVALS):
        if name in catalogue:
            return catalogue[name]
    return None


def for_risks(
    interval: str | RiskInterval | AreaInterval, *, of_all_cases: bool = True
) -> str | RiskInterval:
    """Return the interval of risks that was asked for, or "auto".

    An interval of areas leaves risks to that. So does one that needs every case where the risk is
    of some of them: a fold or a half may hold none of the cases that a rate of one class is about.
    """
    if isinstance(interval, AreaInterval) or interval == "auto" or interval in AREA_INTERVALS:
        return "auto"
    method = RISK_INTERVALS.named(interval)
    return "auto" if method.of_all_cases and not of_all_cases else method


def for_areas(interval: str | RiskInterval | AreaInterval) -> str | AreaInterval:
    """Return the interval of areas that was asked for; "auto" where it is of something else."""
    if isinstance(interval, AreaInterval):
        return interval
    return interval if isinstance(interval, str) and interval in AREA_INTERVALS else "auto"


def risk_interval(sample: RiskSample, method: str | RiskInterval = "auto") -> Interval:
    """Return the interval of the mean loss, by name or by the order of `RISK_INTERVALS`.

    Examples
    --------
    >>> from referee.core.predictions import Predictions
    >>> from referee.measures.losses import Losses
    >>> p = Predictions.of([0] * 50 + [1] * 50, [0] * 90 + [1] * 10)
    >>> i = risk_interval(RiskSample(losses=Losses.of(p)))
    >>> i.method, round(i.low, 3), round(i.high, 3)
    ('clopper-pearson', 0.303, 0.503)
    """
    if method != "auto":
        return RISK_INTERVALS.named(method)(sample)
    interval = RISK_INTERVALS.choose(sample.situation)(sample)
    if interval.width <= 1e-12 and sample.losses.zero_one:
        # A t interval of splits that all agree; the cases tested still bound the error.
        return replace(worth_fewer(sample), method=CLOPPER_PEARSON.name)
    return interval


def auc_interval(
    placed: Placements, level: float = 0.95, method: str | AreaInterval = "auto"
) -> Interval:
    """Return the interval of an area under the ROC curve, by name or the default."""
    chosen = AREA_INTERVALS.choose(placed) if method == "auto" else AREA_INTERVALS.named(method)
    return chosen(placed, level)


def area_interval(sample: RankingSample, level: float = 0.95) -> Interval | None:
    """Return the interval of the area under one model's ROC curve; None after several fits."""
    if sample.fits > 1:
        return None
    placed = placements(sample.positive, sample.scores)
    if sample.units is not None:
        placed = with_groups(placed, sample.positive, sample.units)
    return auc_interval(placed, level)


share_names(RISK_INTERVALS, AREA_INTERVALS, DIFFERENCE_INTERVALS, MEASURE_INTERVALS)
load_offers(RISK_INTERVALS, AREA_INTERVALS, DIFFERENCE_INTERVALS, MEASURE_INTERVALS)
