"""The flat that points lie in, up to the rounding errors of their own coordinates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import qr

from referee.core.arrays import Floats

__all__ = ["Flat", "flat_of"]

_ULPS = 16
"""Points that stick out by no more than this many rounding errors lie in the flat."""


@dataclass(frozen=True, eq=False)
class Flat:
    """The smallest flat that holds all points.

    Attributes
    ----------
    columns : tuple of int
        Coordinates that tell its points apart, as many as it has dimensions.
    coordinates : array of shape (n, len(columns))
        Coordinates with the same distances, up to rounding; the points themselves if they fill
        all dimensions.
    rounding : float
        Points no farther apart than this may have been told apart by what sticks out.
    """

    columns: tuple[int, ...]
    coordinates: Floats
    rounding: float


def flat_of(points: Floats) -> Flat:
    """Return the flat that points lie in.

    A feature that repeats another in other units makes a flat of fewer dimensions, although its
    rounding errors stick out of it.

    Examples
    --------
    >>> inches = np.array([[1.0], [2.0], [3.0], [7.0]])
    >>> flat_of(np.hstack([inches, 2.54 * inches, 0 * inches])).columns
    (1,)
    """
    rounding = _ULPS * float(np.finfo(float).eps * np.abs(points).max())
    centred = points - points.mean(axis=0)
    directions = np.linalg.svd(centred, full_matrices=False)[2]
    coordinates = centred @ directions.T
    wide = np.abs(coordinates).max(axis=0) > rounding
    if wide.sum() == points.shape[1]:
        return Flat(tuple(range(points.shape[1])), points, 0.0)
    order = qr(directions[wide], pivoting=True, mode="r")[1] if wide.any() else []
    columns = sorted(int(c) for c in order[: int(wide.sum())])
    return Flat(tuple(columns), coordinates[:, wide], rounding)
