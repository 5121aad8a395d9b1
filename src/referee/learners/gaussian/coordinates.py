"""Coordinates in which moments may be added and subtracted without losing digits."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from referee.core.arrays import Flags, Floats
from referee.core.shared_work import SteppedAside
from referee.learners.gaussian.rule import GaussianRule

__all__ = ["Coordinates"]

_WORST = 1e10
"""Beyond this condition of the correlation matrix every split would be in doubt."""


@dataclass(frozen=True, eq=False)
class Coordinates:
    """The cases about the overall mean, in units that suit the rule.

    Attributes
    ----------
    Z : array of shape (n, d)
        Whitened by the overall covariance for rules of whole covariances; divided by the standard
        deviations for diagonal ones; only centred where a multiple of the identity is added to
        covariances, which other units would turn into something else.
    unit : array of shape (d,)
        The standard deviations Z was divided by; 1 where it was not.
    least_correlation : float
        The smallest eigenvalue of the overall correlation matrix, where it was whitened.
    least_variance : float
        The smallest eigenvalue of the overall covariance matrix, where it was whitened.
    amplification : float
        By how much rounding errors may grow from here to the discriminants, and in the original's.
    """

    Z: Floats
    unit: Floats
    least_correlation: float
    least_variance: float
    amplification: float

    @classmethod
    def of(cls, X: Floats, rule: GaussianRule) -> Coordinates:
        """Choose the coordinates for features and rule."""
        X = X[:, _varying(X)] if rule.skips_constant else X
        if X.shape[1] == 0:
            raise SteppedAside("no feature varies")
        Z = X - X.mean(axis=0)
        spread = np.sqrt(np.mean(Z**2, axis=0))
        unit = np.where(spread > 0, spread, 1.0)
        offset = float(1.0 + np.max(np.abs(X).max(axis=0) / unit)) ** rule.far
        if rule.covariance == "diagonal":
            return cls(Z / unit, unit, 0.0, 0.0, offset)
        if not rule.regular:
            return cls(Z, np.ones_like(unit), 0.0, 0.0, offset)
        return cls._whitened(Z, unit, offset, rule)

    @cached_property
    def scatter(self) -> Floats:
        """The sum of z z' over all rows."""
        return np.asarray(self.Z.T @ self.Z)

    @cached_property
    def reach(self) -> Floats:
        """The largest absolute value of each coordinate."""
        return np.asarray(np.abs(self.Z).max(axis=0))

    def lost(self, variance: Floats) -> float:
        """Return what is lost in cases far from the overall mean, given variances (..., d).

        The largest coordinate in standard deviations: one outlier, and the others lie far away.
        """
        return float(np.max(self.reach / np.sqrt(variance)))

    @cached_property
    def largest(self) -> float:
        """The largest eigenvalue of the overall covariance of Z."""
        return float(np.linalg.eigvalsh(self.scatter)[-1]) / len(self.Z)

    @classmethod
    def _whitened(cls, Z: Floats, unit: Floats, offset: float, rule: GaussianRule) -> Coordinates:
        correlation = (Z / unit).T @ (Z / unit) / len(Z)
        values, vectors = np.linalg.eigh(correlation)
        if values[0] * _WORST < values[-1]:
            raise SteppedAside("the features are collinear")
        raw = np.linalg.eigvalsh(correlation * np.outer(unit, unit))
        with np.errstate(divide="ignore"):
            growth = max(values[-1] / values[0], (raw[-1] / max(raw[0], 0.0)) ** rule.raw)
        W = vectors / np.sqrt(values)
        return cls(
            (Z / unit) @ W,
            np.ones_like(unit),
            float(values[0]),
            float(max(raw[0], 0.0)),
            offset * float(growth),
        )


def _varying(X: Floats) -> Flags:
    """Mark what is not one whole number in all rows: its mean would be exact and its spread 0."""
    first = X[0]
    same: Flags = (first != X).any(axis=0) | (first != np.round(first)) | (np.abs(first) > 2**20)
    return same
