"""Delaunay cells: sets of points whose Voronoi regions touch, degenerate positions included.

All points on an empty sphere have regions that meet in its centre. Qhull cuts cells of more than
d + 1 such points into simplices at will, and may be wrong by rounding errors. So its simplices are
joined again across every facet where the opposite corner is not clearly outside the sphere, or a
simplex has no clear volume; facets of the hull are joined where it is not clearly convex, unless
they lie in one plane exactly. What is joined without need costs a few more kept cases, never a
prediction (see `BoundaryKNN`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import Delaunay, QhullError

from referee.core.arrays import Floats, Rows
from referee.errors import InputError
from referee.learners.neighbours.reducing.flat import flat_of
from referee.learners.neighbours.reducing.predicates import Sides

__all__ = ["Cells", "delaunay_cells"]


@dataclass(frozen=True, eq=False)
class Cells:
    """Which points are corners of which cells, as pairs.

    Attributes
    ----------
    cell, point : arrays of int, of the same length
        A point is a corner of a cell.
    """

    cell: Rows
    point: Rows

    def mixed(self, codes: Rows) -> Rows:
        """Return the points of all cells whose corners have more than one code, ascending."""
        labels = codes[self.point]
        low = np.full(self.cell.max(initial=-1) + 1, np.iinfo(np.intp).max)
        high = np.full(len(low), -1)
        np.minimum.at(low, self.cell, labels)
        np.maximum.at(high, self.cell, labels)
        return np.unique(self.point[(low < high)[self.cell]])

    def around(self, some: Rows) -> Rows:
        """Return all corners of the cells that have one of some points as a corner."""
        touched = np.unique(self.cell[np.isin(self.point, some)])
        return np.unique(self.point[np.isin(self.cell, touched)])


def delaunay_cells(points: Floats) -> Cells:
    """Return the Delaunay cells of distinct points.

    Parameters
    ----------
    points : array of shape (n, d)
        No two alike. They may lie in a flat of fewer dimensions.

    Examples
    --------
    >>> square = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [3.0, 0.5]])
    >>> result = delaunay_cells(square)
    >>> sorted(np.unique(result.point[result.cell == c]).tolist() for c in np.unique(result.cell))
    [[0, 1, 2, 3], [1, 3, 4]]
    """
    flat = flat_of(points)
    if len(flat.columns) < 2:
        return _on_a_line(flat.coordinates.sum(axis=1), flat.rounding)
    return _joined(_triangulated(flat.coordinates), Sides(points, flat.columns))


def _triangulated(points: Floats) -> Any:
    try:
        triangulation = Delaunay(points)
    except QhullError:
        triangulation = None
    # Qhull's own point at infinity is a corner where it has lost its way.
    if triangulation is None or not _only_points(triangulation):
        raise InputError(
            "the cases lie nearly, but not quite, in a flat of fewer dimensions, so their "
            "Delaunay cells cannot be told",
            remedy="drop redundant features, put features to one scale, or use CondensedKNN",
        )
    return triangulation


def _only_points(triangulation: Any) -> bool:
    named = np.concatenate(
        [triangulation.simplices.ravel(), triangulation.coplanar.reshape(-1, 3)[:, [0, 2]].ravel()]
    )
    # Every point must be a corner, or set aside beside one; Qhull drops some where it is flat.
    placed = np.union1d(
        triangulation.simplices.ravel(), triangulation.coplanar.reshape(-1, 3)[:, 0]
    )
    return bool(named.max() < len(triangulation.points)) and len(placed) == len(
        triangulation.points
    )


def _on_a_line(place: Floats, rounding: float) -> Cells:
    """Return neighbours on a line as cells, joined where they cannot be told apart."""
    order = np.argsort(place)
    close = np.diff(place[order]) <= rounding
    begins = np.concatenate([[0], ~(close[1:] | close[:-1])]) if len(close) else close
    number = np.cumsum(begins, dtype=np.intp)
    return Cells(np.repeat(number, 2), np.column_stack([order[:-1], order[1:]]).ravel())


def _joined(triangulation: Any, sides: Sides) -> Cells:
    """Return the simplices of a triangulation, joined wherever they may belong to one cell."""
    simplices = np.asarray(triangulation.simplices, dtype=np.intp)
    pairs = [_doubtful_facets(triangulation, sides), _set_aside(triangulation)]
    dents = _dents(triangulation, sides)
    first, second = np.concatenate(pairs).T
    graph = coo_array(
        (np.ones(len(first)), (first, second)), shape=(len(simplices), len(simplices))
    )
    count, label = connected_components(graph, directed=False)
    lone = np.asarray(triangulation.coplanar, dtype=np.intp).reshape(-1, 3)
    cell = np.concatenate(
        [np.repeat(label, simplices.shape[1]), label[lone[:, 1]], count + dents[:, 0]]
    )
    return Cells(cell, np.concatenate([simplices.ravel(), lone[:, 0], dents[:, 1]]))


def _doubtful_facets(triangulation: Any, sides: Sides) -> Rows:
    """Return pairs of neighbouring simplices that are not clearly Delaunay to each other."""
    simplices = np.asarray(triangulation.simplices, dtype=np.intp)
    neighbours = np.asarray(triangulation.neighbors, dtype=np.intp)
    one, facet = np.nonzero(neighbours > np.arange(len(simplices))[:, None])
    other = neighbours[one, facet]
    opposite = simplices[other, (neighbours[other] == one[:, None]).argmax(axis=1)]
    volume = sides.of_plane(simplices)
    outside = sides.of_sphere(np.column_stack([simplices[one], opposite])) * volume[one] > 0
    doubt = ~outside | (volume[other] == 0)
    return np.column_stack([one[doubt], other[doubt]])


def _set_aside(triangulation: Any) -> Rows:
    """Return pairs that join all simplices around a point that Qhull could not tell from another.

    The point itself is a corner of the cell that comes of it.
    """
    pairs = [np.empty((0, 2), dtype=np.intp)]
    for _, simplex, vertex in np.asarray(triangulation.coplanar).reshape(-1, 3):
        around = np.flatnonzero((triangulation.simplices == vertex).any(axis=1))
        pairs.append(np.column_stack([around, np.full(len(around), simplex)]))
    return np.concatenate(pairs)


def _dents(triangulation: Any, sides: Sides) -> Rows:
    """Return (cell, point) pairs for neighbouring facets of the hull that may form a dent.

    The hull is convex at a ridge if the other corner of the second facet lies on the inner side of
    the first. Regions of facets in one plane meet at infinity only.
    """
    simplices = np.asarray(triangulation.simplices, dtype=np.intp)
    simplex, corner = np.nonzero(np.asarray(triangulation.neighbors) == -1)
    d = simplices.shape[1] - 1
    others = np.array([[j for j in range(d + 1) if j != c] for c in range(d + 1)])
    facets = np.sort(np.take_along_axis(simplices[simplex], others[corner], axis=1), axis=1)
    first, beyond = _neighbouring(facets)
    corners = np.column_stack([facets[first], beyond])
    inner = np.column_stack([facets[first], simplices[simplex, corner][first]])
    doubt = np.flatnonzero(sides.of_plane(corners) * sides.of_plane(inner) <= 0)
    dents = corners[doubt[~sides.level(corners[doubt])]]
    return np.column_stack([np.repeat(np.arange(len(dents)), d + 1), dents.ravel()])


def _neighbouring(facets: Rows) -> tuple[Rows, Rows]:
    """Return facets and, for each that shares a ridge with it, the neighbour's other corner."""
    d = facets.shape[1]
    ridges = np.concatenate([np.delete(facets, j, axis=1) for j in range(d)])
    facet, corner = np.tile(np.arange(len(facets)), d), facets.T.ravel()
    order = np.lexsort(ridges.T[::-1])
    same = np.flatnonzero((np.diff(ridges[order], axis=0) == 0).all(axis=1))
    return facet[order[same]], corner[order[same + 1]]
