"""Signs of determinants of differences: which side of a plane or sphere a point lies on.

A sign is given only where the determinant is clearly away from 0, whatever the rounding errors.
Whether it is 0 can be told exactly: floats are whole numbers times a power of two, and whole
numbers of any size have determinants without rounding (Bareiss 1968).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referee.core.arrays import Flags, Floats, Rows

__all__ = ["Sides"]

_DOUBT = 1e-9
"""Determinants below this share of the product of the lengths of their rows have no clear sign."""


class Sides:
    """On which sides of each other's planes and spheres points lie.

    Parameters
    ----------
    points : array of shape (n, d)
        Where they lie.
    columns : sequence of int
        Coordinates that tell points apart within their flat, as many as it has dimensions. The
        square of the distance is taken in all d coordinates.

    Examples
    --------
    >>> sides = Sides(np.array([[0.0, 0], [1, 0], [0, 1], [1, 1], [0.5, 1e-300]]), (0, 1))
    >>> corners = np.array([[0, 1, 2], [0, 2, 1], [0, 1, 4]])
    >>> sides.of_plane(corners).tolist(), sides.level(corners).tolist()
    ([1, -1, 0], [False, False, False])
    >>> sides.of_sphere(np.array([[0, 1, 2, 3], [0, 1, 2, 4]])).tolist()
    [0, -1]
    """

    def __init__(self, points: Floats, columns: Sequence[int]) -> None:
        self.points = points
        self.columns = list(columns)

    def of_plane(self, corners: Rows) -> Rows:
        """Return the signs of det(p1 - p0, ..., pr - p0), for rows of r + 1 points; 0 in doubt."""
        return _clear_signs(self._gaps(corners)[..., self.columns])

    def of_sphere(self, corners: Rows) -> Rows:
        """Return the signs of det((p - p0, |p - p0|²)), for rows of r + 2 points; 0 in doubt.

        Times the side of the first r + 1, it is positive where the last point lies outside the
        sphere through them.
        """
        gaps = self._gaps(corners)
        squares = (gaps**2).sum(axis=2, keepdims=True)
        return _clear_signs(np.concatenate([gaps[..., self.columns], squares], axis=2))

    def level(self, corners: Rows) -> Flags:
        """Tell for rows of r + 1 points whether they lie in one plane exactly."""
        return np.array([self._is_level(row) for row in corners], dtype=bool)

    def _gaps(self, corners: Rows) -> Floats:
        return np.asarray(self.points[corners[:, 1:]] - self.points[corners[:, :1]])

    def _is_level(self, corners: Rows) -> bool:
        whole = _whole_numbers(self.points[corners][:, self.columns])
        return _is_singular([[a - b for a, b in zip(p, whole[0], strict=True)] for p in whole[1:]])


def _clear_signs(matrices: Floats) -> Rows:
    scale = np.abs(matrices).max(axis=1, keepdims=True)
    even = matrices / np.where(scale > 0, scale, 1.0)
    value = np.linalg.det(even)
    size = np.prod(np.sqrt((even**2).sum(axis=2)), axis=1)
    clear = (np.abs(value) > _DOUBT * size) & (scale.min(axis=(1, 2)) > 1e-140)
    return np.where(clear, np.sign(value), 0).astype(np.intp)


def _whole_numbers(values: Floats) -> list[list[int]]:
    """Return all values times one power of two that leaves no fractions."""
    ratios = [[float(x).as_integer_ratio() for x in row] for row in values]
    most = max(bottom for row in ratios for _, bottom in row)
    return [[top * (most // bottom) for top, bottom in row] for row in ratios]


def _is_singular(matrix: list[list[int]]) -> bool:
    """Tell whether a determinant of whole numbers is 0, by elimination without fractions."""
    rows, previous = [list(r) for r in matrix], 1
    for k in range(len(rows)):
        pivot = next((i for i in range(k, len(rows)) if rows[i][k]), None)
        if pivot is None:
            return True
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(k + 1, len(rows)):
            for j in range(k + 1, len(rows)):
                crossed = rows[i][j] * rows[k][k] - rows[i][k] * rows[k][j]
                rows[i][j] = crossed // previous
        previous = rows[k][k]
    return False
