"""Blocks: long arrays gone through piece by piece, so that no step copies the whole of one."""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["blocks"]

_ROWS = 1 << 18
"""Rows of a block: small enough for the cache of a core, large enough for numpy's loops."""


def blocks(n: int, rows: int = _ROWS) -> Iterator[slice]:
    """Yield slices that cover n rows, in order.

    Examples
    --------
    >>> [(b.start, b.stop) for b in blocks(5, rows=2)]
    [(0, 2), (2, 4), (4, 5)]
    """
    return (slice(start, min(start + rows, n)) for start in range(0, n, rows))
