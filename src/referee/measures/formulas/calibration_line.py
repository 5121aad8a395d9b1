"""Calibration slope and intercept: what is left to mend in probabilities.

Logistic regression of the outcome on the logit of the given probability. A slope of 1 and an
intercept of 0 mean that nothing is; a slope below 1 means probabilities are too extreme. The
intercept is that of the model whose slope is fixed at 1 ("calibration in the large"). Variances are
those of the sandwich, over whole groups where cases belong together.

References
----------
Cox (1958), Biometrika 45. Van Calster and others (2016), Journal of Clinical Epidemiology 74.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from referee.core.arrays import Codes, Flags, Floats
from referee.core.machine.blocks import blocks

__all__ = ["CalibrationLine", "calibration_line"]

_STEPS = 50
_CLOSE = 1e-10


@dataclass(frozen=True)
class CalibrationLine:
    """Slope and intercept with their standard errors; nan where they cannot be found.

    Attributes
    ----------
    slope, slope_se : float
    intercept, intercept_se : float
        With the slope fixed at 1.
    """

    slope: float
    slope_se: float
    intercept: float
    intercept_se: float


def calibration_line(
    positive: Flags, probability: Floats, units: Codes | None = None
) -> CalibrationLine:
    """Fit the line; probabilities of 0 and 1 are moved in by the smallest step.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> p = rng.uniform(0.05, 0.95, 4000)
    >>> line = calibration_line(rng.random(4000) < p, p)
    >>> abs(line.slope - 1) < 0.1, abs(line.intercept) < 0.1
    (True, True)
    """
    tiny = np.finfo(float).eps
    logit = special.logit(np.clip(np.asarray(probability, dtype=float), tiny, 1 - tiny))
    y = np.asarray(positive, dtype=float)
    ones = np.ones((len(y), 1))
    both = _fit(np.column_stack([ones, logit]), y, np.zeros(len(y)), units)
    large = _fit(ones, y, logit, units)
    return CalibrationLine(*both[-1], *large[0])


def _fit(X: Floats, y: Floats, offset: Floats, units: Codes | None) -> list[tuple[float, float]]:
    """Return every coefficient of a logistic regression with its standard error, by Newton."""
    nothing = [(np.nan, np.nan)] * X.shape[1]
    if y.min() == y.max() or _rank(X) < X.shape[1]:
        return nothing
    beta = np.zeros(X.shape[1])
    for _ in range(_STEPS):
        p = special.expit(X @ beta + offset)
        information = np.sum(
            [(X[rows] * (p * (1 - p))[rows, None]).T @ X[rows] for rows in blocks(len(X))], axis=0
        )
        try:
            step = np.linalg.solve(information, X.T @ (y - p))
        except np.linalg.LinAlgError:
            return nothing
        beta = beta + step
        if np.max(np.abs(step)) < _CLOSE:
            inverse = np.linalg.inv(information)
            scores = _summed(X * (y - p)[:, None], units)
            g = len(scores)
            spread = inverse @ (g / (g - 1) * scores.T @ scores) @ inverse
            return list(zip(beta.tolist(), np.sqrt(np.diag(spread)).tolist(), strict=True))
    return nothing  # the probabilities tell the classes apart without error: no finite line


def _rank(X: Floats) -> int:
    """Return the rank of a tall matrix, which has that of its triangular factor, made in blocks."""
    factor = X[:0]
    for rows in blocks(len(X)):
        factor = np.asarray(np.linalg.qr(np.concatenate([factor, X[rows]]), mode="r"))
    return int(np.linalg.matrix_rank(factor, rtol=max(X.shape) * np.finfo(float).eps))


def _summed(scores: Floats, units: Codes | None) -> Floats:
    if units is None:
        return scores
    unit = np.unique(units, return_inverse=True)[1]
    return np.column_stack([np.bincount(unit, weights=column) for column in scores.T])
