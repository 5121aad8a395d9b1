"""Quadric: g(x) = -1/2 x A x' + b x' + c, the discriminant of Gaussian classes.

A quadric may be written about any origin. That of a density is its mean: written about a distant
point, its coefficients are large and cancel, and digits are lost. Every quadric also carries how
well its values are known, so that what is computed from it can say so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from referee.core.arrays import Floats

__all__ = ["Doubt", "Quadric", "log_density", "rounding_of"]

_EPS = float(np.finfo(float).eps)


@dataclass(frozen=True)
class Doubt:
    """How far the coefficients of a quadric may be off: c, the length of b, the norm of A.

    Examples
    --------
    >>> Doubt(0.1, 0.2, 0.4) + Doubt(0.1, 0.0, 0.0)
    Doubt(level=0.2, slope=0.2, curvature=0.4)
    """

    level: float
    slope: float
    curvature: float

    def __add__(self, other: Doubt) -> Doubt:
        return Doubt(
            self.level + other.level, self.slope + other.slope, self.curvature + other.curvature
        )


@dataclass(frozen=True, eq=False)
class Quadric:
    """A quadratic function of d variables; its zeros are a quadric of dimension d - 1.

    Parameters
    ----------
    A : array of shape (d, d)
        Symmetric; zero for a hyperplane.
    b : array of shape (d,)
    c : float
    origin : array of shape (d,), optional
        What is taken from x first; nothing if not given.
    rounding : float
        Relative error of the coefficients.
    slack : float
        Absolute error of the values, beyond that of the coefficients.

    Examples
    --------
    >>> circle = Quadric(2 * np.eye(2), np.zeros(2), 1.0)
    >>> circle(np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]])).tolist()
    [1.0, 0.0, -1.0]
    """

    A: Floats
    b: Floats
    c: float
    origin: Floats | None = None
    rounding: float = _EPS
    slack: float = 0.0

    def __call__(self, X: Any) -> Floats:
        """Return the value at each row of X."""
        points = self._away(np.asarray(X, dtype=float))
        return np.asarray(-0.5 * self._curved(points) + points @ self.b + self.c)

    def __add__(self, by: float) -> Quadric:
        return replace(self, c=self.c + by)

    def __sub__(self, other: Quadric) -> Quadric:
        """Return the difference, written about the zero point unless both share an origin."""
        one, two = self, other
        if one.origin is not two.origin:
            zero, same = np.zeros(self.dimension), np.eye(self.dimension)
            one, two = one.substituted(zero, same), two.substituted(zero, same)
        return Quadric(
            one.A - two.A,
            one.b - two.b,
            one.c - two.c,
            one.origin,
            rounding=max(one.rounding, two.rounding),
            slack=one.noise + two.noise,
        )

    @property
    def dimension(self) -> int:
        """The number of variables."""
        return len(self.b)

    @property
    def finite(self) -> bool:
        """Whether all coefficients are numbers."""
        return bool(np.isfinite(self.c) and np.isfinite(self.b).all() and np.isfinite(self.A).all())

    @property
    def doubt(self) -> Doubt:
        """How far the coefficients may be off."""
        return Doubt(
            self.slack + _EPS * abs(self.c),
            self.rounding * float(np.linalg.norm(self.b)),
            self.rounding * float(np.linalg.norm(self.A, 2)),
        )

    @property
    def noise(self) -> float:
        """The error of the values at about unit distance from the origin."""
        return self.doubt.level + self.doubt.slope + 0.5 * self.doubt.curvature

    def noise_at(self, X: Floats) -> Floats:
        """Return the error of the value at each row of X."""
        points = self._away(X)
        size = 0.5 * np.abs(self._curved(points)) + np.abs(points) @ np.abs(self.b)
        return np.asarray(self.slack + self.rounding * size + _EPS * abs(self.c))

    def substituted(self, offset: Floats, matrix: Floats) -> Quadric:
        """Return the same function of z, where x = offset + matrix z.

        Examples
        --------
        >>> g = Quadric(2 * np.eye(1), np.zeros(1), 0.0)
        >>> moved = g.substituted(np.array([3.0]), np.eye(1))
        >>> moved(np.array([[0.0], [1.0]])).tolist()
        [-9.0, -16.0]
        """
        away = self._away(offset)
        curved = matrix.T @ self.A @ matrix
        slope = matrix.T @ (self.b - self.A @ away)
        at_offset = -0.5 * away @ self.A @ away + self.b @ away + self.c
        return Quadric(
            (curved + curved.T) / 2,
            slope,
            float(at_offset),
            rounding=self.rounding,
            slack=float(self.noise_at(offset[None])[0]),
        )

    def _away(self, points: Floats) -> Floats:
        return points if self.origin is None else points - self.origin

    def _curved(self, points: Floats) -> Floats:
        return np.asarray(np.einsum("ij,ij->i", points @ self.A, points))


def log_density(mean: Floats, covariance: Floats) -> Quadric:
    """Return the logarithm of a normal density, which is a quadric about its mean.

    Examples
    --------
    >>> g = log_density(np.zeros(1), np.eye(1))
    >>> round(float(g(np.zeros((1, 1)))[0]), 6)
    -0.918939
    """
    d, scale = len(mean), np.sqrt(np.diag(covariance))
    inverse = np.linalg.inv(_correlation(covariance))
    precision = (inverse + inverse.T) / 2 / np.outer(scale, scale)
    log_det = float(np.linalg.slogdet(covariance)[1])
    c = -0.5 * d * float(np.log(2 * np.pi)) - 0.5 * log_det
    rounding = rounding_of(covariance)
    # A determinant is known no better than the smallest eigenvalue.
    return Quadric(precision, np.zeros(d), c, mean, rounding=rounding, slack=0.5 * rounding)


def rounding_of(covariance: Floats) -> float:
    """Return how well a covariance tells lengths: the last digit of its entries, magnified.

    The units of the features do not matter, so the condition of the correlations counts.

    Examples
    --------
    >>> rounding_of(np.diag([1.0, 1e12])) == rounding_of(np.eye(2)) < 1e-15
    True
    >>> rounding_of(np.array([[1.0, 1 - 1e-6], [1 - 1e-6, 1.0]])) > 1e-10
    True
    """
    return float(_EPS * np.linalg.cond(_correlation(covariance)))


def _correlation(covariance: Floats) -> Floats:
    scale = np.sqrt(np.diag(covariance))
    if not (scale > 0).all():
        raise np.linalg.LinAlgError("a feature without spread has no density")
    return np.asarray(covariance / np.outer(scale, scale))
