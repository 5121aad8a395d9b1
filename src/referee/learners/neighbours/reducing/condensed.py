"""CondensedKNN: keep a case only where the cases kept so far get it wrong (Hart 1968)."""

from __future__ import annotations

import numpy as np

from referee.core.arrays import Codes, Flags, Floats, Rows
from referee.core.machine.compiling import compiled
from referee.errors import InputError
from referee.learners.neighbours.reducing.nearest import squared_distance
from referee.learners.neighbours.reducing.reduced import ReducedKNN

__all__ = ["CondensedKNN"]

_PASSES = ("until-consistent", "single")


class CondensedKNN(ReducedKNN):
    """The nearest-neighbour rule of a condensed set of cases.

    The active set begins empty. Case after case, in the order of the rows, is added to it if the
    nearest active case has another class, and dropped otherwise. Hart repeats the pass over the
    dropped cases until none is added.

    Parameters
    ----------
    passes : {"until-consistent", "single"}
        Hart's algorithm, or one pass over the cases, after which some of those dropped early
        may be answered wrongly.

    Attributes
    ----------
    kept_ : array of int
        The training rows that were kept, ascending.
    n_kept_, n_cases_ : int
        How many cases answer, and how many there were.
    n_passes_ : int
        Passes that were made, the last one without an addition.
    cases_, codes_, classes_
        The cases that answer, their classes, and the labels.

    Notes
    -----
    Hart's set is consistent: it answers every training case rightly. One kind of case is beyond
    any rule: where cases of several classes lie in the same place, the first of them answers for
    all. All of these are kept.

    The set depends on the order of the rows and need not be the smallest one. Distances are
    Euclidean: put features to one scale first. Each distance is computed once: n times the number
    kept, whatever the number of passes.

    References
    ----------
    .. [1] P. E. Hart (1968). The condensed nearest neighbor rule. IEEE Transactions on Information
       Theory 14, 515-516.

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]])
    >>> model = CondensedKNN().fit(X, list("aaabbb"))
    >>> model.kept_.tolist(), model.n_passes_
    ([0, 2, 3], 3)
    >>> "".join(model.predict(X))
    'aaabbb'
    >>> CondensedKNN(passes="single").fit(X, list("aaabbb")).kept_.tolist()
    [0, 3]
    """

    def __init__(self, *, passes: str = "until-consistent") -> None:
        self.passes = passes

    def _check_options(self) -> None:
        if self.passes not in _PASSES:
            raise InputError(
                "must be 'until-consistent' or 'single'", argument="passes", value=repr(self.passes)
            )

    def _kept(self, X: Floats, codes: Codes) -> Rows:
        most = 1 if self.passes == "single" else len(X) + 1
        active, self.n_passes_ = _condense(np.ascontiguousarray(X), codes, most)
        return np.flatnonzero(active)


@compiled
def _condense(X: Floats, codes: Codes, most: int) -> tuple[Flags, int]:
    """Return which cases are active at the end, and the number of passes.

    `near` and `at` hold each case's nearest active case among the first `upto` added; only those
    added since then are looked at when the case comes up again.
    """
    n = len(X)
    active = np.zeros(n, dtype=np.bool_)
    added = np.empty(n, dtype=np.intp)
    size, passes = 0, 0
    upto, at = np.zeros(n, dtype=np.intp), np.full(n, n)
    near = np.full(n, np.inf)
    changed = True
    while changed and passes < most:
        changed = False
        passes += 1
        for i in range(n):
            if active[i]:
                continue
            for a in range(upto[i], size):
                row = added[a]
                distance = squared_distance(X[i], X[row])
                if distance < near[i] or (distance == near[i] and row < at[i]):
                    near[i], at[i] = distance, row
            upto[i] = size
            if size == 0 or codes[at[i]] != codes[i]:
                active[i] = changed = True
                added[size] = i
                size += 1
    return active, passes
