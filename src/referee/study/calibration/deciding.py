"""Deciding promises: draw where a promise is still open, cheap cells first, until time is up.

Stopping a cell because its promise is decided is fair, since the limits of its rate hold at every
number of data sets at once (`rates.counted`).
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
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
    """Draw in cells whose promises are not decided, in turns, the cheapest first.

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
    cost: dict[str, float] = {}
    waiting = undecided(cells, draws)
    while waiting and time.monotonic() < end:
        for cell, most in sorted(waiting, key=partial(_price, cost)):
            chunks = list(_next(cell, most, draws, seed))
            begin = time.monotonic()
            if begin >= end:
                return
            complete(chunks, draws, n_jobs)
            cost[cell.name] = time.monotonic() - begin
        open_still = undecided(waiting, draws)
        waiting = [(c, m) for c, m in open_still if any(True for _ in _next(c, m, draws, seed))]


def _price(cost: Mapping[str, float], entry: tuple[Cell, int]) -> tuple[int, float]:
    """Return what puts cells in order: slow learners, which ask for few data sets, come last."""
    cell, _ = entry
    return -cell.repetitions, cost.get(cell.name, 0.0)


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
