"""Areas of several classes in many resamples: every column is sorted once, then only counted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from referee.core.arrays import Codes, Flags, Floats, Rows

__all__ = ["redrawn_areas"]

_MOST = 8_000_000
"""Counts held at once."""

_SIDES: tuple[Literal["left", "right"], ...] = ("left", "right")


def redrawn_areas(
    truth: Codes, scores: Floats, apart: Iterable[tuple[int, Flags]], times: Codes
) -> Floats:
    """Return the mean of areas, each of one class among some rows, in every resample.

    Parameters
    ----------
    apart : iterable of (int, array of bool)
        The class of each area, and its rows.
    times : array of int, shape (resamples, rows)
        How often each row was drawn.

    Examples
    --------
    >>> truth, every = np.array([0, 1, 1]), np.ones(3, dtype=bool)
    >>> scores = np.array([[0.4, 0.6], [0.5, 0.5], [0.1, 0.9]])
    >>> redrawn_areas(truth, scores, [(1, every)], np.array([[1, 1, 1], [1, 2, 0]])).tolist()
    [0.5, 0.0]
    """
    areas = [_Area.of(truth == c, scores[:, c], rows) for c, rows in apart]
    blocks = np.array_split(times, max(1, times.size // _MOST))
    return np.concatenate([_means(areas, np.ascontiguousarray(b.T)) for b in blocks])


def _means(areas: list[_Area], drawn: Codes) -> Floats:
    return np.asarray(np.mean([area.redrawn(drawn) for area in areas], axis=0))


@dataclass(frozen=True)
class _Area:
    """One class against others: rows of both, and how many of the others each one outranks.

    Attributes
    ----------
    positives, negatives : array of int
        Rows of the class, and rows of the others from the lowest score on.
    less, upto : array of int
        How many negatives score less than each positive, and how many not more.
    """

    positives: Rows
    negatives: Rows
    less: Rows
    upto: Rows

    @classmethod
    def of(cls, positive: Flags, scores: Floats, rows: Flags) -> _Area:
        positives = np.flatnonzero(positive & rows)
        negatives = np.flatnonzero(~positive & rows)
        negatives = negatives[np.argsort(scores[negatives], kind="stable")]
        less, upto = (
            np.searchsorted(scores[negatives], scores[positives], side) for side in _SIDES
        )
        return cls(positives, negatives, less, upto)

    def redrawn(self, drawn: Codes) -> Floats:
        """Return the area in every resample (columns); nan where a class was not drawn."""
        below = np.zeros((len(self.negatives) + 1, drawn.shape[1]), dtype=np.int64)
        np.cumsum(drawn[self.negatives], axis=0, out=below[1:])
        over = drawn[self.positives].astype(float)
        won = np.einsum("ij,ij->j", over, below[self.less] + below[self.upto]) / 2
        pairs = over.sum(axis=0) * below[-1]
        return np.asarray(np.divide(won, pairs, out=np.full(len(pairs), np.nan), where=pairs > 0))
