"""Confidence intervals: for a proportion, a risk, a curve's area, from one test set or many."""

from referee.intervals.auc import newcombe
from referee.intervals.bootstrap import (
    Bootstrapped,
    abc_mean,
    basic,
    bca,
    bootstrap_mean,
    logit_t,
    percentile,
)
from referee.intervals.clustered import effective_n
from referee.intervals.clustered_difference import clustered_pairs, effective_pairs
from referee.intervals.conservative_z import conservative_z
from referee.intervals.cross_validation import effective_jeffreys, effective_size
from referee.intervals.cv_clt import cv_clt
from referee.intervals.efron_tibshirani import (
    adjusted_standard_error,
    efron_tibshirani,
    out_of_bag_standard_error,
)
from referee.intervals.nested_cv import nested_cv, nested_error
from referee.intervals.paired import bonett_price, newcombe_paired, tango, wald_paired
from referee.intervals.priors import checked_priors, prior_weighted
from referee.intervals.proportion import agresti_coull, clopper_pearson, jeffreys, wald, wilson
from referee.intervals.risk import CATALOGUE, RiskSample, risk_interval
from referee.intervals.student import corrected_t, student_t
from referee.intervals.unpaired import newcombe_unpaired, wald_unpaired

__all__ = [
    "CATALOGUE",
    "Bootstrapped",
    "RiskSample",
    "abc_mean",
    "adjusted_standard_error",
    "agresti_coull",
    "basic",
    "bca",
    "bonett_price",
    "bootstrap_mean",
    "checked_priors",
    "clopper_pearson",
    "clustered_pairs",
    "conservative_z",
    "corrected_t",
    "cv_clt",
    "effective_jeffreys",
    "effective_n",
    "effective_pairs",
    "effective_size",
    "efron_tibshirani",
    "jeffreys",
    "logit_t",
    "nested_cv",
    "nested_error",
    "newcombe",
    "newcombe_paired",
    "newcombe_unpaired",
    "out_of_bag_standard_error",
    "percentile",
    "prior_weighted",
    "risk_interval",
    "student_t",
    "tango",
    "wald",
    "wald_paired",
    "wald_unpaired",
    "wilson",
]
