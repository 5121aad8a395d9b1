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
from referee.errors import InputError, Refusal
from referee.intervals.one_set.normal import around
from referee.measures.losses import Losses

__all__ = ["cv_clt"]


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
    _check(losses)
    variance = _within(losses) if within_folds else float(np.var(losses.value))
    return around(
        losses.mean,
        math.sqrt(variance / losses.n),
        losses,
        level,
        method="cv-clt" if within_folds else "cv-clt-all-pairs",
        target=Target.FOLD_MODELS,
        flag=(
            "speaks about the average of the fold models, and covers the model trained on all "
            "cases less often than it says"
        ),
    )


def _within(losses: Losses) -> float:
    fewest = int(losses.split_sizes.min())
    if fewest < 2:
        raise InputError(
            f"cv-clt needs at least 2 cases in each fold, got {fewest}; use "
            "interval='cv-clt-all-pairs'"
        )
    _, fold = np.unique(losses.split, return_inverse=True)
    apart = (losses.value - losses.per_split[fold]) ** 2
    return float(np.mean(np.bincount(fold, weights=apart) / (losses.split_sizes - 1)))


def _check(losses: Losses) -> None:
    if losses.repetitions > 1:
        raise Refusal(
            f"cv-clt is about one pass of cross-validation, got {losses.repetitions}; use by=10, "
            "or interval='effective-jeffreys'"
        )
    if losses.groups is not None:
        raise Refusal(
            "cv-clt takes cases as independent, and these come in groups; use interval='clustered'"
        )
    if losses.weight is not None:
        raise Refusal("cv-clt cannot weight cases; use interval='effective-jeffreys'")
