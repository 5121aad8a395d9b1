"""Discriminants of the test rows of one split, and how far rounding may have moved them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.core.arrays import Codes, Flags, Floats

__all__ = ["Discriminants", "rounding"]

_SAFETY = 16.0
_WORST = 1e10
_SMALL = 1 << 17
"""Below this number of discriminants compiled code does not pay for its import."""

_CLOSE_SCORES = 2e-5
"""What the error bound of a score may reach; bounds are a million times the errors seen."""


def rounding(condition: Floats | float, size: Floats) -> Floats:
    """Return how far rounding may move discriminants of a size, given the problem's condition.

    Two best discriminants closer than this are decided by a plain fit. Where the condition is so
    bad that the original might see a singular matrix, nothing is known.
    """
    known = np.asarray(condition) < _WORST
    bound = np.where(known, _SAFETY * np.finfo(float).eps * np.asarray(condition), np.inf)
    return np.asarray(bound * size)


@dataclass(frozen=True, eq=False)
class Discriminants:
    """Discriminants for B label columns.

    Attributes
    ----------
    values : array of shape (k, n_test, B), or (1, n_test, B) for two classes
        Up to a constant of each case; for two classes the second minus the first.
    tolerance : array of shape (B,) or (n_test, B)
        How far off differences of them may be; not finite where nothing is known.
    """

    values: Floats
    tolerance: Floats

    def probabilities(self) -> Floats:
        """Return posterior probabilities of shape (n_test, B, k)."""
        if len(self.values) == 1:
            with np.errstate(over="ignore"):
                second = 1.0 / (1.0 + np.exp(-self.values[0]))
                first = 1.0 / (1.0 + np.exp(self.values[0]))
            return np.stack([first, second], axis=-1)
        likelihood = np.exp(self.values - self.values.max(axis=0))
        return np.moveaxis(likelihood / likelihood.sum(axis=0), 0, -1)

    def decide(self, predicted: Codes, *, scores: bool) -> Flags:
        """Write the answers and return which columns are in doubt."""
        if self.tolerance.ndim == 1:
            return np.asarray(self._doubt(self._decide_columns(predicted), scores))
        return np.asarray(self.decide_each(predicted, scores=scores).any(axis=0))

    def decide_each(self, predicted: Codes, *, scores: bool) -> Flags:
        """Write the answers and return which are in doubt, of shape (n_test, B)."""
        predicted[:] = self._largest()
        return self._doubt(self._margins(), scores)

    def _decide_columns(self, predicted: Codes) -> Floats:
        """Write the answers and return the smallest margin of each column."""
        if self.values.size < _SMALL:
            predicted[:] = self._largest()
            return np.asarray(self._margins().min(axis=0))
        from referee.learners.gaussian.quadratic_kernel import decide

        margin = np.empty(len(self.tolerance))
        decide(self.values, predicted, margin)
        return margin

    def _doubt(self, margin: Floats, scores: bool) -> Flags:
        doubt: Flags = ~(np.isfinite(self.tolerance) & (margin > self.tolerance))
        if scores:
            # A probability moves by p (1 - p) times what its log odds move by.
            with np.errstate(invalid="ignore", over="ignore"):
                doubt |= ~(self.tolerance * np.exp(-margin) < _CLOSE_SCORES)
        return doubt

    def _largest(self) -> Codes:
        if len(self.values) == 1:
            return np.asarray(self.values[0] > 0, dtype=np.intp)
        return np.asarray(self.values.argmax(axis=0))

    def _margins(self) -> Floats:
        if len(self.values) == 1:
            return np.asarray(np.abs(self.values[0]))
        top = np.partition(self.values, -2, axis=0)
        return np.asarray(top[-1] - top[-2])
