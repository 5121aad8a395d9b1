"""Rates: coverage, size and power counted from draws, each with its Monte Carlo error."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from referee.core.arrays import Floats
from referee.core.results import Target
from referee.intervals.catalogue import AREA_INTERVALS
from referee.study.calibration.cell import (
    Cell,
    GroupCell,
    LossCell,
    NullCell,
    PairCell,
    RankingCell,
    RiskCell,
)
from referee.study.calibration.draws import Draws, planned_of
from referee.study.calibration.fixed.enumerated import Enumerated
from referee.study.calibration.limits import LEVEL, Share, counted, coverage, reach_of_mean
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

__all__ = ["Rate", "of_enumeration", "rates_of"]

_ENOUGH_TO_ADJUST = 100
"""Pairs of equal learners from which a level can be read."""

_RIVAL = "corrected-t"
"""The test whose power at equal size others are held against."""


@dataclass(frozen=True, kw_only=True)
class Rate:
    """How often a method was right in one cell.

    Attributes
    ----------
    section : str
        risk, groups, fixed, test set, auc, learners or permutation.
    method, by, target : str
        The method, the scheme it reads, and what it is held against.
    quantity : {"coverage", "size", "power", "adjusted power", "adjusted gain"}
    value : float
        The rate; by enumeration the worst one over the unknown shares.
    error, low, high : float
        Monte Carlo standard error and 95 % limits, which hold whenever the study stops; 0 and the
        value itself by enumeration.
    width, relative_width, relative_error : float
        Mean width, that over the mean width of effective-jeffreys on the same data sets, and the
        Monte Carlo error of this ratio.
    truth : float
        What was to be covered, on average.
    collapsed : float
        Share of data sets in which a learner answered one class only.
    repetitions, planned : int
        Data sets, and how many were decided on before the first; 0 by enumeration.
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
    planned: int = 0
    note: str = ""

    def row(self) -> dict[str, Any]:
        """Return it as a row of the table, in six digits, so that a file holds just that."""
        return {
            name: float(f"{value:.6g}") if isinstance(value, float) else value
            for name, value in asdict(self).items()
        }


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

    def probe(self, name: str) -> Probe:
        return next(p for p in probes_of(self.cell) if p.name == name)

    def planned(self, name: str) -> int:
        return planned_of(self.probe(name), self.repetitions)

    def __call__(self, name: str) -> pd.DataFrame:
        probe = self.probe(name)
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
        planned = read.planned(method.by)
        share = _of_target(method, low, high, risk, truth["risk"].to_numpy(), planned)
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
            planned=planned,
            note="groups are ignored" if grouped and not method.grouped else "",
            relative_width=relative[0],
            relative_error=relative[1],
            **share._asdict(),
        )


def _unlike_default(method: IntervalMethod) -> bool:
    """Tell methods that are of no interest where rows come in groups."""
    return not (method.grouped or method == REFERENCE[Target.CONDITIONAL])


def _of_target(
    method: IntervalMethod, low: Floats, high: Floats, risk: Floats, every: Floats, planned: int
) -> Share:
    if method.target is Target.CONDITIONAL:
        return coverage(low, high, risk, planned=planned)
    spread = float(np.std(every, ddof=1) / math.sqrt(len(every)))
    return coverage(low, high, np.full(len(low), every.mean()), spread, planned=planned)


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
            planned=read.planned(test.by),
            collapsed=collapsed,
            note=f"a learner collapsed in {collapsed:.0%}" if collapsed else "",
            **_rejected(table[test.name], cell.equal, read.planned(test.by))._asdict(),
        )
        if not cell.equal:
            yield from _adjusted(cell, test, read, table)


def _adjusted(
    cell: PairCell, test: LearnerTest, read: _Read, table: pd.DataFrame
) -> Iterator[Rate]:
    """Yield the power at the level at which the test rejects 5 % of equal learners of the kind.

    And what is gained over the corrected t where both saw the same data sets.
    """
    columns = read.probe(test.by).columns
    name = cell.name.replace("power:", "equal:", 1)
    null = read.draws.of(name, test.by, columns, read.repetitions)
    if len(null) < _ENOUGH_TO_ADJUST:
        return
    pair = [test.name, _RIVAL] if test.name != _RIVAL and _RIVAL in columns else [test.name]
    under, over = null[pair].to_numpy(), table[pair].to_numpy()
    rng = np.random.default_rng(zlib.crc32(f"{cell.name} {test.name}".encode()))
    value = _at_size(under, over)
    drawn = np.array([_at_size(rng.choice(under, len(under)), rng.choice(over, len(over)))
                      for _ in range(400)])  # fmt: skip
    repetitions, planned = min(len(table), len(null)), read.planned(test.by)
    reach = reach_of_mean(repetitions, repetitions >= planned)
    figures = [("adjusted power", value[0], drawn[:, 0])]
    if len(pair) == 2:
        figures.append(("adjusted gain", value[0] - value[1], drawn[:, 0] - drawn[:, 1]))
    for quantity, figure, replicates in figures:
        error = float(np.std(replicates, ddof=1))
        yield Rate(
            section="learners",
            method=test.name,
            by="10-fold" if test.first_pass else test.by,
            target="expected",
            cell=cell.name,
            origin=cell.origin,
            n=cell.n,
            quantity=quantity,
            repetitions=repetitions,
            planned=planned,
            note=f"at the level at which {len(null)} pairs of equal learners are told apart in 5 %",
            value=float(figure),
            error=error,
            low=max(0.0 if quantity == "adjusted power" else -1.0, float(figure) - reach * error),
            high=min(1.0, float(figure) + reach * error),
        )


def _at_size(null: Floats, p_values: Floats) -> Floats:
    """Return the share of p-values at or below the 5 % quantile of those under the null.

    A column for each test.
    """
    level = np.quantile(null, 1 - LEVEL, axis=0)
    return np.asarray(np.mean(p_values <= level + 1e-12, axis=0))


def _rejected(p_values: pd.Series[float], equal: bool, planned: int) -> Share:
    hits = p_values.to_numpy() <= 1 - LEVEL + 1e-12
    return counted(hits, "size" if equal else "power", planned=planned)


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
            planned=read.planned("permutation"),
            **_rejected(
                table["permutation-labels"], cell.equal, read.planned("permutation")
            )._asdict(),
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
            planned=read.planned("ranking"),
            **coverage(
                low, high, np.full(len(table), cell.auc), planned=read.planned("ranking")
            )._asdict(),
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
            planned=read.planned("test set"),
            **coverage(
                low, high, np.full(len(table), cell.error), planned=read.planned("test set")
            )._asdict(),
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
