"""The points a kernel is evaluated at: checked once, then laid out for its loops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np

from referee.core.arrays import Anything, Floats, Rows
from referee.errors import InputError

__all__ = [
    "Bins",
    "Objects",
    "Pair",
    "Precision",
    "Selection",
    "Side",
    "Vectors",
    "check_width",
    "checked_histograms",
    "checked_numbers",
    "checked_objects",
    "column_medians",
]

Precision: TypeAlias = type[np.float32] | type[np.float64]
Selection: TypeAlias = Rows | slice


class Side(Protocol):
    """One side of a block of kernel values: points, laid out as the kernel likes them."""

    def __len__(self) -> int: ...

    def take(self, rows: Selection) -> Side:
        """Return some of the points."""
        ...


@dataclass(frozen=True)
class Vectors:
    """Rows of numbers and their squared norms, for kernels of inner products."""

    values: Anything
    norms: Anything

    @classmethod
    def of(cls, X: Floats, dtype: Precision, *, like: Vectors | None = None) -> Vectors:
        """Lay out rows in the precision asked for; norms are summed in double precision."""
        if like is not None:
            check_width(like.values.shape[1], X.shape[1])
        values = np.ascontiguousarray(X, dtype=dtype)
        # Of the rounded values: a row's distance to itself is then as near to 0 as can be.
        double = values.astype(np.float64, copy=False)
        norms = np.einsum("ij,ij->i", double, double)
        return cls(values, norms.astype(dtype))

    def __len__(self) -> int:
        return len(self.values)

    def take(self, rows: Selection) -> Vectors:
        """Return some of the points."""
        return Vectors(self.values[rows], self.norms[rows])


@dataclass(frozen=True)
class Bins:
    """Rows of numbers, padded with zeros to whole groups of four features."""

    values: Anything
    features: int
    at_once: int
    """How many fractions of such values may share a denominator: 1, 2 or 4."""

    @classmethod
    def of(cls, X: Floats, dtype: Precision, *, like: Bins | None = None) -> Bins:
        """Lay out rows in the precision asked for."""
        n, d = X.shape
        if like is not None:
            check_width(like.features, d)
        values = np.zeros((n, -(-d // 4) * 4), dtype=dtype)
        values[:, :d] = X
        return cls(values, d, _fractions_at_once(values))

    def __len__(self) -> int:
        return len(self.values)

    def take(self, rows: Selection) -> Bins:
        """Return some of the points."""
        return Bins(self.values[rows], self.features, self.at_once)


@dataclass(frozen=True)
class Objects:
    """Points of any kind, one after the other."""

    values: tuple[Any, ...]

    def __len__(self) -> int:
        return len(self.values)

    def take(self, rows: Selection) -> Objects:
        """Return some of the points."""
        if isinstance(rows, slice):
            return Objects(self.values[rows])
        return Objects(tuple(self.values[int(i)] for i in rows))


@dataclass(frozen=True)
class Pair:
    """The same points laid out for two kernels."""

    first: Side
    second: Side

    def __len__(self) -> int:
        return len(self.first)

    def take(self, rows: Selection) -> Pair:
        """Return some of the points."""
        return Pair(self.first.take(rows), self.second.take(rows))


def check_width(trained: int, new: int) -> None:
    """Raise unless new points have as many features as those they will meet."""
    if trained != new:
        raise InputError(
            "X and Z must have the same number of columns", value=f"{trained} and {new}"
        )


def checked_numbers(X: Any, name: str = "X") -> Floats:
    """Return X as a table of finite numbers.

    Examples
    --------
    >>> checked_numbers([[1, 2], [3, float("nan")]])
    Traceback (most recent call last):
    ...
    referee.errors.InputError: X must hold finite numbers, got nan in row 1, column 1; ...
    """
    try:
        table = np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"{name} must be a table of numbers ({error})",
            concerning=name,
            remedy="for other objects use FromFunction or FeatureMap",
        ) from error
    if table.ndim != 2:
        raise InputError(
            f"{name} must be a table with rows and columns",
            concerning=name,
            value=f"an array of shape {table.shape}",
            remedy=f"for one feature use {name}.reshape(-1, 1)",
        )
    bad = ~np.isfinite(table)
    if bad.any():
        row, column = np.argwhere(bad)[0]
        raise InputError(
            f"{name} must hold finite numbers, got {table[row, column]} in row {row}, column "
            f"{column}",
            concerning=name,
            remedy="impute or drop it",
        )
    return table


def column_medians(X: Floats) -> Floats:
    """Return the median of each column of finite numbers, to the bit that of NumPy.

    NumPy's own asks for two ranks at once, which takes five times as long as one and a maximum.

    Examples
    --------
    >>> column_medians(np.array([[3.0, 8.0], [1.0, 2.0], [2.0, 5.0], [9.0, 0.0]])).tolist()
    [2.5, 3.5]
    """
    middle = len(X) // 2
    columns = X.T.copy()
    columns.partition(middle, axis=1)
    upper = columns[:, middle]
    if len(X) % 2:
        return np.asarray(upper)
    return np.asarray((columns[:, :middle].max(axis=1) + upper) / 2)


def checked_histograms(X: Any, name: str = "X") -> Floats:
    """Return X as a table of finite numbers of which none is negative.

    Examples
    --------
    >>> checked_histograms([[1, 2], [3, -4]])
    Traceback (most recent call last):
    ...
    referee.errors.InputError: X must not be negative for a kernel of histograms, got -4.0 in ...
    """
    table = checked_numbers(X, name)
    bad = table < 0
    if bad.any():
        row, column = np.argwhere(bad)[0]
        raise InputError(
            f"{name} must not be negative for a kernel of histograms, got {table[row, column]} in "
            f"row {row}, column {column}",
            concerning=name,
            remedy="use counts or shares, or a Gaussian or Laplacian kernel",
        )
    return table


def checked_objects(X: Any, name: str = "X") -> tuple[Any, ...]:
    """Return the points of a sequence, rows of a table included.

    Examples
    --------
    >>> checked_objects(["cat", "dog"])
    ('cat', 'dog')
    """
    if isinstance(X, (str, bytes)) or not (isinstance(X, Sequence) or hasattr(X, "__array__")):
        raise InputError(
            f"{name} must be a list of points",
            concerning=name,
            value=repr(X),
            remedy=f"write [{X!r}] for a single one",
        )
    return tuple(X if isinstance(X, Sequence) else np.asarray(X))


def _fractions_at_once(values: Anything) -> int:
    """Return m such that products of m + 1 values and 2 of them added stay in the normal range."""
    limits = np.finfo(values.dtype)
    sizes = np.abs(values[values != 0])
    for m in (4, 2) if sizes.size else ():
        low, high = float(limits.tiny) ** (1 / (m + 1)), float(limits.max) ** (1 / (m + 1)) / 4
        if sizes.min() > low and sizes.max() < high:
            return m
    return 1
