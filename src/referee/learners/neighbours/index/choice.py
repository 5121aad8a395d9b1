"""Choice: which index suits the data, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.core.arrays import Floats, Rows
from referee.errors import InputError, nearest
from referee.learners.neighbours.index.bound import EXACT, Bound
from referee.learners.neighbours.index.brute import BruteForce, filters, room_for
from referee.learners.neighbours.index.hashing import Hashing
from referee.learners.neighbours.index.kd_tree import KDTree
from referee.learners.neighbours.index.neighbours import Index

__all__ = ["INDEXES", "ChosenIndex", "choose_index", "mean_copies"]

INDEXES = ("auto", "brute", "kd_tree", "hashing")

_SMALL = 250
"""Up to this many rows per feature nothing is worth a tree."""

_HIGH = 30
"""Features beyond which no tree was seen to win, even on clustered data."""

_SAMPLE = 64
"""Training rows whose search is counted before a tree is believed in."""

_COMPARISON = 40.0
"""What it costs to compare a row in a tree, in rows of brute force."""

_SLOWER = 2.0
"""How much dearer a row is in a tree than in a scan that cannot filter by products."""

_SCANNED = 20.0
"""What a row costs in brute force where too many tie to be filtered by products."""


@dataclass(frozen=True, eq=False)
class ChosenIndex:
    """An index, and why it was chosen.

    Examples
    --------
    >>> print(choose_index("auto", np.zeros((3, 2))))
    brute: 3 rows of 2 features are few
    """

    index: Index
    why: str

    @property
    def name(self) -> str:
        """Which index it is."""
        return self.index.name

    @property
    def bound(self) -> Bound | None:
        """How far its distances may be off; None where nothing is promised."""
        if isinstance(self.index, Hashing):
            return None
        return self.index.bound if isinstance(self.index, KDTree) else EXACT

    def __str__(self) -> str:
        return f"{self.name}: {self.why}"

    def __repr__(self) -> str:
        return f"<{self}>"


def choose_index(
    name: Any, X: Floats, *, p: float = 2.0, k: int = 5, bound: Bound = EXACT, seed: int = 0
) -> ChosenIndex:
    """Make the index asked for, or the one that suits the rows.

    "auto" grows a tree unless rows are few or features many, counts how many rows it compares for
    some training rows, and keeps it if that costs less than comparing all.
    """
    if not isinstance(name, str) or name not in INDEXES:
        hint = nearest(name, INDEXES) if isinstance(name, str) else f"; known are {INDEXES}"
        raise InputError("index must be a name that is known", value=repr(name), remedy=hint)
    if name == "brute":
        return ChosenIndex(BruteForce.of(X, p), "as asked for")
    if name == "hashing":
        if bound.eps > 0:
            raise InputError(
                "eps must be 0 with index='hashing', which promises no bound",
                value=f"{bound.eps:g}",
                remedy="use index='kd_tree'",
            )
        hashing = Hashing.of(X, p, k, seed)
        return ChosenIndex(hashing, f"as asked for; {hashing.recall}")
    if name == "kd_tree":
        return ChosenIndex(KDTree.of(X, p, bound), "as asked for")
    return _suitable(X, p, k, bound)


def _suitable(X: Floats, p: float, k: int, bound: Bound) -> ChosenIndex:
    n, d = X.shape
    if n <= _SMALL * d:
        return ChosenIndex(BruteForce.of(X, p), f"{n} rows of {d} features are few")
    if d > _HIGH and bound.eps == 0:
        return ChosenIndex(BruteForce.of(X, p), f"{d} features are too many for a tree")
    tree = KDTree.of(X, p, bound)
    sample = X[_spread(n)]
    compared = tree.work(sample, min(k, n))
    text = f"a tree compares {compared:.0f} of {n} rows a query"
    if compared * _COMPARISON < n * _row_cost(sample, X, p, k):
        return ChosenIndex(tree, text)
    return ChosenIndex(BruteForce.of(X, p), f"{text}, which costs more than comparing all")


def _row_cost(sample: Floats, X: Floats, p: float, k: int) -> float:
    """Return what a row costs in brute force, in rows that products filter."""
    if not filters(p, X.shape[1]):
        return _COMPARISON / _SLOWER
    return 1 + _SCANNED * float(np.mean(copies_of(sample, X) > room_for(k)))


def mean_copies(X: Floats) -> float:
    """Return how many rows are equal to a row, itself included, on average over some rows.

    Examples
    --------
    >>> mean_copies(np.zeros((100, 2))), mean_copies(np.arange(100.0)[:, None])
    (100.0, 1.0)
    """
    return float(copies_of(X[_spread(len(X))], X).mean())


def copies_of(some: Floats, X: Floats) -> Rows:
    """Return how many rows of X are equal to each of some rows."""
    counts = np.empty(len(some), dtype=np.intp)
    for number, row in enumerate(some):
        alike = np.flatnonzero(X[:, 0] == row[0])
        counts[number] = np.count_nonzero((X[alike] == row).all(axis=1))
    return counts


def _spread(n: int) -> Rows:
    return np.linspace(0, n - 1, min(n, _SAMPLE)).astype(np.intp)
