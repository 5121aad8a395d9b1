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
from referee.intervals.cross_validation import effective_jeffreys, effective_size
from referee.intervals.efron_tibshirani import (
    adjusted_standard_error,
    efron_tibshirani,
    out_of_bag_standard_error,
)
from referee.intervals.priors import checked_priors, prior_weighted
from referee.intervals.proportion import agresti_coull, clopper_pearson, jeffreys, wald, wilson
from referee.intervals.risk import CATALOGUE, RiskSample, risk_interval
from referee.intervals.student import corrected_t, student_t

__all__ = [
    "CATALOGUE",
    "Bootstrapped",
    "RiskSample",
    "abc_mean",
    "adjusted_standard_error",
    "agresti_coull",
    "basic",
    "bca",
    "bootstrap_mean",
    "checked_priors",
    "clopper_pearson",
    "corrected_t",
    "effective_jeffreys",
    "effective_n",
    "effective_size",
    "efron_tibshirani",
    "jeffreys",
    "logit_t",
    "newcombe",
    "out_of_bag_standard_error",
    "percentile",
    "prior_weighted",
    "risk_interval",
    "student_t",
    "wald",
    "wilson",
]
