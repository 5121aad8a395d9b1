"""Rates: coverage, size and power counted from draws, each with its Monte Carlo error."""

from __future__ import annotations

import math
import sys
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from referee.core.arrays import Flags, Floats
from referee.core.results import Target
from referee.intervals.catalogue import AREA_INTERVALS
from referee.intervals.sequential.beta_binomial import beta_binomial_at
from referee.study.calibration.cell import (
    Cell,
    GroupCell,
    LossCell,
    NullCell,
    PairCell,
    RankingCell,
    RiskCell,
)
from referee.study.calibration.draws import Draws
from referee.study.calibration.enumerated import Enumerated
from referee.study.calibration.methods import (
    REFERENCE,
    IntervalMethod,
    LearnerTest,
    interval_methods,
    learner_tests,
)
from referee.study.calibration.probe import Probe, probes_of, tested_intervals

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "LEVEL",
    "Rate",
    "Share",
    "counted",
    "coverage",
    "of_enumeration",
    "rates_of",
    "reach_at_all_times",
]

_ENOUGH_TO_ADJUST = 100
"""Pairs of equal learners from which a level can be read."""

LEVEL = 0.95
"""The nominal level of all intervals; tests are at 1 - LEVEL."""


@dataclass(frozen=True, kw_only=True)
class Rate:
    """How often a method was right in one cell.

    Attributes
    ----------
    section : str
        risk, groups, fixed, test set, auc, learners or permutation.
    method, by, target : str
        The method, the scheme it reads, and what it is held against.
    quantity : {"coverage", "size", "power", "adjusted power"}
    value : float
        The rate; by enumeration the worst one over the unknown shares.
    error, low, high : float
        Monte Carlo standard error and 95 % limits, which hold at every number of repetitions at
        once; 0 and the value itself by enumeration.
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


_EXPECTED = {"coverage": (38.0, 2.0), "size": (2.0, 38.0), "power": (1.0, 1.0)}
"""Beta priors of the limits: sharp about .95 and .05, and valid wherever the truth lies."""


def counted(hits: Flags, quantity: str = "coverage") -> Share:
    """Return the share of hits with limits that hold at every number of data sets at once.

    A study goes on until a promise is decided, and stops because of what it saw: limits for a
    number of data sets fixed in advance would then fail too often. These belong to the
    beta-binomial confidence sequence, mixed over rates near the one that is hoped for.

    Examples
    --------
    >>> [round(x, 3) for x in counted(np.arange(200) < 190)]
    [0.95, 0.016, 0.895, 0.982]
    """
    n, x = len(hits), int(np.sum(hits))
    a, b = _EXPECTED[quantity]
    # One hit and one miss more: no error of 0 where every repetition was a hit.
    share = (x + 1) / (n + 2)
    limits = beta_binomial_at(x, n, a=a, b=b)
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
    share = counted((low <= truth) & (truth <= high))
    if spread == 0:
        return share
    sides = [np.mean((low <= t) & (t <= high)) for t in (truth - spread, truth + spread)]
    extra = max(abs(float(side) - share.value) for side in sides)
    below, above = share.value - share.low, share.high - share.value
    return Share(
        share.value,
        math.hypot(share.error, extra),
        max(0.0, share.value - math.hypot(below, 2 * extra)),
        min(1.0, share.value + math.hypot(above, 2 * extra)),
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
    elif isinstance(cell, LossCell):
        yield from _of_test_sets(cell, read)


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
    for test in learner_tests():
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
            **_rejected(table[test.name], "size" if cell.equal else "power")._asdict(),
        )
        if not cell.equal:
            yield from _adjusted(cell, test, read, table)


def _adjusted(
    cell: PairCell, test: LearnerTest, read: _Read, table: pd.DataFrame
) -> Iterator[Rate]:
    """Yield the power at the level at which the test rejects 5 % of equal learners of the kind."""
    columns = next(p.columns for p in probes_of(cell) if p.name == test.by)
    name = cell.name.replace("power:", "equal:", 1)
    null = read.draws.of(name, test.by, columns, sys.maxsize)
    if len(null) < _ENOUGH_TO_ADJUST:
        return
    under, over = (t[test.name].to_numpy() for t in (null, table))
    rng = np.random.default_rng(zlib.crc32(f"{cell.name} {test.name}".encode()))
    drawn = [
        _at_size(rng.choice(under, len(under)), rng.choice(over, len(over))) for _ in range(400)
    ]
    value, error = _at_size(under, over), float(np.std(drawn, ddof=1))
    reach = reach_at_all_times(len(table)) * error
    yield Rate(
        section="learners",
        method=test.name,
        by="10-fold" if test.first_pass else test.by,
        target="expected",
        cell=cell.name,
        origin=cell.origin,
        n=cell.n,
        quantity="adjusted power",
        repetitions=len(table),
        note=f"at the level at which {len(null)} pairs of equal learners are told apart in 5 %",
        value=value,
        error=error,
        low=max(0.0, value - reach),
        high=min(1.0, value + reach),
    )


def _at_size(null: Floats, p_values: Floats) -> float:
    """Return the share of p-values at or below the 5 % quantile of those under the null."""
    return float(np.mean(p_values <= np.quantile(null, 1 - LEVEL) + 1e-12))


def reach_at_all_times(n: float, settled: float = 200.0) -> float:
    """Return by how many standard errors the limits of a mean lie apart from it.

    Robbins' normal mixture, sharpest from about `settled` data sets on: such limits hold at every
    number of them at once, where 1.96 is for one that is fixed in advance.

    Examples
    --------
    >>> [round(reach_at_all_times(n), 2) for n in (50, 200, 1000, 5000)]
    [5.57, 3.66, 3.06, 3.1]
    """
    return math.sqrt((1 + settled / n) * (math.log1p(n / settled) - 2 * math.log(1 - LEVEL)))


def _rejected(p_values: pd.Series[float], quantity: str) -> Share:
    return counted(p_values.to_numpy() <= 1 - LEVEL + 1e-12, quantity)


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
            **_rejected(table["permutation-labels"], "size" if cell.equal else "power")._asdict(),
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


def _of_test_sets(cell: LossCell, read: _Read) -> Iterator[Rate]:
    table = read("test set")
    if len(table) < 2:
        return
    for name in tested_intervals():
        low, high = (table[f"{name} {end}"].to_numpy() for end in ("low", "high"))
        if np.isnan(low).any():
            continue
        yield Rate(
            section="test set",
            method=name,
            by="test set",
            target="fixed",
            cell=cell.name,
            origin=cell.origin,
            n=cell.n,
            quantity="coverage",
            width=float(np.mean(high - low)),
            truth=cell.error,
            repetitions=len(table),
            **coverage(low, high, np.full(len(table), cell.error))._asdict(),
        )


def of_enumeration(enumerated: Enumerated) -> Rate:
    """Return what enumeration found as a rate: the worst over the unknown shares."""
    return Rate(
        section="fixed",
        method=enumerated.method,
        by="test set",
        target="fixed",
        cell=f"every share, n {enumerated.cases or enumerated.n}",
        origin="fresh",
        n=enumerated.n,
        quantity=enumerated.quantity,
        value=enumerated.worst,
        error=0.0,
        low=enumerated.worst,
        high=enumerated.worst,
        width=enumerated.width,
        note=f"worst at {enumerated.where}; mean {enumerated.mean:.3f}",
    )
