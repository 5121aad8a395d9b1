"""Rates: coverage, size and power counted from draws, each with its Monte Carlo error."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from referee.core.arrays import Flags, Floats
from referee.core.results import Target
from referee.intervals.catalogue import AREA_INTERVALS
from referee.intervals.one_set.proportion import clopper_pearson
from referee.study.calibration.cell import (
    Cell,
    GroupCell,
    NullCell,
    PairCell,
    RankingCell,
    RiskCell,
)
from referee.study.calibration.draws import Draws
from referee.study.calibration.exact import PAIRED_TESTS, Enumerated
from referee.study.calibration.methods import REFERENCE, TESTS, IntervalMethod, interval_methods
from referee.study.calibration.probe import Probe, probes_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["LEVEL", "Rate", "Share", "counted", "coverage", "of_enumeration", "rates_of"]

LEVEL = 0.95
"""The nominal level of all intervals; tests are at 1 - LEVEL."""


@dataclass(frozen=True, kw_only=True)
class Rate:
    """How often a method was right in one cell.

    Attributes
    ----------
    section : str
        risk, groups, fixed, auc, learners or permutation.
    method, by, target : str
        The method, the scheme it reads, and what it is held against.
    quantity : {"coverage", "size", "power"}
    value : float
        The rate; by enumeration the worst one over the unknown shares.
    error, low, high : float
        Monte Carlo standard error and 95 % limits; 0 and the value itself by enumeration.
    width, relative_width, relative_error : float
        Mean width, that over the mean width of effective-jeffreys on the same data sets, and the
        Monte Carlo error of this ratio.
    truth : float
        What was to be covered, on average.
    collapsed : float
        Share of data sets in which a learner answered one class only.
    repetitions : int
        Data sets; 0 by enumeration.
    note : str
        What else must be known.
    """

    section: str
    method: str
    by: str
    target: str
    cell: str
    origin: str
    n: int
    quantity: str
    value: float
    error: float
    low: float
    high: float
    width: float = math.nan
    relative_width: float = math.nan
    relative_error: float = math.nan
    truth: float = math.nan
    collapsed: float = 0.0
    repetitions: int = 0
    note: str = ""

    def row(self) -> dict[str, Any]:
        """Return it as a row of the table, in six digits, so that a file holds just that."""
        return {
            name: float(f"{value:.6g}") if isinstance(value, float) else value
            for name, value in asdict(self).items()
        }


class Share(NamedTuple):
    """A share of repetitions with its Monte Carlo error and 95 % limits."""

    value: float
    error: float
    low: float
    high: float


def counted(hits: Flags) -> Share:
    """Return the share of hits with exact limits.

    Examples
    --------
    >>> [round(x, 3) for x in counted(np.arange(200) < 190)]
    [0.95, 0.016, 0.91, 0.976]
    """
    n, x = len(hits), int(np.sum(hits))
    # One hit and one miss more: no error of 0 where every repetition was a hit.
    share = (x + 1) / (n + 2)
    limits = clopper_pearson(x, n)
    return Share(x / n, math.sqrt(share * (1 - share) / n), limits.low, limits.high)


def coverage(low: Floats, high: Floats, truth: Floats, spread: float = 0.0) -> Share:
    """Return how often intervals hold the truth.

    Parameters
    ----------
    low, high, truth : arrays
        Ends and truth, data set by data set.
    spread : float
        Monte Carlo error of a truth that is itself a mean; what the coverage changes by when the
        truth is so much lower or higher is added to the error.
    """
    made = counted((low <= truth) & (truth <= high))
    if spread == 0:
        return made
    sides = [np.mean((low <= t) & (t <= high)) for t in (truth - spread, truth + spread)]
    extra = max(abs(float(side) - made.value) for side in sides)
    below, above = made.value - made.low, made.high - made.value
    return Share(
        made.value,
        math.hypot(made.error, extra),
        max(0.0, made.value - math.hypot(below, 2 * extra)),
        min(1.0, made.value + math.hypot(above, 2 * extra)),
    )


def rates_of(cell: Cell, draws: Draws, repetitions: int) -> Iterator[Rate]:
    """Yield every rate that the draws of a cell give."""
    read = _Read(cell, draws, repetitions)
    if isinstance(cell, RiskCell):
        yield from _of_intervals(cell, read)
    elif isinstance(cell, PairCell):
        yield from _of_tests(cell, read)
    elif isinstance(cell, NullCell):
        yield from _of_permutations(cell, read)
    elif isinstance(cell, RankingCell):
        yield from _of_rankings(cell, read)


@dataclass(frozen=True)
class _Read:
    """The draws of one cell."""

    cell: Cell
    draws: Draws
    repetitions: int

    def __call__(self, name: str) -> pd.DataFrame:
        probe: Probe = next(p for p in probes_of(self.cell) if p.name == name)
        return self.draws.of(self.cell.name, name, probe.columns, self.repetitions)


def _of_intervals(cell: RiskCell, read: _Read) -> Iterator[Rate]:
    truth = read("truth").set_index("repetition")
    grouped = isinstance(cell, GroupCell)
    known = {p.name for p in probes_of(cell)}
    for method in interval_methods():
        if method.by not in known or (grouped and _unlike_default(method)):
            continue
        table = read(method.by).set_index("repetition")
        common = table.index.intersection(truth.index)
        if len(common) < 2:
            continue
        low, high = (table.loc[common, f"{method.column} {e}"].to_numpy() for e in ("low", "high"))
        risk = truth.loc[common, "risk"].to_numpy()
        share = _of_target(method, low, high, risk, truth["risk"].to_numpy())
        relative = _relative(method, read, common, high - low)
        yield Rate(
            section="groups" if grouped else "risk",
            method=method.name,
            by=method.scheme,
            target=method.target.value,
            cell=cell.name,
            origin=cell.origin,
            n=cell.n,
            quantity="coverage",
            width=float(np.mean(high - low)),
            truth=float(np.mean(truth["risk"])),
            repetitions=len(common),
            note="groups are ignored" if grouped and not method.grouped else "",
            relative_width=relative[0],
            relative_error=relative[1],
            **share._asdict(),
        )


def _unlike_default(method: IntervalMethod) -> bool:
    """Tell methods that are of no interest where rows come in groups."""
    return not (method.grouped or method == REFERENCE[Target.CONDITIONAL])


def _of_target(
    method: IntervalMethod, low: Floats, high: Floats, risk: Floats, every: Floats
) -> Share:
    if method.target is Target.CONDITIONAL:
        return coverage(low, high, risk)
    spread = float(np.std(every, ddof=1) / math.sqrt(len(every)))
    return coverage(low, high, np.full(len(low), every.mean()), spread)


def _relative(
    method: IntervalMethod, read: _Read, common: Any, width: Floats
) -> tuple[float, float]:
    """Return the mean width over that of our interval on the same data sets, and its error."""
    ours = REFERENCE[method.target]
    if isinstance(read.cell, GroupCell):
        return math.nan, math.nan
    table = read(ours.by).set_index("repetition")
    both = common.intersection(table.index)
    if len(both) < 2:
        return math.nan, math.nan
    reference = (table[f"{ours.column} high"] - table[f"{ours.column} low"]).loc[both].to_numpy()
    mine = width[common.isin(both)]
    ratio = float(mine.mean() / reference.mean())
    error = float(np.std(mine - ratio * reference, ddof=1) / math.sqrt(len(both)))
    return ratio, error / float(reference.mean())


def _of_tests(cell: PairCell, read: _Read) -> Iterator[Rate]:
    for test in TESTS:
        table = read(test.by)
        if len(table) < 2:
            continue
        collapsed = float(table["collapsed"].mean())
        yield Rate(
            section="learners",
            method=test.name,
            by="10-fold" if test.first_pass else test.by,
            target="expected",
            cell=cell.name,
            origin=cell.origin,
            n=cell.n,
            quantity="size" if cell.equal else "power",
            repetitions=len(table),
            collapsed=collapsed,
            note=f"a learner collapsed in {collapsed:.0%}" if collapsed else "",
            **_rejected(table[test.name])._asdict(),
        )


def _rejected(p_values: pd.Series[float]) -> Share:
    return counted(p_values.to_numpy() <= 1 - LEVEL + 1e-12)


def _of_permutations(cell: NullCell, read: _Read) -> Iterator[Rate]:
    table = read("permutation")
    if len(table) >= 2:
        yield Rate(
            section="permutation",
            method="permutation-labels",
            by="5-fold",
            target="expected",
            cell=cell.name,
            origin=cell.origin,
            n=cell.n,
            quantity="size" if cell.equal else "power",
            repetitions=len(table),
            **_rejected(table["permutation-labels"])._asdict(),
        )


def _of_rankings(cell: RankingCell, read: _Read) -> Iterator[Rate]:
    table = read("ranking")
    if len(table) < 2:
        return
    for name in AREA_INTERVALS:
        low, high = (table[f"{name} {end}"].to_numpy() for end in ("low", "high"))
        yield Rate(
            section="auc",
            method=name,
            by="test set",
            target="fixed",
            cell=cell.name,
            origin=cell.origin,
            n=cell.n,
            quantity="coverage",
            width=float(np.nanmean(high - low)),
            truth=cell.auc,
            repetitions=len(table),
            **coverage(low, high, np.full(len(table), cell.auc))._asdict(),
        )


def of_enumeration(made: Enumerated) -> Rate:
    """Return what enumeration found as a rate: the worst over the unknown shares."""
    return Rate(
        section="fixed",
        method=made.method,
        by="test set",
        target="fixed",
        cell=f"every share, n {made.n}",
        origin="fresh",
        n=made.n,
        quantity="size" if made.method in PAIRED_TESTS else "coverage",
        value=made.worst,
        error=0.0,
        low=made.worst,
        high=made.worst,
        width=made.width,
        note=f"worst at {made.where}; mean {made.mean:.3f}",
    )
