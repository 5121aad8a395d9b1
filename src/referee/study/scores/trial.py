"""One cell tried: how often each interval holds the truth, and how wide it is."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy import special

from referee.core.arrays import Codes, Floats
from referee.core.randomness import Seed, child
from referee.core.results import Interval
from referee.core.scores.scores import ItemScores
from referee.intervals.difference.paired import bonett_price
from referee.intervals.scores.catalogue import MEAN_INTERVALS, mean_interval
from referee.intervals.scores.cluster_t import cluster_t
from referee.measures.formulas.paired_counts import PairedCounts
from referee.significance.paired.paired_scores import paired_scores
from referee.study.scores.cells import ScoreCell
from referee.study.scores.laws import cluster_codes, drawn_items

__all__ = ["Rate", "tried"]

LEVEL = 0.95
DEFAULT, PLAIN, CLUSTERED, UNPAIRED, T = "default", "plain CLT", "clustered CLT", "unpaired z", "t"
_BLOCK = 2_000_000
"""Most scores drawn at once."""


@dataclass(frozen=True, kw_only=True)
class Rate:
    """What one interval did in one cell.

    Attributes
    ----------
    cell : ScoreCell
    method : str
        "default", or the form of another tool.
    used : str
        The interval the default was, mostly.
    covered : float
        The share of data sets whose interval held the truth.
    width : float
        The mean width.
    repetitions : int
        Data sets.
    """

    cell: ScoreCell
    method: str
    used: str
    covered: float
    width: float
    repetitions: int

    @property
    def error(self) -> float:
        """The Monte Carlo standard error of the coverage, of a share that is not quite 0 or 1."""
        n = self.repetitions
        p = (self.covered * n + 1) / (n + 2)
        return math.sqrt(p * (1 - p) / n)


class _Ends(NamedTuple):
    """Lower and upper ends of one form, a number for each data set."""

    low: Floats
    high: Floats


def tried(cell: ScoreCell, repetitions: int, seed: Seed, methods: Sequence[str] = ()) -> list[Rate]:
    """Return the coverage of every form in one cell, all of them on the same data sets.

    `methods` are names of `MEAN_INTERVALS` to be tried besides, in cells that they do not refuse.
    """
    rng = np.random.default_rng(child(seed, _number(cell)))
    code = None
    if cell.clusters:
        fresh = cell.origin in ("fresh", "confirming")
        code = cluster_codes(cell.n, cell.clusters, unequal=cell.unequal, fresh=fresh)
    forms = _of_difference if cell.other is not None else partial(_of_mean, methods=methods)
    held: dict[str, list[Floats]] = {}
    wide: dict[str, list[Floats]] = {}
    used: dict[str, int] = {}
    slack = 1e-12 * max(1.0, abs(cell.truth))
    for one, two in _data_sets(cell, code, repetitions, rng):
        for method, ends in forms(cell, code, one, two, used):
            inside = (ends.low - slack <= cell.truth) & (cell.truth <= ends.high + slack)
            held.setdefault(method, []).append(inside.astype(float))
            wide.setdefault(method, []).append(ends.high - ends.low)
    common = max(used, key=lambda name: used[name])
    return [
        Rate(
            cell=cell,
            method=method,
            used=common if method == DEFAULT else "",
            covered=float(np.mean(np.concatenate(held[method]))),
            width=float(np.mean(np.concatenate(wide[method]))),
            repetitions=repetitions,
        )
        for method in held
    ]


def _number(cell: ScoreCell) -> int:
    """Return a number that belongs to the cell, whatever other cells are tried."""
    return sum((i + 1) * ord(c) for i, c in enumerate(cell.key)) % 2**31


def _data_sets(
    cell: ScoreCell, code: Codes | None, repetitions: int, rng: np.random.Generator
) -> Iterator[tuple[Floats, Floats | None]]:
    """Draw data sets in blocks, a row each; the scores of one model or of two."""
    at_once = max(1, min(repetitions, _BLOCK // (cell.n * cell.runs)))
    for start in range(0, repetitions, at_once):
        shape = (min(at_once, repetitions - start), cell.n)
        yield _drawn(cell, code, shape, rng)


def _drawn(
    cell: ScoreCell, code: Codes | None, shape: tuple[int, int], rng: np.random.Generator
) -> tuple[Floats, Floats | None]:
    manner: dict[str, Any] = {
        "clusters": code,
        "alike": cell.alike,
        "runs": cell.runs,
        "origin": cell.origin,
    }
    one = drawn_items(cell.law, rng, shape, **manner)
    if cell.other is None:
        return one, None
    two = drawn_items(cell.other, rng, shape, **manner)
    return _tied(one, two, cell, code, rng)


def _tied(
    one: Floats, two: Floats, cell: ScoreCell, code: Codes | None, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Let two models do alike on one item: each item's scores come from shared luck or not.

    Where both models have one law the second copies the first on a random share of items (whole
    clusters keep their likeness); where they have two, scores are put in the same order there.
    """
    same = rng.random(one.shape) < cell.shared
    if cell.twice:
        return one, np.where(same, one, two)
    both = cell.law.right is not None and cell.other is not None and cell.other.right is not None
    if both and cell.runs == 1:
        return one, np.where(same, _thinned(one, cell, rng), two)
    return one, two


def _thinned(one: Floats, cell: ScoreCell, rng: np.random.Generator) -> Floats:
    """Return 0/1 scores of the second law's share, as near to the first's as can be."""
    assert cell.other is not None
    p, q = float(cell.law.right or 0), float(cell.other.right or 0)
    u = rng.random(one.shape)
    if q <= p:
        return np.asarray(one * (u < q / p), dtype=float)
    return np.asarray(np.maximum(one, u < (q - p) / (1 - p)), dtype=float)


def _of_mean(
    cell: ScoreCell,
    code: Codes | None,
    one: Floats,
    two: Floats | None,
    used: dict[str, int],
    methods: Sequence[str] = (),
) -> Iterator[tuple[str, _Ends]]:
    rows = [
        ItemScores(
            values=values,
            cluster=code,
            low=cell.law.low,
            high=cell.law.high,
            single=cell.runs == 1,
        )
        for values in one
    ]
    yield DEFAULT, _ends([_automatic(items) for items in rows], used)
    yield T, _ends([cluster_t(items, LEVEL) for items in rows], {})
    yield PLAIN, _clt(one, None)
    if code is not None:
        yield CLUSTERED, _clt(one, code)
    for name in methods:
        if all(MEAN_INTERVALS[name].refusal(items) is None for items in rows):
            yield name, _ends([mean_interval(items, LEVEL, name) for items in rows], {})


def _ends(intervals: list[Interval], used: dict[str, int]) -> _Ends:
    for interval in intervals:
        used[interval.method] = used.get(interval.method, 0) + 1
    return _Ends(np.array([i.low for i in intervals]), np.array([i.high for i in intervals]))


def _clt(rows: Floats, code: Codes | None) -> _Ends:
    """Return the mean and 1.96 standard errors, as other tools print them.

    s² / n, or the sum of squared cluster sums over n².
    """
    n = rows.shape[1]
    mean = rows.mean(axis=1)
    if code is None:
        se = rows.std(axis=1, ddof=1) / math.sqrt(n)
    else:
        member = np.zeros((n, int(code.max()) + 1))
        member[np.arange(n), code] = 1
        se = np.sqrt((((rows - mean[:, None]) @ member) ** 2).sum(axis=1)) / n
    half = float(special.ndtri((1 + LEVEL) / 2)) * se
    return _Ends(mean - half, mean + half)


def _automatic(items: ItemScores) -> Interval:
    if not items.bounded and np.all(items.values == items.values[0]):
        # No interval is made there; it holds nothing.
        return Interval(low=math.inf, high=math.inf, level=LEVEL, method="none")
    return mean_interval(items, LEVEL)


def _of_difference(
    cell: ScoreCell, code: Codes | None, one: Floats, two: Floats | None, used: dict[str, int]
) -> Iterator[tuple[str, _Ends]]:
    assert two is not None
    yield DEFAULT, _ends([_paired(cell, code, a, b) for a, b in zip(one, two, strict=True)], used)
    yield UNPAIRED, _unpaired_z(one, two)
    yield PLAIN, _clt(one - two, None)
    if code is not None:
        yield CLUSTERED, _clt(one - two, code)


def _paired(cell: ScoreCell, code: Codes | None, one: Floats, two: Floats) -> Interval:
    if cell.law.right is not None and cell.runs == 1 and code is None:
        interval = bonett_price(PairedCounts.of(one < 0.5, two < 0.5), LEVEL)
        return replace(interval, low=-interval.high, high=-interval.low)
    spread = cell.law.high - cell.law.low
    items = ItemScores(
        values=one - two, cluster=code, low=-spread, high=spread, single=cell.runs == 1
    )
    return paired_scores(items).interval(LEVEL)


def _unpaired_z(one: Floats, two: Floats) -> _Ends:
    """Return what lm-evaluation-harness' model comparator takes: two standard errors, added."""
    n = one.shape[1]
    se = np.sqrt((one.var(axis=1, ddof=1) + two.var(axis=1, ddof=1)) / n)
    half, value = float(special.ndtri((1 + LEVEL) / 2)) * se, one.mean(axis=1) - two.mean(axis=1)
    return _Ends(value - half, value + half)
