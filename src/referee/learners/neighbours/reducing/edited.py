"""EditedKNN: drop the cases that their own neighbours would get wrong (Wilson 1972)."""

from __future__ import annotations

import numpy as np

from referee.core.arrays import Codes, Floats, Rows
from referee.core.machine.compiling import compiled
from referee.errors import InputError
from referee.learners.neighbours.reducing.nearest import squared_distance
from referee.learners.neighbours.reducing.reduced import ReducedKNN

__all__ = ["EditedKNN"]


class EditedKNN(ReducedKNN):
    """The nearest-neighbour rule of an edited set of cases.

    Every case is put to the vote of its k nearest other cases. All cases whose class loses are
    then dropped at once, and the nearest of the others answers. That smooths the border, instead
    of thinning out the inside as condensing does; `CondensedKNN` may follow it.

    Parameters
    ----------
    k : int
        Neighbours that vote, 3 in Wilson's paper. Equally near ones vote in the order of rows; of
        classes with equal votes the first one, in sorted order, wins.

    Attributes
    ----------
    kept_ : array of int
        The training rows that were kept, ascending.
    n_kept_, n_cases_ : int
        How many cases answer, and how many there were.
    cases_, codes_, classes_
        The cases that answer, their classes, and the labels.

    References
    ----------
    .. [1] D. L. Wilson (1972). Asymptotic properties of nearest neighbor rules using edited data.
       IEEE Transactions on Systems, Man, and Cybernetics 2, 408-421.

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0], [10.0], [11.0], [12.0], [13.0]])
    >>> model = EditedKNN().fit(X, list("aabaabbb"))
    >>> model.kept_.tolist()
    [0, 1, 3, 5, 6, 7]
    """

    def __init__(self, k: int = 3) -> None:
        self.k = k

    def _check_options(self) -> None:
        k = self.k
        if not isinstance(k, (int, np.integer)) or isinstance(k, bool) or k < 1:
            raise InputError(
                "k must be a whole number of at least 1", concerning="k", value=repr(k)
            )

    def _kept(self, X: Floats, codes: Codes) -> Rows:
        n = len(X)
        if self.k > n - 1:
            raise InputError(
                f"k must not exceed the {n - 1} other cases of each case (n_samples = {n})",
                concerning="k",
                value=str(self.k),
                remedy="use a smaller k or more cases",
            )
        votes = _votes(np.ascontiguousarray(X), codes, int(self.k), len(self.classes_))
        kept = np.flatnonzero(votes == codes)
        if not len(kept):
            raise InputError(
                f"editing with k={self.k} drops all {n} cases: no case has the class of its "
                "neighbours",
                remedy="use another k, or CondensedKNN",
            )
        return kept


@compiled
def _votes(X: Floats, codes: Codes, k: int, n_classes: int) -> Codes:
    """Return the class that the k nearest other cases of every case elect."""
    n = len(X)
    elected = np.empty(n, dtype=np.intp)
    near, at = np.empty(k), np.empty(k, dtype=np.intp)
    for i in range(n):
        near[:] = np.inf
        for j in range(n):
            if j == i:
                continue
            distance = squared_distance(X[i], X[j])
            if distance >= near[k - 1]:
                continue
            place = k - 1
            while place > 0 and near[place - 1] > distance:
                near[place], at[place] = near[place - 1], at[place - 1]
                place -= 1
            near[place], at[place] = distance, j
        ballot = np.zeros(n_classes, dtype=np.intp)
        for place in range(k):
            ballot[codes[at[place]]] += 1
        elected[i] = ballot.argmax()
    return elected
