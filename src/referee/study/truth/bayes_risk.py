"""The Bayes risk of Gaussian classes: the least risk any rule can have.

======================  =========================================================================
closed form             two classes with one covariance: normal distribution functions
quadratic form          two classes, any dimension: an integral along one path in the complex plane
slices                  one or two dimensions that matter, any number of classes: exact roots along
                        lines, integrated adaptively
importance sampling     whatever else: drawn where classes overlap, with a standard error
======================  =========================================================================
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

import numpy as np
from scipy.special import ndtr

from referee.core.arrays import Floats
from referee.core.randomness import Seed
from referee.errors import InputError
from referee.study.truth.importance import overlap_risk
from referee.study.truth.known_risk import KnownRisk
from referee.study.truth.quadric import Quadric, rounding_of
from referee.study.truth.regions import by_quadratic_form, by_slices

if TYPE_CHECKING:
    from referee.study.tasks.gaussian_task import GaussianTask

__all__ = ["BayesRiskMethod", "bayes_discriminants", "gaussian_bayes_risk"]

BayesRiskMethod = Literal["auto", "closed form", "quadratic form", "slices", "importance sampling"]


def gaussian_bayes_risk(
    task: GaussianTask,
    method: BayesRiskMethod = "auto",
    *,
    draws: int = 200_000,
    seed: Seed = 0,
) -> KnownRisk:
    """Return the Bayes risk of a Gaussian task.

    Parameters
    ----------
    task : GaussianTask
    method : {"auto", "closed form", "quadratic form", "slices", "importance sampling"}
        "auto" takes the first of the list that applies.
    draws, seed : int
        For importance sampling.

    Examples
    --------
    >>> from referee.study import EXAMPLES
    >>> print(gaussian_bayes_risk(EXAMPLES[1], "quadratic form"))
    0.0345468196 (quadratic form, error 3e-15)
    >>> round(gaussian_bayes_risk(EXAMPLES[1], "slices").value, 9)
    0.03454682
    """
    routes: dict[str, Callable[[GaussianTask], KnownRisk | None]] = {
        "closed form": _closed_form,
        "quadratic form": _quadratic_form,
        "slices": _slices,
        "importance sampling": lambda task: overlap_risk(task, draws=draws, seed=seed),
    }
    if method == "auto":
        return next(r for r in (route(task) for route in routes.values()) if r is not None)
    if method not in routes:
        raise InputError(
            f"must be 'auto' or one of {list(routes)}", argument="method", value=repr(method)
        )
    risk = routes[method](task)
    if risk is None:
        raise InputError(
            f"method {method!r} does not apply to this task",
            concerning="method",
            remedy="use method='auto', or 'importance sampling', which always applies",
        )
    return risk


def bayes_discriminants(task: GaussianTask) -> tuple[Quadric, ...] | None:
    """Return quadrics whose largest is the Bayes decision, or None if the costs forbid it.

    For two classes there always are; for more, what an error costs may depend on the true class
    only.
    """
    costs = task.cost_matrix
    k = len(costs)
    off = costs[~np.eye(k, dtype=bool)].reshape(k, k - 1)
    gain = off[:, 0] - np.diag(costs)
    if np.ptp(off, axis=1).max() > 0:
        return None
    with np.errstate(divide="ignore"):
        return tuple(q + float(np.log(g)) for q, g in zip(task.log_joint, gain, strict=True))


def _losses(task: GaussianTask) -> Floats:
    return np.asarray(task.priors[:, None] * task.cost_matrix)


def _free(task: GaussianTask) -> KnownRisk | None:
    """Return the risk where one answer is never worse for any class, so nothing is decided."""
    costs = task.cost_matrix
    best = np.flatnonzero((costs <= costs.min(axis=1, keepdims=True)).all(axis=0))
    if not len(best):
        return None
    return KnownRisk(value=float(_losses(task)[:, best[0]].sum()), method="one answer is best")


def _closed_form(task: GaussianTask) -> KnownRisk | None:
    settled = _free(task)
    if settled is not None:
        return settled
    first = task.covariances[0]
    if len(task.classes) != 2 or np.abs(task.covariances[1] - first).max() > 0:
        return None
    gap = task.means[1] - task.means[0]
    distance = float(np.sqrt(gap @ np.linalg.solve(first, gap)))
    losses = _losses(task)
    # A distance is known to half the rounding, and its share of the risk is less than a half.
    error = max(1e-16, rounding_of(first) / 4) * float(losses.max(axis=1).sum())
    if distance < 1e-150:
        value = min(losses[:, 0].sum(), losses[:, 1].sum())
        return KnownRisk(value=float(value), method="closed form", error=error)
    # Log odds are normal with means -+ distance² / 2 and this distance as standard deviation.
    cut = task.threshold - float(np.log(task.priors[1]) - np.log(task.priors[0]))
    false = ndtr(-cut / distance - distance / 2)
    missed = ndtr(cut / distance - distance / 2)
    value = losses[0] @ (1 - false, false) + losses[1] @ (missed, 1 - missed)
    return KnownRisk(value=float(value), method="closed form", error=error)


def _quadratic_form(task: GaussianTask) -> KnownRisk | None:
    if len(task.classes) != 2:
        return None
    settled = _free(task)
    if settled is not None:
        return settled
    first, second = task.log_joint
    return by_quadratic_form(
        task.means, task.covariances, _losses(task), first + task.threshold, second
    )


def _slices(task: GaussianTask) -> KnownRisk | None:
    discriminants = bayes_discriminants(task)
    if discriminants is None or not all(np.isfinite(q.c) for q in discriminants):
        return None
    return by_slices(task.means, task.covariances, _losses(task), discriminants)
