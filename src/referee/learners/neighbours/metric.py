"""Metrics: Minkowski distances, after a change of coordinates where the metric asks for one."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from referee.core.arrays import Floats
from referee.errors import InputError, nearest

__all__ = ["METRICS", "Metric"]

METRICS = (
    "euclidean",
    "manhattan",
    "chebyshev",
    "minkowski",
    "seuclidean",
    "mahalanobis",
    "cosine",
)
"""The metrics a search knows."""

_POWERS = {"manhattan": 1.0, "chebyshev": np.inf}

_SINGULAR = 1e-12
"""A direction with less than this share of the largest variance has none."""


@dataclass(frozen=True, eq=False)
class Metric:
    """A metric made ready for data: change coordinates, then take Minkowski's distance.

    - euclidean, manhattan, chebyshev: p = 2, 1 and infinity; minkowski: p as given, at least 1;
    - seuclidean: euclidean, each feature divided by its standard deviation in training (n - 1);
    - mahalanobis: euclidean, after whitening by the training covariance (n - 1);
    - cosine: 1 - cos(x, y), half the squared euclidean distance of rows brought to length 1.

    Attributes
    ----------
    name : str
        One of `METRICS`.
    p : float
        The power of Minkowski's distance between changed coordinates.
    scale : array of shape (d,) or None
        Features are divided by it.
    factor : array of shape (d, d) or None
        Rows are multiplied by its transpose.

    Examples
    --------
    >>> X = np.array([[0.0, 0.0], [2.0, 10.0], [4.0, 20.0]])
    >>> Metric.of("seuclidean", X).coordinates(X).tolist()
    [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]
    """

    name: str
    p: float
    scale: Floats | None = None
    factor: Floats | None = None

    @classmethod
    def of(cls, name: Any, X: Floats, p: Any = 2.0) -> Metric:
        """Return the metric, with whatever it learns from training rows."""
        check_metric(name, p)
        if name == "minkowski":
            return cls(name, float(p))
        if name == "seuclidean":
            return cls(name, 2.0, scale=_spreads(X))
        if name == "mahalanobis":
            return cls(name, 2.0, factor=_whitening(X))
        return cls(name, _POWERS.get(name, 2.0))

    def coordinates(self, X: Floats) -> Floats:
        """Return rows in the coordinates between which Minkowski's distance is taken."""
        if self.scale is not None:
            X = X / self.scale
        if self.factor is not None:
            X = X @ self.factor.T
        if self.name == "cosine":
            X = X / _lengths(X)
        return np.ascontiguousarray(X, dtype=float)

    def distances(self, reduced: Floats) -> Floats:
        """Return distances from their powers, which are what a search compares."""
        if self.name == "cosine":
            return np.asarray(reduced / 2)
        if self.p == 2:
            return np.sqrt(reduced)
        return reduced if self.p in (1, np.inf) else np.asarray(reduced ** (1 / self.p))


def check_metric(name: Any, p: Any) -> None:
    """Refuse metrics that no search knows."""
    if not isinstance(name, str) or name not in METRICS:
        hint = nearest(name, METRICS) if isinstance(name, str) else f"; known are {METRICS}"
        raise InputError("metric must be a name that is known", value=repr(name), remedy=hint)
    if not isinstance(p, Real) or not float(p) >= 1:
        raise InputError(
            f"must be a number of at least 1, got {p!r}; below 1 the triangle inequality fails",
            argument="p",
        )


def _spreads(X: Floats) -> Floats:
    if len(X) < 2:
        raise InputError(
            "metric='seuclidean' needs at least 2 training rows", value="1 (n_samples=1)"
        )
    spread = np.asarray(X.std(axis=0, ddof=1))
    _refuse_constant("seuclidean", X)
    return spread


def _refuse_constant(name: str, X: Floats) -> None:
    # Deviations of a constant column need not be 0 after rounding.
    constant = np.flatnonzero((np.ptp(X, axis=0) == 0) | (X.std(axis=0) == 0))
    if len(constant):
        raise InputError(
            f"metric={name!r} divides by standard deviations, but column {constant[0]} is "
            "constant in the training rows",
            remedy="drop it or use metric='euclidean'",
        )


def _whitening(X: Floats) -> Floats:
    n, d = X.shape
    if n <= d:
        raise InputError(
            f"metric='mahalanobis' needs a covariance of full rank, but {n} training rows "
            f"(n_samples={n}) of {d} features give a singular one",
            remedy="drop constant columns, or use metric='seuclidean' or 'euclidean'",
        )
    _refuse_constant("mahalanobis", X)
    spread = X.std(axis=0, ddof=1)
    correlation = np.atleast_2d(np.corrcoef(X, rowvar=False))
    values, vectors = np.linalg.eigh(correlation)
    if not values[0] > _SINGULAR * values[-1]:
        raise InputError(
            f"metric='mahalanobis' needs a covariance of full rank, but the {d} features are "
            "linearly dependent",
            remedy="drop redundant columns, or use metric='seuclidean'",
        )
    return np.asarray((vectors / np.sqrt(values)).T / spread)


def _lengths(X: Floats) -> Floats:
    lengths = np.sqrt((X**2).sum(axis=1, keepdims=True))
    zero = np.flatnonzero(lengths[:, 0] == 0)
    if len(zero):
        raise InputError(
            f"metric='cosine' needs a direction, but row {zero[0]} is all zeros",
            remedy="drop such rows or use metric='euclidean'",
        )
    return np.asarray(lengths)
