"""Promises: what the methods are said to keep, held against the measured rates.

A promise is met when the 95 % limits of what was measured lie on the right side of its bound, not
met when they lie on the wrong side, and not decided otherwise: more repetitions would tell.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from referee.core.dataset import Dataset
from referee.core.plan import Part
from referee.core.results import Target
from referee.core.situation import Situation
from referee.intervals.catalogue import AREA_INTERVALS, DIFFERENCE_INTERVALS, RISK_INTERVALS
from referee.significance.catalogue import COMPARISON_TESTS
from referee.significance.comparison_test import ComparisonSituation
from referee.study.calibration.limits import reach_of_mean
from referee.study.calibration.methods import REFERENCE, SCHEMES

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["COLLAPSE", "Kept", "Promise", "judged"]

_HAIR = 1e-9

COLLAPSE = 0.05
"""Where a learner answers one class only more often than this, no size is promised."""


class Kept(StrEnum):
    """Whether a promise is kept."""

    MET = "met"
    NOT_MET = "not met"
    UNDECIDED = "not decided"


@dataclass(frozen=True, kw_only=True)
class Promise:
    """One promise, or one cell of it, and what was measured.

    Attributes
    ----------
    point : int
        Its number among the promises (docs/methods.md).
    method, text : str
        Whose promise, and what it says.
    cell : str
        Where; empty for a promise about all cells.
    bound : str
        What is promised, with the direction.
    value, low, high : float
        What was measured, with 95 % limits.
    kept : Kept
    """

    point: int
    method: str
    text: str
    cell: str
    bound: str
    value: float
    low: float
    high: float
    kept: Kept


def judged(table: pd.DataFrame) -> list[Promise]:
    """Return every promise that the table can judge, point by point."""
    return [*_fixed(table), *_conditional(table), *_expected(table), *_tests(table), *_auc(table)]


def at_least(bound: float, low: float, high: float) -> Kept:
    """Judge limits against a least value.

    Examples
    --------
    >>> [at_least(0.92, *limits).value for limits in ((0.93, 0.99), (0.9, 0.95), (0.8, 0.9))]
    ['met', 'not decided', 'not met']
    """
    if low >= bound - _HAIR:
        return Kept.MET
    return Kept.NOT_MET if high < bound - _HAIR else Kept.UNDECIDED


def at_most(bound: float, low: float, high: float) -> Kept:
    """Judge limits against a largest value."""
    return at_least(-bound, -high, -low)


def _fixed(table: pd.DataFrame) -> Iterator[Promise]:
    rows = table[table.section == "fixed"]
    one, two = Situation(n=50), ComparisonSituation(n=50)
    apart = replace(two, paired=False)
    intervals = [RISK_INTERVALS.choose(one), *map(DIFFERENCE_INTERVALS.choose, (two, apart))]
    text = "coverage at least .950 for every p and n"
    for interval in intervals:
        yield from _cells(1, text, rows[rows.method == interval.name], 0.95, at_least)
    text = "size at most .050 for every share and n"
    for test in map(COMPARISON_TESTS.choose, (two, apart)):
        yield from _cells(1, text, rows[rows.method == test.name], 0.05, at_most)


def _default(table: pd.DataFrame, target: str) -> pd.DataFrame:
    """Return the rows of our interval over 10 x 10-fold cross-validation in fresh cells."""
    return table[
        (table.section == "risk")
        & (table.origin == "fresh")
        & (table.method == "effective-jeffreys")
        & (table.by == "10x10")
        & (table.target == target)
    ]


def _conditional(table: pd.DataFrame) -> Iterator[Promise]:
    rows = _default(table, "conditional")
    if rows.empty:
        return
    yield from _cells(2, "coverage at least .90 in every fresh cell", rows, 0.90, at_least)
    yield _share(rows)
    yield _mean(2, "mean coverage between .95 and .98", rows, 0.95, 0.98)
    yield _fits()
    yield from _narrower(table, rows, 2, "nested-cv", "no wider than nested-cv")


def _expected(table: pd.DataFrame) -> Iterator[Promise]:
    rows = _default(table, "expected")
    if rows.empty:
        return
    yield from _cells(3, "coverage at least .92 in every fresh cell", rows, 0.92, at_least)
    yield from _narrower(table, rows, 3, "conservative-z", "narrower than conservative-z")


def _tests(table: pd.DataFrame) -> Iterator[Promise]:
    ours = table[(table.section == "learners") & (table.method == "calibrated-t")]
    size = ours[ours.quantity == "size"]
    calm = size[size.collapsed <= COLLAPSE]
    if len(calm):
        yield from _cells(4, "size at most .07 where learners do not collapse", calm, 0.07, at_most)
        yield _mean(4, "mean size at most .05", calm, -math.inf, 0.05)
    yield from _power(ours[ours.quantity == "adjusted gain"])


def _power(gains: pd.DataFrame) -> Iterator[Promise]:
    """Judge the power at equal size: the corrected t rejects equal learners more often, too."""
    if gains.empty:
        return
    gain, reach = float(gains.value.mean()), _reach(gains) * _error_of_mean(gains.error)
    low, high = gain - reach, gain + reach
    yield Promise(
        point=4,
        method="calibrated-t",
        text="mean size-adjusted power at least that of corrected-t",
        cell="",
        bound="≥ 0",
        value=gain,
        low=low,
        high=high,
        kept=at_least(0.0, low, high),
    )


def _auc(table: pd.DataFrame) -> Iterator[Promise]:
    rows = table[(table.section == "auc") & (table.method == AREA_INTERVALS.automatic[0])]
    yield from _cells(5, "coverage at least .93 down to 10 + 10 at .98", rows, 0.93, at_least)


def _cells(
    point: int,
    text: str,
    rows: pd.DataFrame,
    bound: float,
    judge: Callable[[float, float, float], Kept],
) -> Iterator[Promise]:
    sign = "≥" if judge is at_least else "≤"
    for row in rows.to_dict("records"):
        yield Promise(
            point=point,
            method=row["method"],
            text=text,
            cell=row["cell"],
            bound=f"{sign} {bound:g}",
            value=row["value"],
            low=row["low"],
            high=row["high"],
            kept=judge(bound, row["low"], row["high"]),
        )


def _fits(most: int = 120) -> Promise:
    """Judge the number of fits of our interval, but for the one on all rows that is for use."""
    data = Dataset.of(np.zeros((100, 1)), np.arange(100) % 2)
    plan = SCHEMES[REFERENCE[Target.CONDITIONAL].by]().plan(data)
    fits = plan.fits - len(plan.part(Part.RESUBSTITUTION))
    return Promise(
        point=2,
        method="effective-jeffreys",
        text="at most 120 fits, besides the one on all rows",
        cell="",
        bound=f"≤ {most}",
        value=fits,
        low=fits,
        high=fits,
        kept=at_most(most, fits, fits),
    )


def _share(rows: pd.DataFrame, bound: float = 0.92, wanted: float = 0.95) -> Promise:
    """Judge in how many cells the coverage reaches a bound."""
    verdicts = [at_least(bound, low, high) for low, high in zip(rows.low, rows.high, strict=True)]
    low = float(np.mean([v is Kept.MET for v in verdicts]))
    high = 1 - float(np.mean([v is Kept.NOT_MET for v in verdicts]))
    return Promise(
        point=2,
        method="effective-jeffreys",
        text="coverage at least .92 in 95 % of the fresh cells",
        cell="",
        bound=f"≥ {wanted:g}",
        value=float(np.mean(rows.value >= bound)),
        low=low,
        high=high,
        kept=at_least(wanted, low, high),
    )


def _mean(point: int, text: str, rows: pd.DataFrame, least: float, most: float) -> Promise:
    value, reach = float(rows.value.mean()), _reach(rows) * _error_of_mean(rows.error)
    low, high = value - reach, value + reach
    sides = {at_least(least, low, high), at_most(most, low, high)}
    kept = next((k for k in (Kept.NOT_MET, Kept.UNDECIDED) if k in sides), Kept.MET)
    return Promise(
        point=point,
        method=str(rows.method.iloc[0]),
        text=text,
        cell="",
        bound=f"≤ {most:g}" if math.isinf(least) else f"{least:g} to {most:g}",
        value=value,
        low=low,
        high=high,
        kept=kept,
    )


def _error_of_mean(errors: pd.Series[float]) -> float:
    return float(np.sqrt(np.sum(errors.to_numpy() ** 2)) / len(errors))


def _reach(rows: pd.DataFrame) -> float:
    """Return by how many errors limits lie apart from a mean of rows."""
    return reach_of_mean(
        float(rows.repetitions.mean()), bool((rows.repetitions >= rows.planned).all())
    )


def _narrower(
    table: pd.DataFrame, ours: pd.DataFrame, point: int, other: str, text: str
) -> Iterator[Promise]:
    """Judge mean widths, cell by cell relative to ours."""
    rows = table[
        (table.method == other)
        & (table.target == ours.target.iloc[0])
        & table.cell.isin(ours.cell)
        & table.relative_width.notna()
    ]
    if rows.empty:
        return
    value = float(rows.relative_width.mean())
    reach = _reach(rows) * _error_of_mean(rows.relative_error)
    low, high = value - reach, value + reach
    yield Promise(
        point=point,
        method="effective-jeffreys",
        text=f"{text}: its mean width over ours",
        cell="",
        bound="≥ 1",
        value=value,
        low=low,
        high=high,
        kept=at_least(1.0, low, high),
    )
