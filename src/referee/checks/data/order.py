"""R004: rows stand in order of class or of time."""

from __future__ import annotations

import math
from math import lgamma

import numpy as np

from referee.checks.check import Check
from referee.checks.context import Context
from referee.core.arrays import Codes
from referee.core.dataset import Dataset
from referee.core.plan import Part, Plan
from referee.core.results import Finding, Severity
from referee.core.showing.numbers import percent
from referee.errors import arg

__all__ = ["ORDER", "check", "runs_z"]

_CERTAIN = 5.0
_CHANCE = 1e-3
_TELLING = 10
"""With fewer cases outside the largest class the number of changes is far from normal."""


def check(context: Context) -> Finding | None:
    """Report training on the future, rows sorted by class, or neighbours that are alike."""
    data, plan = context.data, context.plan
    if data is None or plan is None:
        return None
    if data.time is not None:
        return _future(data, plan)
    if data.labels:
        rising = _rising_column(data)
        return None if rising is None else _in_time(rising)
    if data.numeric:
        return _quantities_in_order(data)
    if int(np.sum(np.diff(data.codes) != 0)) == len(data.classes) - 1:
        return _sorted(data, plan)
    rising = _rising_column(data)
    if rising is not None:
        return _in_time(rising)
    z = runs_z(data.codes)
    if z > -_CERTAIN or data.n - data.class_counts.max() < _TELLING:
        return None
    seen, chance = _equal_neighbours(data)
    hidden = "time or batches" if data.groups is not None else "time, batches or groups"
    ways = arg("time") if data.groups is not None else f"{arg('time')} or {arg('groups')}"
    return ORDER.finding(
        f"{percent(seen)} of neighbouring rows share their class, in random order "
        f"{percent(chance)} would ({-z:.0f} standard deviations more), so the order may hide "
        f"{hidden}.",
        remedy=f"If so, pass {ways}; random splits are too kind to such data.",
    )


def _quantities_in_order(data: Dataset) -> Finding | None:
    """Report quantities that rise or fall from row to row, or that neighbours share."""
    rising = _rising_column(data)
    if rising is not None:
        return _in_time(rising)
    if data.n < 2 * _TELLING:
        return None
    away = data.y - data.y.mean()
    alike = float(away[:-1] @ away[1:]) / float(away @ away)
    z = (alike + 1 / data.n) * math.sqrt(data.n)
    if z < _CERTAIN:
        return None
    return ORDER.finding(
        (
            f"neighbouring rows have like targets far more often than chance allows (correlation "
            f"{alike:.2f}), so the order may hide time, batches or groups."
        ),
        remedy=(
            f"If so, pass {arg('time')} or {arg('groups')}; random splits are too kind to such "
            "data."
        ),
    )


def _equal_neighbours(data: Dataset) -> tuple[float, float]:
    """Return the share of neighbouring rows of one class, here and in random order."""
    sizes = data.class_counts.astype(float)
    chance = float(np.sum(sizes * (sizes - 1)) / (data.n * (data.n - 1)))
    return float(np.mean(np.diff(data.codes) == 0)), chance


def runs_z(codes: Codes) -> float:
    """Return how many standard deviations the number of class changes is above chance.

    The exact mean and variance over all orders of the rows (Barton and David 1957).

    Examples
    --------
    >>> runs_z(np.array([0] * 50 + [1] * 50)) < -9
    True
    >>> abs(runs_z(np.random.default_rng(0).integers(2, size=1000))) < 3
    True
    """
    n = len(codes)
    sizes = np.bincount(codes).astype(float)
    pairs = float(np.sum(sizes * (sizes - 1)))
    triples = float(np.sum(sizes * (sizes - 1) * (sizes - 2)))
    if n < 4:
        return 0.0
    mean = pairs / n
    # Var of the number of equal neighbours in a random order of the rows.
    disjoint = (pairs**2 - 4 * triples - 2 * pairs) / (n * (n - 1) * (n - 2) * (n - 3))
    second = (n - 2) * (n - 3) * disjoint + 2 * (n - 2) * triples / (n * (n - 1) * (n - 2)) + mean
    variance = second - mean**2
    if variance <= 1e-12:
        return 0.0
    equal = float(np.sum(np.diff(codes) == 0))
    return -(equal - mean) / math.sqrt(variance)


def _rising_column(data: Dataset) -> str | None:
    """Return a column of numbers that rises from row to row, as dates and serial numbers do."""
    if hasattr(data.X, "tocsr") or len(data.X.shape) < 2 or data.n < 2 * _TELLING:
        return None
    for position, name in enumerate(data.columns):
        column = data.X.iloc[:, position] if hasattr(data.X, "iloc") else data.X[:, position]
        values = np.asarray(column)
        if values.dtype.kind in "iuf" and np.all(np.diff(values) > 0):
            return name
    return None


def _in_time(column: str) -> Finding:
    return ORDER.finding(
        title="rows may be in order of time",
        message=f"column {column} rises from row to row, as a date or serial number does.",
        remedy=(
            f"If time matters, pass it as {arg('time')}; if it is a number of the row, drop the "
            "column."
        ),
    )


def _sorted(data: Dataset, plan: Plan) -> Finding | None:
    # A class of one case is missing wherever that case is tested, in whatever order rows stand.
    several = np.flatnonzero(data.class_counts > 1)
    main = plan.part(Part.MAIN)
    lacking = sum(not np.isin(several, data.codes[s.train]).all() for s in main)
    if not lacking and _chance_of_sorted(data) > _CHANCE:
        return None
    harm = f" {lacking} training sets lack a class." if lacking else ""
    return ORDER.finding(
        severity=Severity.SERIOUS if lacking else Severity.NOTE,
        title="rows are sorted by class",
        message=f"all rows of a class stand together.{harm}",
        remedy=(
            f"Shuffle the splits ({arg('by', 'cv')} does)."
            if lacking
            else "Harmless here: every training set has all classes."
        ),
    )


def _chance_of_sorted(data: Dataset) -> float:
    """Return how likely rows in random order would stand sorted by class."""
    ways = lgamma(len(data.classes) + 1) + sum(lgamma(m + 1) for m in data.class_counts)
    return math.exp(ways - lgamma(data.n + 1))


def _future(data: Dataset, plan: Plan) -> Finding | None:
    assert data.time is not None
    main = plan.part(Part.MAIN)
    early = 0
    for split in main:
        unseen = split.unseen
        early += bool(unseen.size and data.time[split.train].max() > data.time[unseen].min())
    if not early:
        return None
    return ORDER.finding(
        severity=Severity.SERIOUS,
        title="trained on the future",
        message=f"{early} of {len(main)} splits train on rows later than some they test.",
        remedy=(
            f"Use {arg('by', 'cv')} or {arg('by', 'holdout')}, which go forward in time when "
            f"{arg('time')} is given."
        ),
    )


ORDER = Check(
    "R004",
    title="rows are not in random order",
    compute=check,
    cause=(
        "Rows are sorted by class, rise with a date or serial number, share their class (or the "
        "size of their target) with their neighbours far more often than chance allows, or train "
        "on the future although times are given."
    ),
    remedy=lambda: f"Pass {arg('time')} or {arg('groups')}, or shuffle the splits.",
    severities=(Severity.NOTE, Severity.SERIOUS),
    needs_data=True,
)
