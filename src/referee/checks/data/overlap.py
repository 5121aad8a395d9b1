"""R002: test cases that also stand in the training set."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from referee.checks.check import Check
from referee.checks.context import Context
from referee.core.arrays import Codes, Features, Flags
from referee.core.dataset import Dataset
from referee.core.fold_split import FoldSplit
from referee.core.plan import Part, Plan
from referee.core.results import Finding, Severity
from referee.core.showing.numbers import percent
from referee.errors import arg

__all__ = [
    "OVERLAP",
    "check",
    "codes_of",
    "column_codes",
    "copies",
    "copies_by",
    "equal_rows",
    "joint_codes",
    "row_identity",
]

_SERIOUS = 0.05

_FACTOR = np.uint64(0x9E3779B97F4A7C15)
"""An odd number whose bits look random, as a multiplicative hash wants it."""


def check(context: Context) -> Finding | None:
    """Report tested cases whose features are, to the last digit, those of a training case."""
    if context.data is None or context.plan is None:
        return None
    tested, copied = copies(context.data, context.plan)
    rows = np.flatnonzero(copied)
    if not rows.size:
        return None
    share = rows.size / tested.sum()
    return OVERLAP.finding(
        severity=Severity.SERIOUS if share >= _SERIOUS else Severity.WARNING,
        message=(
            f"{rows.size} of {tested.sum()} tested cases ({percent(share)}) have an exact copy "
            f"among the rows their model was trained on ({context.data.name_rows(rows)})."
        ),
        rows=tuple(int(r) for r in rows[:5]),
    )


def copies(data: Dataset, plan: Plan) -> tuple[Flags, Flags]:
    """Return which cases were tested unseen, and which of them had a copy in training."""
    return copies_by(row_identity(data.X), data, plan)


def copies_by(identity: Codes, data: Dataset, plan: Plan) -> tuple[Flags, Flags]:
    """Return the same where rows count as copies whose codes are equal."""
    tested = np.zeros(data.n, dtype=bool)
    copied = np.zeros(data.n, dtype=bool)
    several = np.bincount(identity)[identity] > 1
    if not several.any():
        return _tested(data, plan), copied
    for split in plan.part(Part.MAIN):
        trained = np.zeros(data.n, dtype=bool)
        trained[split.train] = True
        unseen = split.test[~trained[split.test]]
        tested[unseen] = True
        suspects = unseen[several[unseen]]
        if suspects.size:
            known = np.zeros(identity.max() + 1, dtype=bool)
            known[identity[split.train]] = True
            copied[suspects] |= known[identity[suspects]]
    return tested, copied


def _tested(data: Dataset, plan: Plan) -> Flags:
    """Return which cases were tested unseen."""
    tested = np.zeros(data.n, dtype=bool)
    main = plan.part(Part.MAIN)
    if all(isinstance(split, FoldSplit) for split in main):
        of_main = np.array([split.part is Part.MAIN for split in plan.splits])
        tested[plan.tested[np.repeat(of_main, plan.sizes)]] = True
        return tested
    for split in main:
        tested[split.unseen] = True
        if tested.all():
            break
    return tested


def row_identity(X: Features) -> Codes:
    """Return a code per row; rows with the same content have the same code.

    Examples
    --------
    >>> row_identity(np.array([[1.0, 2.0], [3.0, 4.0], [1.0, 2.0]])).tolist()
    [0, 1, 0]
    """
    if hasattr(X, "columns"):
        return joint_codes(column_codes(X[c]) for c in X.columns)
    if hasattr(X, "tocsr"):
        return codes_of(_sparse_keys(X.tocsr()))
    if X.ndim == 1:
        return codes_of(X.tolist())
    if X.dtype.kind == "O":
        return codes_of([repr(row.tolist()) for row in X])
    return equal_rows(len(X), list(X.T))


def equal_rows(n: int, columns: Sequence[Any]) -> Codes:
    """Return a code per row, in order of appearance, equal where all plain columns are, bit by bit.

    Rows are told apart by a number mixed from their cells, column by column; only those that share
    it are compared as they are.

    Examples
    --------
    >>> equal_rows(3, [np.array([1.0, 2.0, 1.0]), np.array([7, 7, 7])]).tolist()
    [0, 1, 0]
    """
    first = np.arange(n)
    doubtful = _sharing(_mixed(n, columns))
    if doubtful.size:
        none = np.empty((len(doubtful), 0), dtype=np.uint8)
        cells = [none, *(_bits(column[doubtful]) for column in columns)]
        known: dict[Any, int] = {}
        for row, key in zip(doubtful.tolist(), _bytes(np.hstack(cells)), strict=True):
            first[row] = known.setdefault(key, row)
    codes: Codes = (np.cumsum(first == np.arange(n)) - 1)[first]
    return codes


def _mixed(n: int, columns: Sequence[Any]) -> Any:
    """Return a number per row that depends on every bit of its cells."""
    mixed = np.zeros(n, dtype=np.uint64)
    for column in columns:
        for piece in _pieces(column):
            mixed ^= piece
            mixed *= _FACTOR
            mixed ^= mixed >> np.uint64(29)
    return mixed


def _sharing(numbers: Any) -> Codes:
    """Return, in order, the places of numbers that occur more than once."""
    order = np.argsort(numbers)
    same = np.diff(numbers[order]) == 0
    shared = np.concatenate([same, [False]]) | np.concatenate([[False], same])
    places: Codes = np.sort(order[shared[: len(order)]])
    return places


def _pieces(column: Any) -> Any:
    """Return the bits of every cell as whole numbers, a line for each number a cell fills."""
    width = column.dtype.itemsize
    unit = next(size for size in (8, 4, 2, 1) if width % size == 0)
    return _bits(column).view(f"u{unit}").reshape(len(column), width // unit).T


def _bits(column: Any) -> Any:
    """Return the bytes of every cell, a line for each; -0.0 is 0.0."""
    whole = np.ascontiguousarray(column + 0.0 if column.dtype.kind in "fc" else column)
    return whole.view(np.uint8).reshape(len(whole), whole.dtype.itemsize)


def codes_of(keys: list[Any]) -> Codes:
    """Return a code per key, in order of appearance; equal keys have the same code."""
    if len(set(keys)) == len(keys):
        return np.arange(len(keys))
    first: dict[Any, int] = {}
    return np.array([first.setdefault(k, len(first)) for k in keys], dtype=np.intp)


def _bytes(rows: Any) -> list[Any]:
    """Return the bytes of every row of a contiguous array, made all at once."""
    width = rows.dtype.itemsize * rows.shape[1]
    if width == 0:
        return [b""] * len(rows)
    whole: list[Any] = rows.view(np.dtype((np.void, width))).ravel().tolist()
    return whole


def joint_codes(columns: Iterable[Codes]) -> Codes:
    """Return a code per row, in order of appearance, for what several columns of codes hold there.

    Examples
    --------
    >>> joint_codes([np.array([0, 1, 0, 0]), np.array([2, 2, 2, 5])]).tolist()
    [0, 1, 0, 2]
    """
    joint: Codes | None = None
    for codes in columns:
        cells = codes if joint is None else joint * (int(codes.max(initial=0)) + 1) + codes
        joint = np.unique(cells, return_inverse=True)[1]
    assert joint is not None  # a table has a column
    _, first, codes = np.unique(joint, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.intp)
    rank[np.argsort(first)] = np.arange(len(first))
    ranked: Codes = rank[codes]
    return ranked


def column_codes(column: Any) -> Codes:
    """Return a code per value of a column; equal values have the same code."""
    values = np.asarray(column)
    if values.dtype.kind in "biuf":
        return np.unique(values, return_inverse=True)[1]
    first: dict[str, int] = {}
    texts = (first.setdefault(str(value), len(first)) for value in values)
    return np.fromiter(texts, dtype=np.intp, count=len(values))


def _sparse_keys(X: Any) -> list[Any]:
    X = X.copy()
    X.sum_duplicates()
    X.eliminate_zeros()
    ends = zip(X.indptr[:-1], X.indptr[1:], strict=True)
    return [(X.indices[a:b].tobytes(), X.data[a:b].tobytes()) for a, b in ends]


def _remedy() -> str:
    option = arg("drop_copies", True)  # an option of the command line; in Python the user's own
    how = f" ({option})" if option.startswith("--") else ""
    return (
        f"Drop the copies{how}, or pass {arg('groups')} so that copies stay together; if they are "
        f"different cases that merely look alike, say so: {arg('dismiss', ['R002'])}."
    )


OVERLAP = Check(
    "R002",
    title="test cases in the training set",
    compute=check,
    cause=(
        "Tested cases have an exact copy, feature by feature, among the rows their model was "
        "trained on; serious from 5 % of them on."
    ),
    remedy=_remedy,
    severities=(Severity.WARNING, Severity.SERIOUS),
    needs_data=True,
)
