"""What makes means, covariances, priors and costs a Gaussian task, and messages if they do not."""

from __future__ import annotations

from typing import Any

import numpy as np

from referee.core.arrays import Floats
from referee.errors import InputError
from referee.measures.cost import Costs
from referee.study.tasks.task import unit_costs

__all__ = ["checked_costs", "checked_gaussians", "checked_priors"]

_ROUNDING = 1e-9
"""How far priors may miss 1, and a covariance its transpose, by rounding."""


def checked_gaussians(means: Any, covariances: Any) -> tuple[Floats, Floats]:
    """Return means of shape (k, d) and covariances of shape (k, d, d).

    Examples
    --------
    >>> checked_gaussians([[0, 0], [1, 1]], [[1, 2], [2, 1]])
    Traceback (most recent call last):
    ...
    referee.errors.InputError: the covariance of class 0 is not positive definite: its smallest
    eigenvalue is -1
    """
    centres = _numbers(means, "means")
    spreads = _numbers(covariances, "covariances")
    if centres.ndim == 1:
        centres = centres[:, None]
        spreads = spreads[:, None, None] if spreads.ndim == 1 else spreads
    if centres.ndim != 2 or len(centres) < 2 or not centres.shape[1]:
        raise InputError(
            f"means must have shape (classes, features) with two classes or more, "
            f"got {centres.shape}"
        )
    k, d = centres.shape
    if spreads.shape == (d, d) and spreads.ndim == 2:
        spreads = np.repeat(spreads[None], k, axis=0)
    if spreads.shape != (k, d, d):
        raise InputError(
            f"covariances must have shape {(k, d, d)}, or {(d, d)} shared by all classes, to suit "
            f"means of shape {(k, d)}; got {spreads.shape}"
        )
    made = np.array([_definite(c, i) for i, c in enumerate(spreads)])
    for array in (centres, made):
        array.setflags(write=False)
    return centres, made


def _definite(covariance: Floats, code: int) -> Floats:
    gap = np.abs(covariance - covariance.T)
    if gap.max() > _ROUNDING * np.abs(covariance).max():
        i, j = (int(v) for v in np.unravel_index(gap.argmax(), gap.shape))
        raise InputError(
            f"the covariance of class {code} is not symmetric: entries ({i}, {j}) and ({j}, {i}) "
            f"are {covariance[i, j]:g} and {covariance[j, i]:g}"
        )
    symmetric = (covariance + covariance.T) / 2
    values = np.linalg.eigvalsh(symmetric)
    if values[0] <= len(values) * np.finfo(float).eps * abs(values[-1]):
        raise InputError(
            f"the covariance of class {code} is not positive definite: its smallest eigenvalue "
            f"is {values[0]:.4g}"
        )
    return np.asarray(symmetric)


def checked_priors(priors: Any, classes: int) -> Floats:
    """Return the probability of each class; equal if none are given.

    Examples
    --------
    >>> checked_priors([0.5, 0.6], 2)
    Traceback (most recent call last):
    ...
    referee.errors.InputError: priors must sum to 1, got 1.1; divide them by their sum
    """
    if priors is None:
        return np.full(classes, 1 / classes)
    made = _numbers(priors, "priors")
    if made.shape != (classes,):
        raise InputError(f"priors must be {classes} numbers, one for each class, got {made.shape}")
    if made.min() <= 0:
        raise InputError(f"priors must be above 0, got {made.min():g}; leave that class out")
    if abs(made.sum() - 1) > _ROUNDING:
        raise InputError(f"priors must sum to 1, got {made.sum():.10g}; divide them by their sum")
    shares = np.asarray(made / made.sum())
    shares.setflags(write=False)
    return shares


def checked_costs(costs: Any, classes: int) -> Floats:
    """Return the matrix of costs: answer j (column) where i (row) is true.

    Examples
    --------
    >>> checked_costs(Costs(false_positive=1, false_negative=5), 2).tolist()
    [[0.0, 1.0], [5.0, 0.0]]
    """
    if costs is None:
        return unit_costs(classes)
    if isinstance(costs, Costs):
        if classes != 2:
            raise InputError(
                f"Costs names the two errors of two classes, the task has {classes}; "
                f"give a {classes} by {classes} matrix of costs"
            )
        return np.array([[0.0, costs.false_positive], [costs.false_negative, 0.0]])
    made = _numbers(costs, "costs")
    if made.shape != (classes, classes):
        raise InputError(f"costs must have shape {(classes, classes)}, got {made.shape}")
    if made.min() < 0:
        raise InputError(f"costs must not be negative, got {made.min():g}")
    dear = np.diag(made)[:, None] > made
    if dear.any():
        i, j = (int(v) for v in np.argwhere(dear)[0])
        raise InputError(
            f"the right answer for class {i} must not cost more than a wrong one, "
            f"got {made[i, i]:g} against {made[i, j]:g} for answer {j}"
        )
    made.setflags(write=False)
    return made


def _numbers(values: Any, name: str) -> Floats:
    try:
        made = np.array(values, dtype=float)
    except (TypeError, ValueError):
        raise InputError(f"{name} must be an array of numbers of one shape") from None
    if not made.size or not np.isfinite(made).all():
        raise InputError(f"{name} must be finite numbers and not empty")
    return made
