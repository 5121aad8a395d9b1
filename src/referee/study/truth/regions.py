"""The risk of a rule that decides for the largest of several quadrics, under Gaussian classes.

Such rules are the Bayes rule of Gaussian classes, linear and quadratic discriminants, linear
support vector machines and logistic regression. Two decisions: one quadratic form, any dimension.
More: only the space spanned by the differences of the quadrics matters; where it has one or two
dimensions (three linear rules, say), the probabilities are found by slices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from referee.core.arrays import Floats
from referee.study.truth.known_risk import KnownRisk
from referee.study.truth.quadratic_form import positive_part
from referee.study.truth.quadric import Quadric, rounding_of
from referee.study.truth.slices import risk_by_slices

__all__ = ["by_quadratic_form", "by_slices", "projected", "risk_of_quadrics"]

_TRUSTED = 1e-7
"""A larger error of the arithmetic, for costs of one, is no better than simulation."""

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
        return by_quadratic_form(means, covariances, losses, quadrics[0], quadrics[1])
    return by_slices(means, covariances, losses, quadrics)


def by_quadratic_form(
    means: Floats, covariances: Floats, losses: Floats, first: Quadric, second: Quadric
) -> KnownRisk | None:
    """Return the risk of taking the second decision where its quadric is the larger one.

    None where too many digits were lost, so that the risk is found in another way.
    """
    value = error = 0.0
    for mean, covariance, loss in zip(means, covariances, losses, strict=True):
        root = np.asarray(np.linalg.cholesky(covariance))
        # About the mean of the class first, then the difference: large terms cancel nowhere.
        one, two = first.substituted(mean, root), second.substituted(mean, root)
        taken = positive_part(two - one, one.doubt + two.doubt)
        value += loss[0] * (1 - taken.value) + loss[1] * taken.value
        error += abs(loss[1] - loss[0]) * max(taken.error, _spread_error(covariance))
    linear = not (second.A - first.A).any()
    method = "normal distribution of a linear rule" if linear else "quadratic form"
    return _trusted(KnownRisk(value=float(value), method=method, error=float(error)), losses)


def by_slices(
    means: Floats, covariances: Floats, losses: Floats, quadrics: Sequence[Quadric]
) -> KnownRisk | None:
    """Return the risk where one or two directions matter, and None where more do."""
    near_means, near_covariances, near = projected(means, covariances, quadrics)
    if near_means.shape[1] > 2:
        return None
    scale = _scale(losses)
    risk = risk_by_slices(near_means, near_covariances, losses / scale, near)
    spread = np.array([_spread_error(c) for c in covariances])
    error = max(risk.error * scale, float(np.ptp(losses, axis=1) @ spread))
    return _trusted(replace(risk, value=risk.value * scale, error=error), losses)


def _spread_error(covariance: Floats) -> float:
    """Return how far a probability may move with the last digits of the covariance.

    Distances of normal distributions in total variation: half the relative change.
    """
    return 0.5 * rounding_of(covariance)


def _trusted(risk: KnownRisk, losses: Floats) -> KnownRisk | None:
    # Written so that nan is refused, too.
    return risk if risk.error <= _TRUSTED * _scale(losses) else None


def _scale(losses: Floats) -> float:
    """Return the most that can be lost: 1 where every error costs 1."""
    return float(losses.max(axis=1).sum()) or 1.0


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
    # Directions are found where the classes have unit spread, so that scales do not matter.
    root = np.linalg.cholesky(covariances.mean(axis=0))
    centre = means.mean(axis=0)
    moved = [q.substituted(centre, root) for q in quadrics]
    standard = [q - moved[0] for q in moved]
    stacked = np.vstack([np.vstack([g.A, g.b[None]]) for g in standard])
    _, sizes, rows = np.linalg.svd(stacked, full_matrices=False)
    kept = max(1, int((sizes > _NOTHING * max(sizes[0], 1e-300)).sum()))
    basis = rows[:kept].T
    inverse = np.linalg.inv(root)
    turn = basis.T @ inverse
    new_means = (means - centre) @ turn.T
    new_covariances = turn @ covariances @ turn.T
    new = [replace(g, A=basis.T @ g.A @ basis, b=basis.T @ g.b, slack=g.noise) for g in standard]
    return new_means, new_covariances, new
