"""Probes: each draws a data set of a cell and returns the numbers that rates are counted from.

All probes of a cell see the same data sets, so that methods are compared on equal terms and a new
method can be added to an old run without repeating the others.
"""

from __future__ import annotations

import warnings
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from referee.comparing.pairs.learner_pair import learner_pair
from referee.comparing.question import Question
from referee.core.dataset import Dataset
from referee.core.plan import Part, Plan
from referee.core.predictions import Predictions
from referee.core.randomness import Seed, child
from referee.core.results import Interval, Target
from referee.core.situation import Situation
from referee.errors import Refusal
from referee.fitting.run import run
from referee.intervals.area.placements import placements
from referee.intervals.catalogue import AREA_INTERVALS, RISK_INTERVALS
from referee.intervals.risk import RiskInterval, RiskSample
from referee.judging.estimating.estimates import estimates
from referee.judging.settings import Settings
from referee.learners import model_from_name
from referee.measures import Losses, measure_named
from referee.permuting.permutation_test import permutation_test
from referee.significance.catalogue import COMPARISON_TESTS
from referee.study.calibration.cell import (
    Cell,
    GroupCell,
    LossCell,
    NullCell,
    PairCell,
    RankingCell,
    RiskCell,
)
from referee.study.calibration.methods import (
    REFERENCE,
    IntervalMethod,
    interval_methods,
    learner_tests,
    scheme_read,
)
from referee.study.training import trained
from referee.study.truth.true_risk import true_risk

__all__ = ["Probe", "first_pass", "probes_of", "tested_intervals"]

_TRUTH_DRAWS = 10_000
"""Cases from which a true risk without a formula is simulated."""

_PERMUTATIONS = 99


class Probe(Protocol):
    """What is done to every data set of a cell."""

    @property
    def name(self) -> str:
        """Unique among the probes of a cell."""

    @property
    def columns(self) -> tuple[str, ...]:
        """What the numbers are."""

    @property
    def share(self) -> float:
        """The share of the cell's repetitions that are probed; less than 1 for costly schemes."""

    def __call__(self, cell: Any, seed: Seed) -> list[float]:
        """Return the numbers of one data set."""


@dataclass(frozen=True)
class Truth:
    """The true risk of the learner trained on all rows, and its Monte Carlo error."""

    name: str = "truth"
    columns: tuple[str, ...] = ("risk", "risk error")
    share: float = 1.0

    def __call__(self, cell: RiskCell, seed: Seed) -> list[float]:
        """Train on all rows and compute or simulate the risk."""
        data = cell.sample(child(seed, 0))
        model = trained(cell.model, data.X, data.y, child(seed, 1)).model
        risk = true_risk(cell.task, model, n_samples=_TRUTH_DRAWS, random_state=child(seed, 2))
        return [risk.value, max(risk.standard_error, risk.error)]


@dataclass(frozen=True)
class Validation:
    """One scheme, run once; the limits of every interval that reads it."""

    by: str
    share: float = 1.0

    @property
    def name(self) -> str:
        """The scheme's name."""
        return self.by

    @property
    def methods(self) -> tuple[IntervalMethod, ...]:
        """The intervals that read the scheme."""
        return tuple(m for m in interval_methods() if m.by == self.by)

    @property
    def columns(self) -> tuple[str, ...]:
        """The ends of every interval."""
        return tuple(f"{m.column} {end}" for m in self.methods for end in ("low", "high"))

    def __call__(self, cell: RiskCell, seed: Seed) -> list[float]:
        """Run the scheme and return the ends of all intervals."""
        data = cell.sample(child(seed, 0))
        if self.by != "groups" and data.groups is not None:
            data = replace(data, groups=None)
        table = _table(cell.model, data, self.by, seed)
        passes = {False: table, True: first_pass(table)}
        outcomes = (_interval(passes[m.first_pass], m) for m in self.methods)
        return [end for interval in outcomes for end in (interval.low, interval.high)]


@dataclass(frozen=True)
class LearnerPairs:
    """One scheme, run for both learners; the p-value of every test that reads it."""

    by: str
    share: float = 1.0

    @property
    def name(self) -> str:
        """The scheme's name."""
        return self.by

    @property
    def columns(self) -> tuple[str, ...]:
        """The tests, and whether a learner answered one class only."""
        return (*(t.name for t in learner_tests() if t.by == self.by), "collapsed")

    def __call__(self, cell: PairCell, seed: Seed) -> list[float]:
        """Run the scheme on both blocks and return p-values."""
        blocks = cell.sample(child(seed, 0))
        # The classes are the same in both blocks, and so is the plan.
        plan, own = _plan(blocks[0], self.by, seed)
        tables = [run(cell.model, data, plan, seed=own).predictions for data in blocks]
        passes = {False: tables, True: [first_pass(table) for table in tables]}
        collapsed = False
        values = []
        for test in (t for t in learner_tests() if t.by == self.by):
            question = Question(measure=measure_named("error"))
            one, two = passes[test.first_pass]
            method = COMPARISON_TESTS[test.name]
            pair = learner_pair(("first", "second"), one, two, question, method)
            values.append(pair.evidence.p_value)
            collapsed |= "first:" in pair.reservation or "second:" in pair.reservation
        return [*values, float(collapsed)]


@dataclass(frozen=True)
class Permuted:
    """The p-value of the permutation test."""

    name: str = "permutation"
    columns: tuple[str, ...] = ("permutation-labels",)
    share: float = 1.0

    def __call__(self, cell: NullCell, seed: Seed) -> list[float]:
        """Permute the labels, or those of whole groups."""
        X, y, groups = cell.sample(child(seed, 0))
        outcomes = permutation_test(
            model_from_name(cell.learner),
            X,
            y,
            groups=groups,
            permutations=_PERMUTATIONS,
            random_state=child(seed, 1),
        )
        return [outcomes.p_value]


@dataclass(frozen=True)
class Ranked:
    """The limits of every interval of the area under the ROC curve."""

    name: str = "ranking"
    share: float = 1.0

    @property
    def columns(self) -> tuple[str, ...]:
        """The ends of every interval."""
        return tuple(f"{name} {end}" for name in AREA_INTERVALS for end in ("low", "high"))

    def __call__(self, cell: RankingCell, seed: Seed) -> list[float]:
        """Draw scores and return the ends of all intervals."""
        placed = placements(*cell.sample(child(seed, 0)))
        outcomes = (form(placed, 0.95) for form in AREA_INTERVALS.values())
        return [end for interval in outcomes for end in (interval.low, interval.high)]


@dataclass(frozen=True)
class OnTestSet:
    """The limits of every interval of a risk that suits a test set of a fixed model."""

    name: str = "test set"
    share: float = 1.0

    @property
    def columns(self) -> tuple[str, ...]:
        """The ends of every interval of one fixed model; nan where it does not suit."""
        return tuple(f"{name} {end}" for name in tested_intervals() for end in ("low", "high"))

    def __call__(self, cell: LossCell, seed: Seed) -> list[float]:
        """Draw errors and return the ends of all intervals."""
        sample = RiskSample(losses=Losses.of(cell.sample(child(seed, 0))), seed=child(seed, 1))
        ends: list[float] = []
        for name in tested_intervals():
            try:
                interval = RISK_INTERVALS[name](sample)
                ends += [interval.low, interval.high]
            except Refusal:
                ends += [np.nan, np.nan]
        return ends


def tested_intervals() -> tuple[str, ...]:
    """Return the intervals of shares that are computed from one test set."""
    return tuple(
        name
        for name, method in RISK_INTERVALS.items()
        if method.of_losses != "numbers" and not method.by and not _of_several(method)
    )


def _of_several(method: RiskInterval) -> bool:
    plain = Situation(n=50)
    every = (plain, replace(plain, grouped=True), replace(plain, weighted=True))
    return all(method.refusal(s) is not None for s in (*every, replace(plain, timed=True)))


def probes_of(cell: Cell) -> tuple[Probe, ...]:
    """Return what is done to the data sets of a cell.

    Examples
    --------
    >>> from referee.study.calibration.cells import catalogue
    >>> [probe.name for probe in probes_of(catalogue()["groups of 5, lda, n 200"])]
    ['truth', '10x10', 'groups']
    """
    if isinstance(cell, GroupCell):
        return Truth(), Validation("10x10"), Validation("groups")
    if isinstance(cell, RiskCell):
        return Truth(), *_validations()
    if isinstance(cell, PairCell):
        return tuple(LearnerPairs(by) for by in dict.fromkeys(t.by for t in learner_tests()))
    if isinstance(cell, LossCell):
        return (OnTestSet(),)
    return (Permuted(),) if isinstance(cell, NullCell) else (Ranked(),)


def _validations() -> Iterator[Validation]:
    for by in dict.fromkeys(m.by for m in interval_methods() if not m.grouped):
        yield Validation(by, share=1.0 if by == REFERENCE[Target.CONDITIONAL].by else 0.5)


def first_pass(table: Predictions) -> Predictions:
    """Return what one pass of the cross-validation would have given: its first repetition.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from referee.resampling import CrossValidation
    >>> data = Dataset.of([[float(i)] for i in range(20)], [0] * 10 + [1] * 10)
    >>> plan = CrossValidation(5, 3).plan(data)
    >>> table = first_pass(run(KNeighborsClassifier(1), data, plan).predictions)
    >>> len(table.part), len(table.case)
    (5, 20)
    """
    kept = [i for i, p in enumerate(table.part) if p is Part.MAIN and table.repetition[i] == 0]
    number = np.full(len(table.part), -1)
    number[kept] = np.arange(len(kept))
    rows = table.rows(number[table.split] >= 0)
    return replace(
        rows,
        split=number[rows.split],
        part=tuple(table.part[i] for i in kept),
        repetition=table.repetition[kept],
        n_train=table.n_train[kept],
    )


def _plan(data: Dataset, by: str, seed: Seed) -> tuple[Plan, Seed]:
    own = child(seed, 3, zlib.crc32(by.encode()))
    return scheme_read(by).plan(data, own), own


def _table(model: Any, data: Dataset, by: str, seed: Seed) -> Predictions:
    plan, own = _plan(data, by, seed)
    return run(model, data, plan, seed=own).predictions


def _interval(table: Predictions, method: IntervalMethod) -> Interval:
    settings = Settings(interval=method.name, target=method.target)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        interval = estimates(table, ["error"], None, settings)["error"].interval
    assert interval is not None
    return interval
