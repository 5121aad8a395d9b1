"""The ladder: a look is answered only when it improves on the best answer by a whole step.

References
----------
Blum and Hardt (2015), The Ladder: a reliable leaderboard for machine learning competitions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.intervals.looks.grid import Cell, Grid
from referee.intervals.looks.guaranteed import LookInterval

__all__ = ["Answer", "LadderState", "ladder_look"]


@dataclass(frozen=True)
class LadderState:
    """Where a ladder stands: all that its answers depend on.

    Attributes
    ----------
    looks, releases : int
        How many there were.
    rung : int
        The best one released; 0 is the baseline.
    """

    looks: int = 0
    releases: int = 0
    rung: int = 0


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What one look shows.

    Attributes
    ----------
    released : float or None
        The new best value, rounded to the safe side; None if the look did not improve by a step.
    cell : Cell
        The losses that would have given the same answer.
    ends : tuple of float
        The same as values of the measure, the lesser first.
    before, after : LadderState
        Where the ladder stood, and where it stands now.
    """

    released: float | None
    cell: Cell
    ends: tuple[float, float]
    before: LadderState
    after: LadderState

    def interval(
        self, grid: Grid, level: float = 0.95, *, looks: int | None = None
    ) -> LookInterval:
        """Return the guaranteed interval of the model that was looked at."""
        return grid.interval(self.cell, self.after.looks, self.before.releases, level, looks=looks)


def ladder_look(grid: Grid, state: LadderState, loss: float) -> Answer:
    """Return the answer to a look, without side effects.

    Parameters
    ----------
    grid : Grid
        Fixed before the first look.
    state : LadderState
        Where the ladder stands; `LadderState()` at the start.
    loss : float
        What the model loses on the secret cases: a whole number of them for a share.

    Examples
    --------
    >>> grid = Grid.of_share(1000, baseline=0.5)
    >>> first = ladder_look(grid, LadderState(), 472)
    >>> first.released, first.after
    (0.48, LadderState(looks=1, releases=1, rung=1))
    >>> ladder_look(grid, first.after, 461).released is None
    True
    >>> ladder_look(grid, first.after, 460).released
    0.46
    """
    rung = grid.rung(loss)
    seen = replace(state, looks=state.looks + 1)
    if rung <= state.rung:
        cell = grid.not_improved(state.rung)
        return Answer(released=None, cell=cell, ends=grid.ends(cell), before=state, after=seen)
    return Answer(
        released=grid.value(rung),
        cell=grid.cell(rung),
        ends=grid.ends(grid.cell(rung)),
        before=state,
        after=replace(seen, releases=state.releases + 1, rung=rung),
    )
