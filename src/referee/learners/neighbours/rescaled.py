"""Rescaled lists: neighbours where every split has units of its own, from one search in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.core.arrays import Codes, Floats, Rows
from referee.core.machine.compiling import compiled
from referee.learners.neighbours.lists import NeighbourLists
from referee.learners.neighbours.plan import Block, TieRule
from referee.learners.neighbours.walk import SETTLED, SHORT, TIED, choice_matters

__all__ = ["Rescaled", "rescaled_walk"]


@dataclass(frozen=True, eq=False)
class Rescaled:
    """How to walk down lists that were made in common units.

    Attributes
    ----------
    values : array of shape (n, d)
        All cases in common units, in which the lists were made.
    factors : array of shape (splits, d)
        What differences are multiplied by in each split.
    p : float
        Minkowski's power.
    codes : array of int, shape (n,) or (0,)
        Labels, where all votes count the same and there is one column of them: ties between rows
        of one class need no choice.
    k : int
        How many classes there are.
    shares : bool
        Whether shares of votes are asked for.
    """

    values: Floats
    factors: Floats
    p: float
    codes: Codes
    k: int
    shares: bool

    def walk(self, block: Block, which: Rows, lists: NeighbourLists, rule: TieRule) -> None:
        """Find the rows that vote in each pair, in place."""
        factors = self.factors[block.first : block.first + len(block.splits)]
        least = factors.min(axis=1)
        rescaled_walk(
            which,
            block.split,
            block.test,
            block.sizes,
            block.times,
            lists.place,
            lists.reduced,
            lists.rows,
            self.values,
            factors,
            least if np.isinf(self.p) else least**self.p,
            self.p,
            rule.relative,
            rule.absolute,
            self.codes,
            self.k,
            self.shares,
            block.chosen,
            block.reached,
            block.edges,
            block.status,
        )


@compiled
def _reduced(x: Floats, y: Floats, factor: Floats, p: float) -> float:
    total = 0.0
    if p == 2:
        for j in range(len(x)):
            step = (x[j] - y[j]) * factor[j]
            total += step * step
    elif p == 1:
        for j in range(len(x)):
            total += abs(x[j] - y[j]) * factor[j]
    else:  # the largest difference
        for j in range(len(x)):
            total = max(total, abs(x[j] - y[j]) * factor[j])
    return total


@compiled
def _edge(near: Floats, who: Any, times_of: Any, need: int) -> float:
    """Return the distance at which enough rows are found."""
    count = at = 0
    while count < need:
        count += times_of[who[at]]
        at += 1
    return near[at - 1]  # type: ignore[no-any-return]


@compiled
def rescaled_walk(
    which: Any,
    split: Any,
    test: Any,
    sizes: Any,
    times: Any,
    place: Any,
    reduced: Floats,
    rows: Any,
    values: Floats,
    factors: Floats,
    least: Floats,
    p: float,
    relative: float,
    absolute: Floats,
    codes: Any,
    k: int,
    shares: bool,
    chosen: Any,
    reached: Floats,
    edges: Floats,
    status: Any,
) -> None:
    """Walk down lists in common units, until no row further down can be among the nearest.

    A reduced distance in the units of a split is at least `least` of it times the one in common
    units, by which lists are sorted. Other parameters are those of `walk`, `Rescaled` and
    `undecided`.
    """
    length, n, kept = rows.shape[1], times.shape[1], len(reached) > 0
    near, who = np.empty(length), np.empty(length, dtype=np.int64)
    sure, open_ = np.empty(k, dtype=np.int64), np.empty(k, dtype=np.int64)
    for pair in which:
        s, case, need = split[pair], test[pair], sizes[pair]
        times_of, factor = times[s], factors[s]
        line, common = rows[place[case]], reduced[place[case]]
        slack = absolute[case]
        count = trained = at = 0
        limit = np.inf
        while at < length and common[at] * least[s] <= limit:
            row = line[at]
            at += 1
            if times_of[row] == 0:
                continue
            value = _reduced(values[case], values[row], factor, p)
            if value > limit:
                continue
            back = count
            while back > 0 and near[back - 1] > value:
                near[back], who[back] = near[back - 1], who[back - 1]
                back -= 1
            near[back], who[back] = value, row
            count += 1
            trained += times_of[row]
            if trained >= need:
                limit = _edge(near, who, times_of, need) * (1 + relative) + slack
        if trained < need or (at == length and length < n):
            status[pair] = SHORT
            continue
        filled = taken = before = 0
        while filled < need:
            before = filled
            for _ in range(min(times_of[who[taken]], need - filled)):
                chosen[pair, filled] = who[taken]
                if kept:
                    reached[pair, filled] = near[taken]
                filled += 1
            taken += 1
        edge = near[taken - 1]
        edges[pair] = edge
        # Repeats of the last row compete with other rows at the same distance.
        tied = taken < count and near[taken] <= limit
        if times_of[who[taken - 1]] > filled - before and taken > 1:
            tied |= near[taken - 2] * (1 + relative) + slack >= edge
        if tied and len(codes) > 0:
            sure[:] = 0
            open_[:] = 0
            for i in range(count):
                if near[i] > limit:
                    break
                if near[i] * (1 + relative) + slack < edge:
                    sure[codes[who[i]]] += times_of[who[i]]
                else:
                    open_[codes[who[i]]] += times_of[who[i]]
            tied = choice_matters(sure, open_, need - sure.sum(), shares)
        status[pair] = TIED if tied else SETTLED
