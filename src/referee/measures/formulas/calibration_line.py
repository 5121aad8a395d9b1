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

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import special

from referee.core.arrays import Codes, Flags, Floats
from referee.core.machine.blocks import blocks

__all__ = ["CalibrationLine", "calibration_line"]

_STEPS = 50
_CLOSE = 1e-10
_TINY = float(np.finfo(float).eps)


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
    given = _Given(np.asarray(positive), np.asarray(probability, dtype=float), units)
    both = _fit(given, 2)
    large = _fit(given, 1)
    return CalibrationLine(*both[-1], *large[0])


@dataclass(frozen=True, eq=False)
class _Given:
    """Outcomes and probabilities, handed out block by block as a regression needs them."""

    positive: Flags
    probability: Floats
    units: Codes | None

    def blocks(self, columns: int) -> Iterator[tuple[slice, Floats, Floats, Floats | float]]:
        """Yield rows, features, outcomes and offset; the logit is a feature or the offset."""
        for rows in blocks(len(self.positive)):
            logit = special.logit(np.clip(self.probability[rows], _TINY, 1 - _TINY))
            ones = np.ones((len(logit), 1))
            X = np.column_stack([ones, logit]) if columns == 2 else ones
            y = self.positive[rows].astype(float)
            yield rows, X, y, 0.0 if columns == 2 else logit


def _fit(given: _Given, columns: int) -> list[tuple[float, float]]:
    """Return every coefficient of a logistic regression with its standard error, by Newton."""
    nothing = [(np.nan, np.nan)] * columns
    hits = int(np.count_nonzero(given.positive))
    if hits in (0, len(given.positive)) or _rank(given, columns) < columns:
        return nothing
    beta = np.zeros(columns)
    for _ in range(_STEPS):
        information, score = np.zeros((columns, columns)), np.zeros(columns)
        for _, X, y, offset in given.blocks(columns):
            p = special.expit(X @ beta + offset)
            information += (X * (p * (1 - p))[:, None]).T @ X
            score += X.T @ (y - p)
        try:
            step = np.linalg.solve(information, score)
        except np.linalg.LinAlgError:
            return nothing
        if np.max(np.abs(step)) < _CLOSE:
            inverse = np.linalg.inv(information)
            meat, g = _meat(given, beta, columns)
            spread = inverse @ (g / (g - 1) * meat) @ inverse
            beta = beta + step
            return list(zip(beta.tolist(), np.sqrt(np.diag(spread)).tolist(), strict=True))
        beta = beta + step
    return nothing  # the probabilities tell the classes apart without error: no finite line


def _meat(given: _Given, beta: Floats, columns: int) -> tuple[Floats, int]:
    """Return the squares of what each unit adds to the score, summed, and the number of units."""
    parts = (
        (rows, X * (y - special.expit(X @ beta + offset))[:, None])
        for rows, X, y, offset in given.blocks(columns)
    )
    if given.units is None:
        squares = np.zeros((columns, columns))
        for _, part in parts:
            squares += part.T @ part
        return squares, len(given.positive)
    unit = np.unique(given.units, return_inverse=True)[1]
    g = int(unit.max()) + 1
    sums = np.zeros((g, columns))
    for rows, part in parts:
        for column in range(columns):
            sums[:, column] += np.bincount(unit[rows], weights=part[:, column], minlength=g)
    return sums.T @ sums, g


def _rank(given: _Given, columns: int) -> int:
    """Return the rank of a tall matrix, which has that of its triangular factor, made in blocks."""
    factor = np.empty((0, columns))
    for _, X, _, _ in given.blocks(columns):
        factor = np.asarray(np.linalg.qr(np.concatenate([factor, X]), mode="r"))
    shape = (len(given.positive), columns)
    return int(np.linalg.matrix_rank(factor, rtol=max(shape) * np.finfo(float).eps))
