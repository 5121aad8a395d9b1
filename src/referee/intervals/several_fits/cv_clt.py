"""A central limit theorem for cross-validation: z over the losses of one pass.

    point ± z sigma / sqrt(n),   sigma^2 = mean over folds of the variance inside the fold
                                 or      = mean of (loss - point)^2 over all cases (all pairs)

The target is the average risk of the k models that the folds trained. That is neither the model
trained on all cases nor the learning procedure, and the interval is narrower than one for either.

References
----------
Bayle, Bayle, Janson and Mackey (2020), Cross-validation confidence intervals for test error,
Advances in Neural Information Processing Systems 33. It assumes a learner so stable that leaving
out one case moves its losses by less than their average does.
"""

from __future__ import annotations

import math

import numpy as np

from referee.core.results import Interval, Target
from referee.core.situation import Situation
from referee.errors import arg
from referee.intervals import works
from referee.intervals.one_set.normal import around
from referee.intervals.risk import NORMAL, RiskInterval, RiskSample, both_targets
from referee.measures.losses import Losses

__all__ = ["CV_CLT", "CV_CLT_ALL_PAIRS", "cv_clt"]

_FLAG = (
    "speaks about the average of the fold models, and covers the model trained on all cases less "
    "often than it says"
)


def cv_clt(losses: Losses, level: float = 0.95, *, within_folds: bool = True) -> Interval:
    """Return Bayle's interval for the average risk of the fold models.

    Parameters
    ----------
    losses : Losses
        Of one pass of cross-validation.
    within_folds : bool
        Take the variance inside the folds, or over all pairs, which leave-one-out needs.

    Examples
    --------
    >>> wrong = (np.arange(100) < 20).astype(float)
    >>> folds = Losses(wrong, np.arange(100), np.arange(100) % 10, np.zeros(100, int), wrong)
    >>> i = cv_clt(folds, within_folds=False)
    >>> round(i.low, 3), round(i.high, 3)
    (0.122, 0.278)
    """
    method = CV_CLT if within_folds else CV_CLT_ALL_PAIRS
    method.check(RiskSample(losses=losses, fits=len(losses.split_sizes)).situation)
    variance = _within(losses) if within_folds else float(np.var(losses.value))
    return around(
        losses.mean,
        math.sqrt(variance / losses.n),
        losses,
        level,
        method=method.name,
        target=Target.FOLD_MODELS,
        flag=_FLAG,
    )


def _within(losses: Losses) -> float:
    _, fold = np.unique(losses.split, return_inverse=True)
    apart = (losses.value - losses.per_split[fold]) ** 2
    return float(np.mean(np.bincount(fold, weights=apart) / (losses.split_sizes - 1)))


def _refusal(situation: Situation) -> str | None:
    if situation.fixed or not situation.partition:
        return (
            f"cv-clt belongs to one pass of cross-validation; use {arg('by', 10)}, or for one test "
            f"set {arg('interval', 'clopper-pearson')}"
        )
    if situation.repetitions > 1:
        return (
            f"cv-clt is about one pass of cross-validation, got {situation.repetitions}; use "
            f"{arg('by', 10)}, or {arg('interval', 'effective-jeffreys')}"
        )
    if situation.grouped:
        return (
            "cv-clt takes cases as independent, and these come in groups; use "
            f"{arg('interval', 'clustered')}"
        )
    if situation.weighted:
        return f"cv-clt cannot weight cases; use {arg('interval', 'effective-jeffreys')}"
    return None


def _refusal_within(situation: Situation) -> str | None:
    reason = _refusal(situation)
    if reason is None and situation.smallest_test < 2:
        return (
            f"cv-clt needs at least 2 cases in each fold, got {situation.smallest_test}; use "
            f"{arg('interval', 'cv-clt-all-pairs')}"
        )
    return reason


def _of_sample(sample: RiskSample) -> Interval:
    return cv_clt(sample.losses, sample.level)


def _of_all_pairs(sample: RiskSample) -> Interval:
    return cv_clt(sample.losses, sample.level, within_folds=False)


_ASSUMPTIONS = ("adding or leaving out one case hardly changes a loss", NORMAL)

CV_CLT = RiskInterval(
    "cv-clt",
    title="the interval of the central limit theorem of cross-validation",
    formula=r"""$\bar e$ is the mean loss of one pass over $n$ cases in $k$ folds, $s_j^2$ the
variance of the losses in fold $j$, $z$ the normal quantile.

$$
\sigma^2 = \frac{1}{k} \sum_{j=1}^{k} s_j^2, \quad \bar e \pm z \, \sigma / \sqrt{n}
$$
""",
    citations=(works.BAYLE,),
    target=Target.FOLD_MODELS,
    assumptions=_ASSUMPTIONS,
    flag=_FLAG,
    refusal=_refusal_within,
    compute=_of_sample,
    by="one pass",
    of_all_cases=True,
    tried=both_targets("10x10", first_pass=True),
)
CV_CLT_ALL_PAIRS = RiskInterval(
    "cv-clt-all-pairs",
    title="the interval of the central limit theorem of cross-validation, with the variance over "
    "all pairs of cases",
    formula=r"""$\bar e$ is the mean of the losses $e_i$ of one pass over $n$ cases, $z$ the normal
quantile.

$$
\sigma^2 = \frac{1}{n} \sum_{i=1}^{n} (e_i - \bar e)^2, \quad \bar e \pm z \, \sigma / \sqrt{n}
$$
""",
    citations=(works.BAYLE,),
    target=Target.FOLD_MODELS,
    assumptions=_ASSUMPTIONS,
    flag=_FLAG,
    refusal=_refusal,
    compute=_of_all_pairs,
    by="one pass",
    of_all_cases=True,
    tried=both_targets("10x10", first_pass=True),
)
