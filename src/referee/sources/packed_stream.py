"""Packed answers: label columns of a table that was read, counted as a stream of them is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from referee.errors import TableError, nearest
from referee.sources.stream import Stream
from referee.sources.tables.columns import Coded

__all__ = ["PackedStream"]

_MOST_CELLS = 1_000_000


@dataclass(frozen=True, eq=False)
class PackedStream(Stream):
    """Columns of labels in a byte or two a row, which are counted without being unpacked.

    Attributes
    ----------
    labels : mapping of str to Coded
        The columns by name, complete and equally long.

    Examples
    --------
    >>> codes = np.array([0, 1, 1, 0], dtype=np.uint8)
    >>> columns = {"y": Coded(codes, np.array([5, 7])), "p": Coded(codes[::-1], np.array([5, 7]))}
    >>> stream = PackedStream(labels=columns)
    >>> stream.n_rows, stream.kinds(["y", "p"])
    (4, [(5, 5, 2), (7, 7, 2)])
    """

    frame: Any = None
    labels: Mapping[str, Coded] = field(default_factory=dict)

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return len(next(iter(self.labels.values())).codes)

    def column(self, name: Any) -> str:
        """Return the name of a column, or say which there are."""
        if name not in self.labels:
            raise TableError(
                f"there is no column {name!r}",
                remedy=nearest(str(name), list(self.labels)),
            )
        return str(name)

    def kinds(self, columns: Sequence[str]) -> list[tuple[Any, ...]]:
        """Return the distinct rows of some columns with their counts, in order of appearance."""
        packed = [self.labels[self.column(name)] for name in columns]
        shape = tuple(len(p.kinds) for p in packed)
        if np.prod(shape, dtype=float) > _MOST_CELLS:
            raise TableError(
                f"columns {', '.join(map(repr, columns))} hold too many classes to be counted",
                at=", ".join(map(str, columns)),
            )
        cells = np.zeros(self.n_rows, dtype=np.min_scalar_type(int(np.prod(shape))))
        for column, size in zip(packed, shape, strict=True):
            cells = cells * cells.dtype.type(size) + column.codes.astype(cells.dtype)
        counts = np.bincount(cells, minlength=int(np.prod(shape)))
        there = np.flatnonzero(counts)
        first = {int(cell): int(np.argmax(cells == cell)) for cell in there}
        order = sorted(there.tolist(), key=first.__getitem__)
        at = [np.unravel_index(cell, shape) for cell in order]
        return [
            (*(p.kinds[i].item() for p, i in zip(packed, where, strict=True)), int(counts[cell]))
            for cell, where in zip(order, at, strict=True)
        ]

    def columns(self, names: Sequence[str]) -> dict[str, Any]:
        """Return some columns as arrays, row by row."""
        return {name: self.labels[self.column(name)].array() for name in names}
