"""Quadric: g(x) = -1/2 x A x' + b x' + c, the discriminant of Gaussian classes (R6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.core.arrays import Floats

__all__ = ["Quadric", "log_density"]


@dataclass(frozen=True, eq=False)
class Quadric:
    """A quadratic function of d variables; its zeros are a quadric of dimension d - 1.

    Parameters
    ----------
    A : array of shape (d, d)
        Symmetric; zero for a hyperplane.
    b : array of shape (d,)
    c : float

    Examples
    --------
    >>> circle = Quadric(2 * np.eye(2), np.zeros(2), 1.0)
    >>> circle(np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]])).tolist()
    [1.0, 0.0, -1.0]
    """

    A: Floats
    b: Floats
    c: float

    def __call__(self, X: Any) -> Floats:
        """Return the value at each row of X."""
        points = np.asarray(X, dtype=float)
        curved = np.einsum("ij,ij->i", points @ self.A, points)
        return np.asarray(-0.5 * curved + points @ self.b + self.c)

    def __add__(self, by: float) -> Quadric:
        return Quadric(self.A, self.b, self.c + by)

    def __sub__(self, other: Quadric) -> Quadric:
        return Quadric(self.A - other.A, self.b - other.b, self.c - other.c)

    @property
    def dimension(self) -> int:
        """The number of variables."""
        return len(self.b)

    def substituted(self, offset: Floats, matrix: Floats) -> Quadric:
        """Return the same function of z, where x = offset + matrix z.

        Examples
        --------
        >>> g = Quadric(2 * np.eye(1), np.zeros(1), 0.0)
        >>> moved = g.substituted(np.array([3.0]), np.eye(1))
        >>> moved(np.array([[0.0], [1.0]])).tolist()
        [-9.0, -16.0]
        """
        curved = matrix.T @ self.A @ matrix
        slope = matrix.T @ (self.b - self.A @ offset)
        at_offset = -0.5 * offset @ self.A @ offset + self.b @ offset + self.c
        return Quadric((curved + curved.T) / 2, slope, float(at_offset))


def log_density(mean: Floats, covariance: Floats) -> Quadric:
    """Return the logarithm of a normal density, which is a quadric.

    Examples
    --------
    >>> g = log_density(np.zeros(1), np.eye(1))
    >>> round(float(g(np.zeros((1, 1)))[0]), 6)
    -0.918939
    """
    precision = np.linalg.inv(covariance)
    precision = (precision + precision.T) / 2
    log_det = float(np.linalg.slogdet(covariance)[1])
    slope = precision @ mean
    c = -0.5 * float(mean @ slope) - 0.5 * len(mean) * np.log(2 * np.pi) - 0.5 * log_det
    return Quadric(precision, slope, float(c))
