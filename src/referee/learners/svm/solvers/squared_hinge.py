"""The linear machine with squared hinge in its primal: Newton's method, many labellings at once.

Problem: F(w) = |w|^2 / 2 + C sum max(0, 1 - y_i <w, x_i>)^2. On the rows inside the margin it is a
parabola, so that Newton's steps end at the optimum as soon as those rows are known. At w = 0 all
rows are inside: the first step is the same linear system for every labelling. Reference: O. L.
Mangasarian (2002), A finite Newton method for classification, Optimization Methods and Software
17.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import cho_factor, cho_solve, solve_triangular

from referee.core.arrays import Flags, Floats

__all__ = ["MarginProblem"]

_MOST = 50
"""Newton steps."""

_FLAT = 1e-7
"""Of the gradient at 0: how far from 0 it may be at an optimum, rounding included."""

_LONGEST = 1e3
"""How much more F may curve in one direction than in another."""

_TRIES = 3
"""How often the reach is sharpened."""


@dataclass(frozen=True, eq=False)
class MarginProblem:
    """Rows of a split, ready for many labellings.

    Attributes
    ----------
    X : array of shape (n, d)
        With a column for the intercept.
    C : float
    """

    X: Floats
    C: float

    @cached_property
    def _whole(self) -> Floats:
        return np.asarray(np.eye(self.X.shape[1]) + 2 * self.C * self.X.T @ self.X)

    @cached_property
    def _lengths(self) -> Floats:
        return np.asarray(np.sqrt(np.einsum("ij,ij->i", self.X, self.X)))

    def starts(self, Y: Floats) -> Floats:
        """Return the weights after the first step, a column for each column of -1 and 1."""
        factor = cho_factor(self._whole)
        return np.asarray(cho_solve(factor, 2 * self.C * (self.X.T @ Y)))

    def solved(self, y: Floats, w: Floats) -> Floats | None:
        """Return the optimum, from the first guess of `starts`; None where steps do not end there.

        Rows inside the margin that stay the same prove the optimum after a whole step only; how
        near the gradient is to 0 is looked at all the same, and counts in `doubt`.
        """
        inside, whole = np.ones(len(y), dtype=bool), True
        for _ in range(_MOST):
            now = y * (self.X @ w) < 1
            if whole and (now == inside).all():
                small = _FLAT * 2 * self.C * float(np.linalg.norm(self.X.T @ y))
                return w if self._slope(y, w) <= small else None
            inside = now
            step = self._best_among(y, inside) - w
            length = self._length(y, w, step)
            w, whole = w + length * step, length == 1.0
        return None

    def is_round(self, y: Floats, w: Floats) -> bool:
        """Tell whether F curves about as much in all directions near the optimum.

        Where it does not, as with few rows inside the margin and a large C, liblinear may creep
        along a valley until its steps are used up, and stop anywhere.
        """
        curvatures = np.linalg.eigvalsh(self._curvature(y * (self.X @ w) < 1))
        return bool(curvatures[-1] <= _LONGEST * curvatures[0])

    def _slope(self, y: Floats, w: Floats) -> float:
        """Return the length of the gradient, and what may have been rounded away from it."""
        hinge = np.maximum(0.0, 1 - y * (self.X @ w))
        gradient = w - 2 * self.C * (self.X.T @ (y * hinge))
        terms = self._lengths @ (1 + self._lengths * float(np.linalg.norm(w)))
        rounded = 8 * float(np.finfo(float).eps) * 2 * self.C * float(terms)
        return float(np.linalg.norm(gradient)) + rounded

    def _curvature(self, inside: Flags) -> Floats:
        outside = self.X[~inside]
        if 2 * len(outside) <= len(self.X):
            return np.asarray(self._whole - 2 * self.C * outside.T @ outside)
        kept = self.X[inside]
        return np.asarray(np.eye(self.X.shape[1]) + 2 * self.C * kept.T @ kept)

    def _best_among(self, y: Floats, inside: Flags) -> Floats:
        factor = cho_factor(self._curvature(inside), check_finite=False)
        pull = 2 * self.C * (self.X.T @ np.where(inside, y, 0.0))
        return np.asarray(cho_solve(factor, pull, check_finite=False))

    def _objective(self, y: Floats, w: Floats) -> float:
        hinge = np.maximum(0.0, 1 - y * (self.X @ w))
        return float(0.5 * w @ w + self.C * (hinge @ hinge))

    def _length(self, y: Floats, w: Floats, step: Floats) -> float:
        """Return 1, or less where a whole step would not lower the objective."""
        before, length = self._objective(y, w), 1.0
        while self._objective(y, w + length * step) > before and length > 1e-6:
            length /= 2
        return length

    def doubt(self, y: Floats, w: Floats, tol: float, rows: Floats) -> Floats:
        """Bound, for some rows x, how far <v, x> may be from <w, x> where liblinear stops at v.

        It stops when the gradient g has shrunk to tol min(n+, n-) / n of its size at 0. On
        training rows that are inside the margin all the way from v to the optimum w, F is a
        parabola of curvature at least H, so that v - w = A g for some A no larger than the inverse
        of H, and |<v - w, x>|^2 <= (x' H^-1 x) |g|^2 / lambda_min(H). Which rows these are follows
        from a cruder bound first, H >= I. liblinear may also stop when a step promises less than
        1e-12 F; then (v - w)' H (v - w) <= 2 (F(v) - F(w)), for which ten times that is allowed.
        """
        rarer = max(1.0, min((y > 0).sum(), (y < 0).sum()))
        slope = tol * rarer / len(y) * 2 * self.C * float(np.linalg.norm(self.X.T @ y))
        slope += self._slope(y, w)  # w itself is the optimum up to rounding only
        short = float(np.sqrt(2e-11 * self._objective(y, w)))
        room = 1 - y * (self.X @ w)
        far, least = slope + short, 1.0
        curvature = np.eye(self.X.shape[1])
        for _ in range(_TRIES):
            curvature = self._curvature(room > far * self._lengths)
            least = max(1.0, float(np.linalg.eigvalsh(curvature)[0]) * (1 - 1e-9))
            nearer = slope / least + short / np.sqrt(least)
            if nearer > 0.7 * far:
                break
            far = nearer
        spread = solve_triangular(np.linalg.cholesky(curvature), rows.T, lower=True)
        lengths = np.sqrt(np.einsum("ij,ij->j", spread, spread))
        return np.asarray(lengths * (slope / np.sqrt(least) + short))
