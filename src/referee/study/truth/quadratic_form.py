"""The probability that a quadric of a normal vector is positive, to nearly machine precision.

Problem: q = gamma + sum_j (beta_j z_j - lambda_j z_j² / 2) with independent standard normal z_j
(every quadric of a normal vector has this form after an orthogonal turn). Wanted: P(q > 0).

The moment generating function is known,

    M(s) = exp(gamma s) prod_j (1 + lambda_j s)^(-1/2) exp(beta_j² s² / (2 (1 + lambda_j s))),

and P(q > 0) = 1 / (2 pi i) times the integral of M(s) / s along any line Re s = c > 0 where M is
finite. Imhof and Davies integrate along the imaginary axis, where the integrand oscillates and, in
two dimensions, falls only as t^-2. Here the path crosses the real axis at the saddle point of
M(s) / s, so that small tails keep their relative accuracy, and is bent into a hyperbola on whose
arms the integrand falls exponentially; the trapezoidal rule then converges exponentially, too.

References
----------
Gil-Pelaez (1951), Biometrika 38. Imhof (1961), Biometrika 48. Davies (1973, 1980), Biometrika 60
and Applied Statistics 29. Rice (1980), SIAM J. Sci. Stat. Comput. 1 (the saddle-point path).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr

from referee.core.arrays import Floats
from referee.study.truth.quadric import Doubt, Quadric

__all__ = ["Probability", "positive_part", "positive_probability"]

_BEND = 0.5
"""Slope of the arms; below 1, so that a Gaussian factor exp(s²) falls along them."""

_TURNS = tuple(10.0**k for k in range(11))
"""How far up the path is all but vertical, in widths of the saddle."""

_RISE = 3.0
"""How far the logarithm of the integrand may rise above its value at the saddle point."""

_REACH = 80.0
"""Where the path ends: arms grow as exp(u), and the slowest integrand falls as exp(-u / 2)."""

_FLAT = 1e-13
"""Curvatures below this share of the largest coefficient are rounding."""


@dataclass(frozen=True)
class Probability:
    """A probability with the estimated absolute error of its computation."""

    value: float
    error: float


def positive_probability(quadric: Quadric, mean: Floats, covariance: Floats) -> Probability:
    """Return P(g(x) > 0) for x ~ N(mean, covariance).

    Examples
    --------
    The square of a standard normal variable exceeds 1.96² in 5 % of the cases:

    >>> beyond = Quadric(-2 * np.eye(1), np.zeros(1), -1.959963984540054**2)
    >>> round(positive_probability(beyond, np.zeros(1), np.eye(1)).value, 12)
    0.05
    """
    root = np.asarray(np.linalg.cholesky(covariance), float)
    return positive_part(quadric.substituted(mean, root))


def positive_part(quadric: Quadric, doubt: Doubt | None = None) -> Probability:
    """Return P(g(z) > 0) for a standard normal z; the error counts the doubt about g.

    Examples
    --------
    >>> positive_part(Quadric(np.zeros((1, 1)), np.ones(1), 0.0)).value
    0.5
    """
    curvatures, turn = np.linalg.eigh(quadric.A)
    return _form(curvatures, turn.T @ quadric.b, quadric.c, doubt or quadric.doubt)


def _form(curvature: Floats, slope: Floats, level: float, doubt: Doubt) -> Probability:
    largest = max(np.abs(curvature).max(), np.abs(slope).max(), abs(level) * _FLAT)
    curvature = np.where(np.abs(curvature) <= _FLAT * largest, 0.0, curvature)
    slope = np.where(np.abs(slope) <= _FLAT * _FLAT * largest, 0.0, slope)
    if not curvature.any():
        return _linear(slope, level, doubt)
    certain = _one_sided(curvature, slope, level, doubt)
    if certain is not None:
        return certain
    # The tail beyond the mean is the smaller one; the other is its complement.
    if level - curvature.sum() / 2 <= 0:
        return _tail(curvature, slope, level, doubt)
    other = _tail(-curvature, -slope, -level, doubt)
    return Probability(1 - other.value, other.error)


def _linear(slope: Floats, level: float, doubt: Doubt) -> Probability:
    spread = float(np.linalg.norm(slope))
    if spread == 0:
        return Probability(float(level > 0), float(0 < abs(level) <= doubt.level))
    away = abs(level) / spread
    density = float(np.exp(-0.5 * away * away) / np.sqrt(2 * np.pi)) / spread
    noise = doubt.level + doubt.slope * away + 0.5 * doubt.curvature * (1 + away * away)
    return Probability(float(ndtr(level / spread)), max(1e-16, noise * density))


def _extreme(curvature: Floats, slope: Floats, level: float) -> float:
    """Return the stationary value of q, also its growth rate far out in the complex plane."""
    curved = curvature != 0
    return float(level + (slope[curved] ** 2 / (2 * curvature[curved])).sum())


def _one_sided(curvature: Floats, slope: Floats, level: float, doubt: Doubt) -> Probability | None:
    """Return 0 or 1 where q has a bound that settles the question."""
    if slope[curvature == 0].any():
        return None
    top = _extreme(curvature, slope, level)
    # A bound within the doubt may be missed by it, on an ellipsoid so thin in one direction.
    steep = float(np.abs(curvature).max())
    unsure = abs(top) <= doubt.level
    missed = 2 * float(np.sqrt(doubt.level / steep)) if unsure and top else 0.0
    if (curvature >= 0).all() and top <= 0:
        return Probability(0.0, missed)
    if (curvature <= 0).all() and top >= 0:
        return Probability(1.0, missed)
    return None


def _tail(curvature: Floats, slope: Floats, level: float, doubt: Doubt) -> Probability:
    """Return P(q > 0) where the mean of q is not positive."""
    saddle = _saddle(curvature, slope, level)
    away = 1 + saddle * curvature
    bend = (0.5 * (curvature / away) ** 2).sum() + (slope**2 / away**3).sum() + 1 / saddle**2
    width = 1 / np.sqrt(bend)
    way = -1.0 if _extreme(curvature, slope, level) > 0 else 1.0
    height = _exponent(np.array([saddle + 0j]), curvature, slope, level).real[0]

    def at(u: Floats, turn: float) -> np.ndarray:
        up, out = np.sinh(u), np.sqrt(turn**2 + np.sinh(u) ** 2)
        # out - turn, without cancellation where the path is still vertical
        return np.asarray(saddle + width * (1j * up + way * _BEND * up**2 / (out + turn)))

    def integrand(u: Floats, turn: float) -> np.ndarray:
        path = np.cosh(u) * (1j + way * _BEND * np.sinh(u) / np.sqrt(turn**2 + np.sinh(u) ** 2))
        along = _exponent(at(u, turn), curvature, slope, level)
        return np.asarray(along - height + np.log(path))

    turn = _first_level(integrand)
    steps, last, change = 0.1, 0.0, np.inf
    while steps > 0.0004 and change > 1e-14 * abs(last):
        u = np.arange(0.0, _REACH, steps)
        with np.errstate(under="ignore"):
            values = np.exp(integrand(u, turn))
        now = float(steps * width * (values.imag.sum() - values.imag[0] / 2))
        last, change, steps = now, abs(now - last), steps / 2
    scale = np.exp(height) / np.pi
    # An error need not be known well: few points of the path do.
    u = np.arange(0.0, _REACH, 0.05)
    moved = 0.05 * width * _moved(np.exp(integrand(u, turn)), at(u, turn), curvature, slope, doubt)
    error = max(float(scale * change) + 1e-15, float(scale * moved))
    return Probability(float(np.clip(scale * last, 0, 1)), error)


def _moved(
    values: np.ndarray, s: np.ndarray, curvature: Floats, slope: Floats, doubt: Doubt
) -> float:
    """Return what the sum of the integrand changes by with the coefficients.

    The derivatives of log M by gamma, beta_j and lambda_j are factors of the same integrand.
    """
    weights = values.copy()
    weights[0] /= 2
    over = s[:, None] / (1 + np.multiply.outer(s, curvature))
    tilt = over * slope
    by_level = abs((weights * s).imag.sum())
    by_slope = np.linalg.norm((weights @ (s[:, None] * tilt)).imag)
    by_curvature = np.abs((weights @ (over + s[:, None] * tilt**2)).imag).max()
    return float(
        doubt.level * by_level + doubt.slope * by_slope + 0.5 * doubt.curvature * by_curvature
    )


def _first_level(integrand: Callable[[Floats, float], np.ndarray]) -> float:
    """Return where the path should turn: as early as it can without the integrand rising first.

    Far out it falls along the arms. But where curvatures differ by orders of magnitude, those
    already felt may pull the other way than those felt further out, and an early arm climbs a ridge
    between: digits are lost to cancellation. A vertical path never climbs.
    """
    u = np.arange(0.0, _REACH, 0.1)
    return next((turn for turn in _TURNS if integrand(u, turn).real.max() <= _RISE), _TURNS[-1])


def _exponent(s: np.ndarray, curvature: Floats, slope: Floats, level: float) -> np.ndarray:
    """Return log(M(s) / s)."""
    away = 1 + np.multiply.outer(s, curvature)
    logs = -0.5 * np.log(away).sum(axis=1)
    drift = 0.5 * s**2 * (slope**2 / away).sum(axis=1)
    return np.asarray(level * s + logs + drift - np.log(s))


def _saddle(curvature: Floats, slope: Floats, level: float) -> float:
    """Return the minimum of log(M(s) / s), which is convex between 0 and the first pole."""

    def rise(s: float) -> float:
        away = 1 + s * curvature
        drift = slope**2 * (s + 0.5 * s * s * curvature) / away**2
        return float(level + (drift - 0.5 * curvature / away).sum() - 1 / s)

    lowest = float(curvature.min())
    if lowest < 0:
        end = -1 / lowest
        high = end * 0.5
        while rise(high) < 0:
            high = end - (end - high) / 4
    else:
        high = 1.0
        while rise(high) < 0:
            high *= 4
    low = high
    while rise(low) > 0:
        low /= 4
    return float(brentq(rise, low, high, rtol=1e-10)) if low < high else high
