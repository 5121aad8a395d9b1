"""BoundaryKNN: keep the cases at the border; every answer stays what it was."""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from referee.core.arrays import Codes, Floats, Rows
from referee.errors import InputError
from referee.learners.neighbours.reducing.cells import delaunay_cells
from referee.learners.neighbours.reducing.reduced import ReducedKNN

__all__ = ["BoundaryKNN"]

_MOST_FEATURES = 5

_ROUNDING = 64 * np.finfo(float).eps
"""Share of the largest coordinate within which distances of two places may round to one."""


class BoundaryKNN(ReducedKNN):
    """The nearest-neighbour rule without the cases that do not touch the border.

    A case is kept if its Voronoi region touches that of a case of another class, that is, if both
    are corners of one Delaunay cell. The answers are those of the nearest of all cases, as far as
    double precision tells distances apart.

    Attributes
    ----------
    kept_ : array of int
        The training rows that were kept, ascending.
    n_kept_, n_cases_ : int
        How many cases answer, and how many there were.
    cases_, codes_, classes_
        The cases that answer, their classes, and the labels.

    Notes
    -----
    *Why no answer changes.* Let x be the case that answers at q, of class A, and suppose that the
    nearest kept case z has another class. Walk from q straight to z. The nearest case has class A
    at the start and another class at the end, so there is a first point p where cases of A and of
    another class are equally near: their regions touch at p, and all of them are kept. One of
    them, w, has class A, and |p - w| <= |p - z|, so |q - w| <= |q - p| + |p - w| <= |q - z|, with
    equality only if w = z, whose class is not A. So w is nearer than z, a contradiction. Where
    cases of several classes are equally near to q itself, all of them are kept, and the first row
    answers as before. The proof holds for any larger set of kept cases, too.

    Of cases in the same place the first one answers, so only that one can be kept. Many cases on a
    common sphere, as in a grid, are recognised; where rounding errors leave a doubt whether
    regions touch, cases are kept. Features that repeat each other in other units are seen as the
    one feature they are.

    *Up to five features.* Delaunay cells grow like n^(d/2), and the border touches nearly every
    case: of 1000 normal cases split by a plane 9 % are kept with 2 features, 36 % with 3, 68 % with
    4, 89 % with 5; of 600 cases 99 % with 6, which have 320 000 simplices (the slow test of
    ``tests/learners/neighbours/reducing/test_boundary.py`` prints these). `CondensedKNN` works in
    any number of dimensions.

    References
    ----------
    .. [1] G. T. Toussaint, B. K. Bhattacharya, R. S. Poulsen (1984). The application of Voronoi
       diagrams to non-parametric decision rules. Computer Science and Statistics: The Interface,
       97-108.

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]])
    >>> model = BoundaryKNN().fit(X, list("aaabbb"))
    >>> model.kept_.tolist(), model.predict([[2.4], [2.6], [99.0]]).tolist()
    ([0, 2, 3], ['a', 'b', 'b'])
    """

    def _kept(self, X: Floats, codes: Codes) -> Rows:
        if len(self.classes_) == 1:
            return np.zeros(1, dtype=np.intp)
        if X.shape[1] > _MOST_FEATURES:
            raise InputError(
                f"BoundaryKNN takes at most {_MOST_FEATURES} features, got {X.shape[1]}: Delaunay "
                "cells grow exponentially with their number, and nearly every case would be kept",
                remedy="use CondensedKNN, or select or compute fewer features first",
            )
        places, first = np.unique(X + 0.0, axis=0, return_index=True)
        cells = delaunay_cells(places)
        kept = cells.mixed(codes[first])
        indistinct = _indistinct(places, codes[first])
        if len(indistinct):
            kept = np.union1d(kept, cells.around(indistinct))
        # Row 0 answers wherever all distances are equal after rounding, as it did before.
        return np.union1d(first[kept], [0])


def _indistinct(places: Floats, codes: Codes) -> Rows:
    """Return places so close to one of another class that elsewhere rounding makes them one.

    Seen from afar both are equally distant, and the first row answers for both; so whoever is
    nearer on either side must be there to speak for itself.
    """
    reach = _ROUNDING * float(np.abs(places).max())
    pairs = cKDTree(places).query_pairs(reach, output_type="ndarray")
    apart = codes[pairs[:, 0]] != codes[pairs[:, 1]]
    return np.unique(pairs[apart])
