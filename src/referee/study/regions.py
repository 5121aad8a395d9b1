"""The risk of a rule that decides for the largest of several quadrics, under Gaussian classes.

Such rules are the Bayes rule of Gaussian classes, linear and quadratic discriminants, linear
support vector machines and logistic regression. Two decisions: one quadratic form, any dimension.
More: only the space spanned by the differences of the quadrics matters; where it has one or two
dimensions (three linear rules, say), the probabilities are found by slices.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referee.core.arrays import Floats
from referee.study.known_risk import KnownRisk
from referee.study.quadratic_form import positive_probability
from referee.study.quadric import Quadric
from referee.study.slices import risk_by_slices

__all__ = ["projected", "risk_of_quadrics"]

_TRUSTED = 1e-7
"""A larger error of the arithmetic is no better than simulation."""

_NOTHING = 1e-11
"""Singular values below this share of the largest do not make a direction."""


def risk_of_quadrics(
    means: Floats, covariances: Floats, losses: Floats, quadrics: Sequence[Quadric]
) -> KnownRisk | None:
    """Return the risk of deciding for the largest quadric, or None where no formula is known.

    Parameters
    ----------
    means, covariances : arrays of shape (k, d) and (k, d, d)
    losses : array of shape (k, m)
        Prior of the class times the cost of each decision.
    quadrics : sequence of m Quadric

    Examples
    --------
    >>> at, unit = np.array([[-1.0, 0.0], [1.0, 0.0]]), np.array([np.eye(2)] * 2)
    >>> rules = [Quadric(np.zeros((2, 2)), np.array([s, 0.0]), 0.0) for s in (-1.0, 1.0)]
    >>> r = risk_of_quadrics(at, unit, np.array([[0, 0.5], [0.5, 0]]), rules)
    >>> round(r.value, 6)
    0.158655
    """
    if len(quadrics) == 1:
        return KnownRisk(value=float(losses[:, 0].sum()), method="one decision")
    if len(quadrics) == 2:
        return by_quadratic_form(means, covariances, losses, quadrics[1] - quadrics[0])
    means, covariances, quadrics = projected(means, covariances, quadrics)
    if means.shape[1] > 2:
        return None
    return risk_by_slices(means, covariances, losses, quadrics)


def by_quadratic_form(
    means: Floats, covariances: Floats, losses: Floats, second: Quadric
) -> KnownRisk | None:
    """Return the risk of taking the second decision where a quadric is positive.

    None where too many digits were lost, so that the risk is found in another way.
    """
    value = error = 0.0
    for mean, covariance, loss in zip(means, covariances, losses, strict=True):
        taken = positive_probability(second, mean, covariance)
        value += loss[0] * (1 - taken.value) + loss[1] * taken.value
        error += abs(loss[1] - loss[0]) * taken.error
    # Written so that nan is refused, too.
    if not error <= _TRUSTED:
        return None
    linear = not second.A.any()
    method = "normal distribution of a linear rule" if linear else "quadratic form"
    return KnownRisk(value=float(value), method=method, error=float(error))


def projected(
    means: Floats, covariances: Floats, quadrics: Sequence[Quadric]
) -> tuple[Floats, Floats, list[Quadric]]:
    """Return the same rule in the space its decisions depend on.

    Means, covariances and differences of the quadrics are kept, not the quadrics themselves.

    Examples
    --------
    >>> rules = [Quadric(np.zeros((9, 9)), np.eye(9)[i], 0.0) for i in range(3)]
    >>> projected(np.zeros((3, 9)), np.array([np.eye(9)] * 3), rules)[0].shape
    (3, 2)
    """
    gaps = [q - quadrics[0] for q in quadrics]
    # Directions are found where the classes have unit spread, so that scales do not matter.
    root = np.linalg.cholesky(covariances.mean(axis=0))
    centre = means.mean(axis=0)
    standard = [g.substituted(centre, root) for g in gaps]
    stacked = np.vstack([np.vstack([g.A, g.b[None]]) for g in standard])
    _, sizes, rows = np.linalg.svd(stacked, full_matrices=False)
    kept = max(1, int((sizes > _NOTHING * max(sizes[0], 1e-300)).sum()))
    basis = rows[:kept].T
    inverse = np.linalg.inv(root)
    turn = basis.T @ inverse
    new_means = (means - centre) @ turn.T
    new_covariances = turn @ covariances @ turn.T
    new = [Quadric(basis.T @ g.A @ basis, basis.T @ g.b, g.c) for g in standard]
    return new_means, new_covariances, new
