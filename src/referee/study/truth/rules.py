"""The linear or quadratic rule inside a fitted classifier, where it has one.

A rule decides for the largest of its quadrics. What is read from the attributes of a model is held
against its `predict` by the caller: attributes alone do not tell what a model does with them.
Preprocessing is held against an affine map, at points near and far.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from referee.core.arrays import Anything, Floats
from referee.study.truth.fitted_form import as_fitted
from referee.study.truth.quadric import Quadric, log_density

__all__ = ["Rule", "rule_inside"]

_EPS = float(np.finfo(float).eps)

_BENT = 1e-11
"""A share of the spread of a feature by which an affine map is not missed."""


@dataclass(frozen=True, eq=False)
class Rule:
    """Decide for the class of the largest quadric."""

    classes: Anything
    quadrics: tuple[Quadric, ...]

    def predict(self, X: Any) -> Anything:
        """Return the answers."""
        return np.asarray(self.classes[np.argmax(self.values(X), axis=1)])

    def values(self, X: Any) -> Floats:
        """Return the value of each quadric, a row per case."""
        return np.column_stack([q(X) for q in self.quadrics])

    def same_as(self, predicted: Anything, X: Floats) -> bool:
        """Return whether predictions are those of the rule, but for ties within rounding."""
        values = self.values(X)
        if values.shape[1] < 2:
            return bool(np.all(self.predict(X) == predicted))
        ordered = np.sort(values, axis=1)
        noise = np.max([q.noise_at(X) for q in self.quadrics], axis=0)
        tie = 1e-7 * (1 + np.abs(values).max(axis=1)) + 8 * noise
        close = ordered[:, -1] - ordered[:, -2] <= tie
        return bool(np.all(close | (self.predict(X) == predicted)))


def rule_inside(classifier: Any, n_features: int, *, around: Floats | None = None) -> Rule | None:
    """Return the rule of a fitted linear or Gaussian model, also behind affine preprocessing.

    Parameters
    ----------
    classifier : fitted classifier
    n_features : int
    around : array of shape (n, n_features), optional
        Points where preprocessing must be affine, near and far; standard normal if not given.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array(["a", "a", "b", "b"])
    >>> rule = rule_inside(LogisticRegression().fit(X, y), 1)
    >>> rule.predict(X).tolist()
    ['a', 'a', 'b', 'b']
    """
    if around is None:
        generator = np.random.default_rng(0)
        around = generator.standard_normal((500, n_features)) * generator.choice(
            (1, 4, 16), (500, 1)
        )
    try:
        if hasattr(classifier, "steps"):
            return _behind_preprocessing(classifier, around)
        return _read(classifier, n_features)
    # Attributes of these names may hold anything; who has another rule is asked, not read.
    except (TypeError, ValueError, AttributeError, np.linalg.LinAlgError):
        return None


def _read(classifier: Any, n_features: int) -> Rule | None:
    classes = getattr(classifier, "classes_", None)
    if classes is None:
        return None
    for read in _READERS:
        quadrics = read(classifier)
        if quadrics is not None:
            fit = {q.dimension for q in quadrics} == {n_features}
            usable = fit and all(q.finite for q in quadrics)
            return Rule(np.asarray(classes), quadrics) if usable else None
    return None


def _behind_preprocessing(pipeline: Any, around: Floats) -> Rule | None:
    """Return the rule of a pipeline whose first steps are affine."""
    first, last = pipeline[:-1], pipeline[-1]
    if not len(first):
        return rule_inside(last, around.shape[1], around=around)
    map_ = _affine(lambda X: np.asarray(first.transform(as_fitted(first, X)), dtype=float), around)
    if map_ is None:
        return None
    inner = rule_inside(last, len(map_.level), around=map_(around))
    if inner is None:
        return None
    return Rule(inner.classes, tuple(map_.before(q) for q in inner.quadrics))


@dataclass(frozen=True, eq=False)
class _AffineMap:
    """x becomes level + matrix (x - centre), but for a share of the spread that is rounding."""

    centre: Floats
    level: Floats
    matrix: Floats
    rounding: float = 0.0

    def __call__(self, X: Floats) -> Floats:
        return np.asarray(self.level + (X - self.centre) @ self.matrix.T)

    def before(self, quadric: Quadric) -> Quadric:
        """Return the quadric of what the map makes, as one of what it is given."""
        pulled = quadric.substituted(self.level, self.matrix)
        return replace(pulled, origin=self.centre, rounding=pulled.rounding + self.rounding)


def _affine(transform: Callable[[Floats], Floats], around: Floats) -> _AffineMap | None:
    """Return a transformation as an affine map, or None where some point shows that it is none."""
    centre = around.mean(axis=0)
    # Steps as large as the numbers themselves, so that they are not lost in their last digits.
    steps = np.abs(around - centre).max(axis=0) + np.abs(centre)
    steps[steps == 0] = 1.0
    moved = transform(np.vstack([centre, centre + np.diag(steps)]))
    map_ = _AffineMap(centre, moved[0], (moved[1:] - moved[0]).T / steps)
    expected, seen = map_(around), transform(around)
    if expected.shape != seen.shape or not np.isfinite(seen).all():
        return None
    missed = np.abs(seen - expected).max(axis=0)
    # What is left of large numbers that cancel is not a bend.
    digits = 64 * _EPS * (np.abs(map_.matrix) @ np.abs(around).max(axis=0) + np.abs(map_.level))
    spread = np.abs(expected - map_.level).max(axis=0)
    if not (missed <= _BENT * spread + digits).all():
        return None
    share = np.divide(missed, spread, out=np.zeros_like(missed), where=spread > 0)
    return replace(map_, rounding=float(share.max()))


def _linear(model: Any) -> tuple[Quadric, ...] | None:
    if not (hasattr(model, "coef_") and hasattr(model, "intercept_")):
        return None
    given = model.coef_.toarray() if hasattr(model.coef_, "toarray") else model.coef_
    slopes = np.atleast_2d(np.asarray(given, dtype=float))
    levels = np.broadcast_to(np.asarray(model.intercept_, dtype=float).ravel(), len(slopes))
    flat = np.zeros((slopes.shape[1], slopes.shape[1]))
    quadrics = tuple(Quadric(flat, b, float(c)) for b, c in zip(slopes, levels, strict=True))
    if len(model.classes_) == 2 and len(quadrics) == 1:
        return Quadric(flat, np.zeros(len(flat)), 0.0), quadrics[0]
    return quadrics if len(quadrics) == len(model.classes_) else None


def _quadratic(model: Any) -> tuple[Quadric, ...] | None:
    if not hasattr(model, "rotations_"):
        return None
    parts = zip(model.rotations_, model.scalings_, strict=True)
    return _gaussian(model.means_, [(r * s) @ r.T for r, s in parts], model.priors_)


def _covariances(model: Any) -> tuple[Quadric, ...] | None:
    if not hasattr(model, "covariances_"):
        return None
    given = np.asarray(model.covariances_, dtype=float)
    k, d = np.shape(model.means_)
    # With as many classes as features the shape alone does not tell variances from a matrix.
    diagonal = getattr(model, "covariance", "") == "diagonal"
    if given.shape == (k, d, d):
        full = list(given)
    elif given.shape == (k, d) and diagonal:
        full = [np.diag(v) for v in given]
    elif given.shape == (d, d):
        full = [given] * k
    else:
        return None
    return _gaussian(model.means_, full, model.priors_)


def _naive(model: Any) -> tuple[Quadric, ...] | None:
    if not (hasattr(model, "theta_") and hasattr(model, "var_")):
        return None
    return _gaussian(model.theta_, [np.diag(v) for v in model.var_], model.class_prior_)


def _gaussian(means: Any, covariances: list[Floats], priors: Any) -> tuple[Quadric, ...]:
    with np.errstate(divide="ignore"):
        return tuple(
            log_density(np.asarray(m, dtype=float), c) + float(np.log(p))
            for m, c, p in zip(means, covariances, priors, strict=True)
        )


_READERS: tuple[Callable[[Any], tuple[Quadric, ...] | None], ...] = (
    _quadratic,
    _covariances,
    _naive,
    _linear,
)
