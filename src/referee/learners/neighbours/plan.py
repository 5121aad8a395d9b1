"""Every split of a plan, for every label column, from one search for neighbours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from scipy.special import bdtr, pdtri

from referee.core.arrays import Codes, Flags, Floats, Label, Rows
from referee.core.fold_split import FoldSplit
from referee.core.plan import Plan, Split
from referee.core.shared_work import SplitOutput
from referee.learners.neighbours.election import elect, elect_weighted, small_codes
from referee.learners.neighbours.lists import NeighbourLists, Searched
from referee.learners.neighbours.voting import weights_of
from referee.learners.neighbours.walk import SHORT, TIED, count_rows, in_training_order, walk

__all__ = [
    "MOST_COPIES",
    "Block",
    "Elected",
    "InTrainingOrder",
    "TieRule",
    "Walker",
    "predict_neighbours_plan",
]

_PAIRS = 1 << 17
"""Pairs of split and case that are walked at a time."""

_VOTES = 1 << 22
"""Numbers that one election fills."""

_TIMES = 1 << 23
"""Numbers in the table of how often each row is trained on."""

_LISTED = 1 << 22
"""Numbers in lists that are made longer for cases that need it."""

MOST_COPIES = 50
"""Copies of a row from which on, on average, ties make one search dearer than plain fits."""


@dataclass(frozen=True, eq=False)
class Block:
    """Some splits, their pairs of split and case, and the rows that vote in each pair.

    Attributes
    ----------
    first : int
        The number of its first split in the plan.
    splits : sequence of Split
        The splits.
    bounds : array of int, shape (splits + 1,)
        Where the pairs of each split begin and end.
    times : array of int, shape (splits, n)
        How often each row is trained on.
    ordered : array of bool, shape (splits,)
        Whether training rows come in order.
    split, test, sizes : arrays of int, shape (pairs,)
        The split, the case and how many vote.
    chosen : array of int, shape (pairs, most)
        Rows that vote.
    reached : array of shape (pairs, most), or (0, 0)
        Their reduced distances, where votes depend on them.
    edges : array of shape (pairs,)
        The reduced distance of the last that votes.
    status : array of int, shape (pairs,)
        Whether the walk settled them.
    """

    first: int
    splits: Sequence[Split]
    bounds: Rows
    times: npt.NDArray[Any]
    ordered: Flags
    split: Rows
    test: Rows
    sizes: Rows
    chosen: npt.NDArray[np.int32]
    reached: Floats
    edges: Floats
    status: npt.NDArray[np.int8]

    @classmethod
    def of(
        cls, plan: Plan, first: int, last: int, sizes: Sequence[int], *, weighted: bool
    ) -> Block:
        """Count training rows, and make room for the rest."""
        splits, n, sizes = plan.splits[first:last], plan.n, sizes[first:last]
        small = plan.train_sizes[first:last].max() < np.iinfo(np.int16).max
        times = np.zeros((len(splits), n), dtype=np.int16 if small else np.int32)
        ordered = np.ones(len(splits), dtype=bool)
        _count(splits, times, ordered)
        lengths, ends = plan.sizes[first:last], np.append(0, np.cumsum(plan.sizes))
        pairs, most = int(lengths.sum()), max(sizes)
        return cls(
            first,
            splits,
            np.concatenate([[0], np.cumsum(lengths)]),
            times,
            ordered,
            np.repeat(np.arange(len(splits)), lengths),
            plan.tested[ends[first] : ends[last]],
            np.repeat(np.asarray(sizes), lengths),
            np.zeros((pairs, most), dtype=np.int32),
            np.full((pairs, most) if weighted else (0, 0), np.inf),
            np.empty(pairs),
            np.zeros(pairs, dtype=np.int8),
        )


def _count(splits: Sequence[Split], times: npt.NDArray[Any], ordered: Flags) -> None:
    """Count how often each row is trained on, and tell in which splits rows come in order."""
    at = 0
    for kind, alike in groupby(splits, type):
        some: list[Any] = list(alike)
        if issubclass(kind, FoldSplit):
            kind.count(some, times[at : at + len(some)])
        else:
            for i, split in enumerate(some, at):
                ordered[i] = count_rows(split.train, times[i])
        at += len(some)


class Walker(Protocol):
    """Another way down the lists."""

    def walk(self, block: Block, which: Rows, lists: NeighbourLists, rule: TieRule) -> None:
        """Find the rows that vote in each pair, and say whether that settled it, in place."""


class TieRule(Protocol):
    """Which of equally distant rows vote."""

    @property
    def relative(self) -> float:
        """Share by which reduced distances may differ and count as equal."""

    @property
    def absolute(self) -> Floats:
        """Amount by which they may, for each case."""

    @property
    def deepest(self) -> int:
        """How far down lists are made longer to hold all tied rows."""

    def settle(self, block: Block, which: Rows, lists: NeighbourLists) -> None:
        """Choose the rows that vote in tied pairs, in place."""

    def review(self, block: Block) -> None:
        """Look at all pairs once they are settled, and change what needs changing, in place."""


@dataclass(frozen=True, eq=False)
class InTrainingOrder:
    """The rule of `KNN`: rows that come first in training vote."""

    absolute: Floats
    relative: float = 0.0

    @property
    def deepest(self) -> int:
        """All the way."""
        return len(self.absolute)

    def settle(self, block: Block, which: Rows, lists: NeighbourLists) -> None:
        """Choose, where training rows are out of order; lists have lower rows first already."""
        for number in np.unique(block.split[which]):
            if not block.ordered[number]:
                in_training_order(
                    which[block.split[which] == number],
                    block.test,
                    block.sizes,
                    block.splits[number].train,
                    lists.place,
                    lists.reduced,
                    lists.rows,
                    block.chosen,
                    block.edges,
                )

    def review(self, block: Block) -> None:
        """Change nothing."""


@dataclass(eq=False, slots=True)
class Elected:
    """What the neighbours voted for in one split.

    Attributes
    ----------
    predicted, scores : as in `SplitOutput`
        Class codes and, where asked for, shares of votes.
    lead : array of shape (n_test, m) or None
        By how large a share of all votes the winner leads; None for votes that count the same.
    """

    predicted: Codes
    scores: Floats | None
    lead: Floats | None

    def replace(self, column: int, plain: SplitOutput) -> None:
        """Put the answers of a plain fit in place of those of one column."""
        self.predicted[:, column] = plain.predicted[:, 0]
        if self.scores is not None and plain.scores is not None:
            self.scores[:, column] = plain.scores[:, 0]


def predict_neighbours_plan(
    searched: Searched,
    Y: Codes,
    plan: Plan,
    *,
    sizes: Sequence[int],
    rule: TieRule,
    classes: Sequence[Label],
    scores: bool = False,
    weights: Any = "uniform",
    distances: Callable[[Floats], Floats] = np.sqrt,
    walker: Walker | None = None,
) -> tuple[Elected, ...]:
    """Return what the nearest training rows vote for in every split and column.

    Parameters
    ----------
    searched : Searched
        All cases.
    sizes : sequence of int
        How many rows vote in each split.
    rule : TieRule
        Which of equally distant rows do.
    weights, distances : as in `KNN`, function
        What votes count, given distances, which are made of reduced ones.
    walker : Walker, optional
        Where every split measures distances in a way of its own.
    """
    labels = small_codes(Y, len(classes))
    cases = _tested(plan)
    # In other units rows change places, so lists are made longer for a start.
    least = sizes if walker is None else [2 * size + 4 for size in sizes]
    lists = searched.lists(cases, _length(plan, least))
    outputs: list[Elected] = []
    uniform = isinstance(weights, str) and weights == "uniform"
    for block in _blocks(plan, sizes, weighted=not uniform):
        _find(block, np.arange(len(block.test)), lists, searched, rule, walker)
        rule.review(block)
        weighted = None if uniform else weights_of(distances(block.reached), weights)
        outputs.extend(_elected(block, labels, weighted, len(classes), scores))
    return tuple(outputs)


def _tested(plan: Plan) -> Rows:
    flags = np.zeros(plan.n, dtype=bool)
    flags[plan.tested] = True
    return np.flatnonzero(flags)


def _length(plan: Plan, sizes: Sequence[int]) -> int:
    """Return how far down a list must go, for one list in all to be too short, on average.

    Among the L nearest other rows, those that are trained on are about a binomial number for a
    share f of the rows, and a Poisson number for draws with replacement; it should exceed k.
    """
    rare = 1 / (int(plan.sizes.sum()) + 1)
    share = np.minimum(1.0, plan.train_sizes / max(1, plan.n - 1))
    drawn, longest = np.broadcast_to(plan.with_replacement, share.shape), 0
    for replaced in (False, True):
        alike = drawn == replaced
        if not alike.any():
            continue
        k, f = int(np.asarray(sizes)[alike].max()), float(share[alike].min())
        length = int(np.ceil(pdtri(k, rare) / f))
        if not replaced:
            some = np.arange(k + 1, max(length, k + 1) + 1)
            length = int(some[np.argmax(bdtr(k, some, f) <= rare)])
        longest = max(longest, length)
    return 1 + longest


def _blocks(plan: Plan, sizes: Sequence[int], *, weighted: bool) -> Iterator[Block]:
    start, pairs = 0, 0
    for number, split in enumerate(plan.splits):
        full = pairs + split.n_test > _PAIRS or (number - start + 1) * plan.n > _TIMES
        if full and number > start:
            yield Block.of(plan, start, number, sizes, weighted=weighted)
            start, pairs = number, 0
        pairs += split.n_test
    yield Block.of(plan, start, plan.fits, sizes, weighted=weighted)


def _find(
    block: Block,
    which: Rows,
    lists: NeighbourLists,
    searched: Searched,
    rule: TieRule,
    walker: Walker | None,
) -> None:
    """Walk, settle ties, and search deeper for the cases whose lists were too short."""
    if walker is not None:
        walker.walk(block, which, lists, rule)
    else:
        _walk(block, which, lists, rule)
    tied = which[block.status[which] == TIED]
    if len(tied):
        rule.settle(block, tied, lists)
    short = which[block.status[which] == SHORT]
    if not len(short):
        return
    length = min(4 * lists.rows.shape[1], block.times.shape[1])
    cases = np.unique(block.test[short])
    step = max(1, _LISTED // length)
    for at in range(0, len(cases), step):
        some = cases[at : at + step]
        deeper = searched.lists(some, length)
        pairs = short[deeper.place[block.test[short]] >= 0]
        _find(block, pairs, deeper, searched, rule, walker)


def _walk(block: Block, which: Rows, lists: NeighbourLists, rule: TieRule) -> None:
    walk(
        which,
        block.split,
        block.test,
        block.sizes,
        block.times,
        lists.place,
        lists.reduced,
        lists.rows,
        rule.relative,
        rule.absolute,
        rule.deepest,
        block.chosen,
        block.reached,
        block.edges,
        block.status,
    )


def _elected(
    block: Block, labels: Any, weights: Floats | None, k: int, scores: bool
) -> Iterator[Elected]:
    m, most = labels.shape[1], max(1, _VOTES // (labels.shape[1] * (k if scores else 1)))
    first = 0
    while first < len(block.splits):
        start = block.bounds[first]
        last = max(first + 1, int(np.searchsorted(block.bounds, start + most, "right")) - 1)
        at = slice(start, block.bounds[last])
        shape = (at.stop - at.start, m)
        predicted = np.empty(shape, dtype=np.intp)
        shares = np.empty((*shape, k) if scores else (0, 0, 0))
        lead = np.empty(shape if weights is not None else (0, 0))
        arrays = (labels, k, predicted, shares, scores)
        if weights is None:
            elect(block.chosen[at], block.sizes[at], *arrays)
        else:
            elect_weighted(block.chosen[at], block.sizes[at], weights[at], *arrays, lead)
        for a, b in pairwise((block.bounds[first : last + 1] - start).tolist()):
            yield Elected(
                predicted[a:b],
                shares[a:b] if scores else None,
                lead[a:b] if weights is not None else None,
            )
        first = last
