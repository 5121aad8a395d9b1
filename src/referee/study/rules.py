"""The linear or quadratic rule inside a fitted classifier, where it has one.

A rule decides for the largest of its quadrics. What is read from the attributes of a model is held
against its `predict` by the caller: attributes alone do not tell what a model does with them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.core.arrays import Anything, Floats
from referee.study.quadric import Quadric, log_density

__all__ = ["Rule", "rule_inside"]


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
        ordered = np.sort(values, axis=1)
        close = ordered[:, -1] - ordered[:, -2] <= 1e-7 * (1 + np.abs(values).max(axis=1))
        return bool(np.all(close | (self.predict(X) == predicted)))


def rule_inside(classifier: Any, n_features: int) -> Rule | None:
    """Return the rule of a fitted linear or Gaussian model, also behind affine preprocessing.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array(["a", "a", "b", "b"])
    >>> rule = rule_inside(LogisticRegression().fit(X, y), 1)
    >>> rule.predict(X).tolist()
    ['a', 'a', 'b', 'b']
    """
    if hasattr(classifier, "steps"):
        return _behind_preprocessing(classifier, n_features)
    classes = getattr(classifier, "classes_", None)
    if classes is None:
        return None
    for read in _READERS:
        quadrics = read(classifier)
        if quadrics is not None:
            fit = {q.dimension for q in quadrics} == {n_features}
            return Rule(np.asarray(classes), quadrics) if fit else None
    return None


def _behind_preprocessing(pipeline: Any, n_features: int) -> Rule | None:
    """Return the rule of a pipeline; whether its first steps are affine, predictions tell."""
    first, last = pipeline[:-1], pipeline[-1]
    corners = np.vstack([np.zeros(n_features), np.eye(n_features)])
    try:
        moved = np.asarray(first.transform(corners), dtype=float) if len(first) else corners
    except (TypeError, ValueError, AttributeError):
        return None
    inner = rule_inside(last, moved.shape[1])
    if inner is None:
        return None
    matrix = (moved[1:] - moved[0]).T
    return Rule(inner.classes, tuple(q.substituted(moved[0], matrix) for q in inner.quadrics))


def _linear(model: Any) -> tuple[Quadric, ...] | None:
    if not (hasattr(model, "coef_") and hasattr(model, "intercept_")):
        return None
    slopes = np.atleast_2d(np.asarray(model.coef_, dtype=float))
    levels = np.broadcast_to(np.asarray(model.intercept_, dtype=float).ravel(), len(slopes))
    flat = np.zeros((slopes.shape[1], slopes.shape[1]))
    made = tuple(Quadric(flat, b, float(c)) for b, c in zip(slopes, levels, strict=True))
    if len(model.classes_) == 2 and len(made) == 1:
        return Quadric(flat, np.zeros(len(flat)), 0.0), made[0]
    return made if len(made) == len(model.classes_) else None


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
