"""Compiled loops: slopes after coefficients have moved, and a square cut out of kernel rows."""

from __future__ import annotations

from typing import Any

from referee.core.arrays import Floats, Rows
from referee.core.machine.compiling import compiled

__all__ = ["cut_square", "update_slopes"]


@compiled
def update_slopes(store: Any, slots: Rows, moves: Floats, slopes: Floats) -> None:
    """Subtract moves_s times row slots_s of the store from the slopes, four rows at a time."""
    n, m = len(slopes), len(slots)
    start = 0
    while start + 4 <= m:
        a, b = store[slots[start]], store[slots[start + 1]]
        c, d = store[slots[start + 2]], store[slots[start + 3]]
        ma, mb, mc, md = moves[start], moves[start + 1], moves[start + 2], moves[start + 3]
        for t in range(n):
            slopes[t] -= (ma * a[t] + mb * b[t]) + (mc * c[t] + md * d[t])
        start += 4
    for s in range(start, m):
        row, move = store[slots[s]], moves[s]
        for t in range(n):
            slopes[t] -= move * row[t]


@compiled
def cut_square(store: Any, slots: Rows, members: Rows, square: Any) -> None:
    """Fill a square with the columns of some members of the rows in their slots."""
    for r in range(len(slots)):
        row, out = store[slots[r]], square[r]
        for c in range(len(members)):
            out[c] = row[members[c]]
