"""Stacking: a training and a test file as one table, with the same columns of the same kinds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

from referee.core.arrays import Anything
from referee.errors import TableError, arg
from referee.sources.tables.cells import texts
from referee.sources.tables.table import Table

__all__ = ["Stacked", "stack"]


@dataclass(frozen=True, eq=False)
class Stacked:
    """One table made of two, and where the second begins.

    Parameters
    ----------
    table : Table
        The rows for training, then the rows for testing.
    n_train : int
        How many rows are for training.
    """

    table: Table
    n_train: int


def stack(train: Table, test: Table) -> Stacked:
    """Put the rows of a test table under those of a training table.

    Columns are matched by name, in any order; a column holds numbers only if it does so in
    both files. Nothing is learned from the values.

    Examples
    --------
    >>> from referee.sources.tables import Source
    >>> a = Table({"x": np.array([1.0, 2.5])}, (Source("a.csv", [2, 3]),))
    >>> b = Table({"x": np.array(["three"], dtype=object)}, (Source("b.csv", [2]),))
    >>> both = stack(a, b)
    >>> both.n_train, both.table.column("x").tolist(), both.table.place(2)
    (2, ['1', '2.5', 'three'], 'b.csv, line 2')
    """
    _check_columns(train, test)
    if (train.sparse is None) != (test.sparse is None):
        raise TableError(
            f"of {train.path} and {test.path} only one is an svmlight file",
            remedy="give both in the same format",
        )
    table = Table(
        {name: _joined(train.column(name), test.column(name)) for name in train.columns},
        sources=(*train.sources, *test.sources),
        header=train.header,
        header_guessed=train.header_guessed or test.header_guessed,
        sparse=None if train.sparse is None else _joined_sparse(train.sparse, test.sparse),
    )
    return Stacked(table, train.n_rows)


def _check_columns(train: Table, test: Table) -> None:
    if set(train.columns) == set(test.columns):
        return
    if not train.header and not test.header:
        raise TableError(
            f"{test.path} has {len(test.columns)} columns, {train.path} has "
            f"{len(train.columns)}; both files need the same columns in the same order",
            at=str(test.path),
        )
    if train.header != test.header:
        with_names, bare = (train, test) if train.header else (test, train)
        raise TableError(
            f"{with_names.path} has a header and {bare.path} has none",
            concerning="header",
            at=str(with_names.path),
            remedy="give both files the same header line, or say for both whether there is one "
            f"({arg('header', True)} or {arg('header', False)})",
        )
    raise TableError(
        f"{test.path} and {train.path} differ in their columns: {_difference(train, test)}",
        at=str(test.path),
        remedy="rename or remove columns until both files have the same",
    )


def _difference(train: Table, test: Table) -> str:
    missing = [name for name in train.columns if name not in test.values]
    extra = [name for name in test.columns if name not in train.values]
    said = [
        f"{test.path} {verb} " + ", ".join(repr(name) for name in names[:8])
        for verb, names in (("lacks", missing), ("has in addition", extra))
        if names
    ]
    return " and ".join(said)


def _joined(first: Anything, second: Anything) -> Anything:
    if first.dtype == second.dtype:
        return np.concatenate([first, second])
    return np.concatenate([_as_texts(first), _as_texts(second)])


def _as_texts(column: Anything) -> Anything:
    if column.dtype == object:
        return column
    return texts([None if np.isnan(value) else _written(value) for value in column.tolist()])


def _written(value: float) -> str:
    return str(int(value)) if value.is_integer() else repr(value)


def _joined_sparse(first: Any, second: Any) -> Any:
    width = max(first.shape[1], second.shape[1])
    return scipy.sparse.vstack([_widened(first, width), _widened(second, width)], format="csr")


def _widened(matrix: Any, width: int) -> Any:
    """Add empty columns on the right; resize works in place, hence the copy."""
    wide = matrix.copy()
    wide.resize((matrix.shape[0], width))
    return wide
