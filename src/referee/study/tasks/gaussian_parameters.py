"""What makes means, covariances, priors and costs a Gaussian task, and messages if they do not."""

from __future__ import annotations

from typing import Any

import numpy as np

from referee.core.arrays import Floats
from referee.errors import InputError
from referee.measures.formulas.cost import Costs
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
            "must have shape (classes, features) with two classes or more",
            argument="means",
            value=str(centres.shape),
        )
    k, d = centres.shape
    if spreads.shape == (d, d) and spreads.ndim == 2:
        spreads = np.repeat(spreads[None], k, axis=0)
    if spreads.shape != (k, d, d):
        raise InputError(
            f"must have shape {(k, d, d)}, or {(d, d)} shared by all classes, to suit means of "
            f"shape {(k, d)}; got {spreads.shape}",
            argument="covariances",
        )
    matrices = np.array([_definite(c, i) for i, c in enumerate(spreads)])
    for array in (centres, matrices):
        array.setflags(write=False)
    return centres, matrices


def _definite(covariance: Floats, code: int) -> Floats:
    gap = np.abs(covariance - covariance.T)
    if gap.max() > _ROUNDING * np.abs(covariance).max():
        i, j = (int(v) for v in np.unravel_index(gap.argmax(), gap.shape))
        raise InputError(
            f"the covariance of class {code} is not symmetric: entries ({i}, {j}) and ({j}, {i}) "
            f"are {covariance[i, j]:g} and {covariance[j, i]:g}",
            concerning="covariances",
        )
    symmetric = (covariance + covariance.T) / 2
    values = np.linalg.eigvalsh(symmetric)
    if values[0] <= len(values) * np.finfo(float).eps * abs(values[-1]):
        raise InputError(
            f"the covariance of class {code} is not positive definite: its smallest eigenvalue is "
            f"{values[0]:.4g}",
            concerning="covariances",
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
    numbers = _numbers(priors, "priors")
    if numbers.shape != (classes,):
        raise InputError(
            f"priors must be {classes} numbers, one for each class",
            concerning="priors",
            value=str(numbers.shape),
        )
    if numbers.min() <= 0:
        raise InputError(
            "priors must be above 0",
            concerning="priors",
            value=f"{numbers.min():g}",
            remedy="leave that class out",
        )
    if abs(numbers.sum() - 1) > _ROUNDING:
        raise InputError(
            "priors must sum to 1",
            concerning="priors",
            value=f"{numbers.sum():.10g}",
            remedy="divide them by their sum",
        )
    shares = np.asarray(numbers / numbers.sum())
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
                f"Costs names the two errors of two classes, the task has {classes}",
                remedy=f"give a {classes} by {classes} matrix of costs",
            )
        return np.array([[0.0, costs.false_positive], [costs.false_negative, 0.0]])
    prices = _numbers(costs, "costs")
    if prices.shape != (classes, classes):
        raise InputError(
            f"costs must have shape {(classes, classes)}",
            concerning="costs",
            value=str(prices.shape),
        )
    if prices.min() < 0:
        raise InputError(
            "costs must not be negative", concerning="costs", value=f"{prices.min():g}"
        )
    dear = np.diag(prices)[:, None] > prices
    if dear.any():
        i, j = (int(v) for v in np.argwhere(dear)[0])
        raise InputError(
            f"the right answer for class {i} must not cost more than a wrong one",
            value=f"{prices[i, i]:g} against {prices[i, j]:g} for answer {j}",
        )
    prices.setflags(write=False)
    return prices


def _numbers(values: Any, name: str) -> Floats:
    try:
        numbers = np.array(values, dtype=float)
    except (TypeError, ValueError):
        raise InputError(
            f"{name} must be an array of numbers of one shape", concerning=name
        ) from None
    if not numbers.size or not np.isfinite(numbers).all():
        raise InputError(f"{name} must be finite numbers and not empty", concerning=name)
    return numbers
