"""The risk of a rule that compares quadrics, for Gaussian classes in one or two dimensions.

A line meets the border between two decisions in at most two points, which are roots of a
polynomial. Along a line the probability of every decision is therefore a sum of normal distribution
functions, exact; in two dimensions these are integrated adaptively over the parallel lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise

import numpy as np
from scipy.integrate import quad
from scipy.special import ndtr

from referee.core.arrays import Floats
from referee.study.truth.known_risk import KnownRisk
from referee.study.truth.quadric import Quadric

__all__ = ["risk_by_slices"]

_SEEN = 1e-13
"""Noise of the quadrics below this share of their slopes is lost in the quadrature."""

_MARKS = (-9.5, -6.0, -4.0, -2.0, -1.0, 0.0, 1.0, 2.0, 4.0, 6.0, 9.5)
"""Where pieces end, in standard deviations of each class: a narrow one is not stepped over."""

_FAR = 9.5
"""Standard deviations beyond which a normal distribution has less than 1e-20."""


def risk_by_slices(
    means: Floats, covariances: Floats, losses: Floats, quadrics: Sequence[Quadric]
) -> KnownRisk:
    """Return the risk of deciding for the largest quadric.

    Parameters
    ----------
    means, covariances : arrays of shape (k, d) and (k, d, d)
        Of the classes, with d = 1 or 2.
    losses : array of shape (k, m)
        Prior of the class times the cost of each decision.
    quadrics : sequence of m Quadric

    Examples
    --------
    >>> at, unit = np.array([[-1.0], [1.0]]), np.ones((2, 1, 1))
    >>> left = Quadric(np.zeros((1, 1)), np.array([-1.0]), 0.0)
    >>> right = Quadric(np.zeros((1, 1)), np.array([1.0]), 0.0)
    >>> r = risk_by_slices(at, unit, np.array([[0, 0.5], [0.5, 0]]), [left, right])
    >>> round(r.value, 6)
    0.158655
    """
    zero, same = np.zeros(means.shape[1]), np.eye(means.shape[1])
    quadrics = [q if q.origin is None else q.substituted(zero, same) for q in quadrics]
    route = _on_a_line if means.shape[1] == 1 else _over_lines
    method = "roots on a line" if means.shape[1] == 1 else "slices"
    value, error = route(means, covariances, losses, quadrics)
    steepest = max(float(np.linalg.norm(q.b) + np.linalg.norm(q.A)) for q in quadrics)
    for i, q in enumerate(quadrics):
        # What the quadrics are not known to, the risk is not known to either.
        if q.noise > _SEEN * steepest:
            raised = [*quadrics[:i], q + q.noise, *quadrics[i + 1 :]]
            error += abs(route(means, covariances, losses, raised)[0] - value)
    return KnownRisk(value=value, method=method, error=error)


def _on_a_line(
    means: Floats, covariances: Floats, losses: Floats, quadrics: Sequence[Quadric]
) -> tuple[float, float]:
    line = np.array([[-0.5 * q.A[0, 0], q.b[0], q.c] for q in quadrics])
    return _along(line, means[:, 0], np.sqrt(covariances[:, 0, 0]), losses), 1e-15


def _over_lines(
    means: Floats, covariances: Floats, losses: Floats, quadrics: Sequence[Quadric]
) -> tuple[float, float]:
    spread = np.sqrt(covariances[:, 0, 0])
    slope = covariances[:, 0, 1] / covariances[:, 0, 0]
    within = np.sqrt(covariances[:, 1, 1] - slope * covariances[:, 0, 1])

    def slice_at(t: float) -> float:
        away = (t - means[:, 0]) / spread
        weight = np.exp(-0.5 * away**2) / (spread * np.sqrt(2 * np.pi))
        centre = means[:, 1] + slope * (t - means[:, 0])
        line = np.array([_line(q, t) for q in quadrics])
        return _along(line, centre, within, losses * weight[:, None])

    low, high = (means[:, 0] - _FAR * spread).min(), (means[:, 0] + _FAR * spread).max()
    marks = [*(means[:, 0] + np.multiply.outer(_MARKS, spread)).ravel()]
    marks += [t for q, r in combinations(quadrics, 2) for t in _tangents(q - r)]
    stops = np.unique([low, *(t for t in marks if low < t < high), high])
    # Full output keeps rounding warnings of pieces that matter nothing off the terminal.
    parts = [
        quad(slice_at, a, b, epsabs=1e-13, epsrel=1e-12, limit=200, full_output=1)
        for a, b in pairwise(stops)
    ]
    return float(sum(p[0] for p in parts)), float(sum(p[1] for p in parts))


def _line(quadric: Quadric, t: float) -> tuple[float, float, float]:
    """Return the coefficients of x², x and 1 along the line (t, x)."""
    A, b = quadric.A, quadric.b
    return (
        -0.5 * float(A[1, 1]),
        float(b[1] - A[0, 1] * t),
        float(-0.5 * A[0, 0] * t * t + b[0] * t + quadric.c),
    )


def _tangents(quadric: Quadric) -> list[float]:
    """Return where a line (t, x) touches the quadric: there a slice has a kink."""
    A, b, c = quadric.A, quadric.b, quadric.c
    squared = A[0, 1] ** 2 - A[1, 1] * A[0, 0]
    linear = 2 * (A[1, 1] * b[0] - b[1] * A[0, 1])
    return _roots(float(squared), float(linear), float(b[1] ** 2 + 2 * A[1, 1] * c))


def _along(line: Floats, centre: Floats, spread: Floats, losses: Floats) -> float:
    """Return the loss along one line of the decision for the largest polynomial."""
    cuts = sorted({x for p, q in combinations(line, 2) for x in _roots(*(float(v) for v in p - q))})
    ends = np.array([-np.inf, *cuts, np.inf])
    below = ndtr((ends[None, :] - centre[:, None]) / spread[:, None])
    decisions = np.argmax(np.polynomial.polynomial.polyval(_inside(cuts), line.T[::-1]), axis=0)
    return float((losses[:, decisions] * np.diff(below, axis=1)).sum())


def _inside(cuts: list[float]) -> Floats:
    """Return one point between each two neighbouring cuts, and beyond the outer ones."""
    if not cuts:
        return np.zeros(1)
    reach = 1.0 + cuts[-1] - cuts[0]
    ends = np.array([cuts[0] - reach, *cuts, cuts[-1] + reach])
    middle = (ends[:-1] + ends[1:]) / 2
    middle[0], middle[-1] = ends[0], ends[-1]
    return np.asarray(middle)


def _roots(squared: float, linear: float, constant: float) -> list[float]:
    """Return the real roots of a polynomial of degree two or less, without cancellation."""
    size = max(abs(squared), abs(linear), abs(constant))
    if size == 0 or (abs(squared) <= 1e-300 and abs(linear) <= 1e-300):
        return []
    if squared == 0:
        return [-constant / linear]
    inside = linear * linear - 4 * squared * constant
    if inside <= 0:
        return []
    half = -0.5 * (linear + np.copysign(np.sqrt(inside), linear))
    return [half / squared] + ([constant / half] if half != 0 else [])
