"""Deciding promises: draw where one is still open, the cells soonest done first, until time is up.

Stopping a cell because its promise is decided is fair, since the limits of its rate hold whenever
it stops (`limits.counted`).
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import islice

from referee.core.randomness import Seed
from referee.study.calibration.cell import Cell, GroupCell, PairCell, RankingCell, RiskCell
from referee.study.calibration.draws import Chunk, Draws, complete, left_of
from referee.study.calibration.probe import Probe, probes_of
from referee.study.calibration.promises import Kept, judged
from referee.study.calibration.rates import rates_of

__all__ = ["decide", "undecided"]

_ROUND = 20
"""Data sets of a cell between two looks at its promises."""


def decide(
    cells: Sequence[tuple[Cell, int]],
    draws: Draws,
    seed: Seed,
    *,
    n_jobs: int | None = None,
    seconds: float | None = None,
) -> None:
    """Draw in cells whose promises are not decided, after a first look at each the cheapest first.

    Parameters
    ----------
    cells : sequence of (Cell, int)
        Cells, and the most data sets that each may have.
    draws : Draws
        What was drawn already; added to.
    seconds : float, optional
        Begin nothing new after so many.
    """
    end = time.monotonic() + (float("inf") if seconds is None else seconds)
    waiting = undecided(cells, draws)
    price = {cell.name: 0.0 for cell, _ in waiting}
    while waiting and time.monotonic() < end:
        cell, most = entry = min(waiting, key=lambda e: price[e[0].name])
        chunks = list(_next(cell, most, draws, seed))
        begin = time.monotonic()
        complete(chunks, draws, n_jobs)
        price[cell.name] = (time.monotonic() - begin) * _left(cell, most, draws, seed) / _ROUND
        if not price[cell.name] or not undecided([entry], draws):
            waiting.remove(entry)


def _left(cell: Cell, most: int, draws: Draws, seed: Seed) -> int:
    """Return how many data sets a cell may still have."""
    return max(
        sum(len(chunk.repetitions) for chunk in left_of(cell, probe, most, draws, seed))
        for probe in _promised(cell)
    )


def undecided(cells: Sequence[tuple[Cell, int]], draws: Draws) -> list[tuple[Cell, int]]:
    """Return the cells about which a promise is made that is not yet decided.

    Examples
    --------
    >>> from referee.study.calibration.cells import cells_named
    >>> cells = [(cell, 100) for cell in cells_named(["equal: lda*", "no structure*"])]
    >>> [cell.name for cell, _ in undecided(cells, Draws())]
    ['equal: lda, n 100', 'equal: lda, n 40']
    """
    return [(cell, most) for cell, most in cells if _promised(cell) and _is_open(cell, most, draws)]


def _is_open(cell: Cell, most: int, draws: Draws) -> bool:
    import pandas as pd

    table = pd.DataFrame([rate.row() for rate in rates_of(cell, draws, most)])
    if table.empty:
        return True
    own = [promise for promise in judged(table) if promise.cell == cell.name]
    return any(promise.kept is Kept.UNDECIDED for promise in own)


def _promised(cell: Cell) -> tuple[Probe, ...]:
    """Return the probes that promises about a cell are judged by; none where none is made."""
    if isinstance(cell, RankingCell):
        return probes_of(cell)
    names: tuple[str, ...] = ()
    if isinstance(cell, PairCell) and cell.equal:
        names = ("calibrated-cv",)
    elif isinstance(cell, RiskCell) and not isinstance(cell, GroupCell):
        names = ("truth", "10x10") if cell.origin == "fresh" else ()
    return tuple(probe for probe in probes_of(cell) if probe.name in names)


def _next(cell: Cell, most: int, draws: Draws, seed: Seed) -> Iterator[Chunk]:
    """Yield the next data sets of every probe of a cell."""
    for probe in _promised(cell):
        yield from islice(left_of(cell, probe, most, draws, seed, size=_ROUND), 1)
