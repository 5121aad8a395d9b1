"""The statistic of one labelling, and of thousands of them by shared work or by fits."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from referee.core.arrays import Codes, Floats
from referee.core.dataset import Dataset
from referee.core.plan import Part, Plan
from referee.core.predictions import Predictions
from referee.core.randomness import Seed, child
from referee.core.shared_work import SharedWork, SplitOutput
from referee.errors import FitError, PlanError
from referee.fitting.checkpoint import Kept
from referee.fitting.engines import Engine, engine_named
from referee.fitting.run import run
from referee.judging.estimating.quantity import Quantity
from referee.judging.estimating.split_values import split_values
from referee.permuting.permuting import Permuting
from referee.resampling.quietly import quietly
from referee.resampling.scheme import Scheme

__all__ = ["Started", "Statistic", "main_splits", "pooled_value"]

_BUDGET = 64_000_000
"""Bytes of predictions that shared work may hold at a time."""

_SMALL = 1 << 17
"""Below this number of labels compiled code does not pay for its import."""


@dataclass(frozen=True, eq=False)
class Started:
    """The predictions under the true labels, and the way to the statistics of relabellings.

    Attributes
    ----------
    predictions : Predictions
    null : iterator of float
        Computed as they are asked for.
    worker : SharedWork or None
        What did the work, unless every labelling is fitted.
    """

    predictions: Predictions
    null: Iterator[float]
    worker: SharedWork | None


@dataclass(frozen=True, kw_only=True, eq=False)
class Statistic:
    """A measure of a model under a plan, as a function of the labels.

    Attributes
    ----------
    model : classifier
    scheme : Scheme
        Splits the data; anew for every labelling unless `plan` is given.
    quantity : Quantity
        Measure, positive class and costs.
    plan : Plan or None
        Splits chosen without looking at labels, which serve every labelling.
    worker : SharedWork or None
        Predicts all splits for many labellings at once.
    engine : Engine
        Carries out fits, where they are made.
    kept : Kept or None
        Where the statistics of finished relabellings are kept, where they are fitted.
    """

    model: Any
    name: str
    scheme: Scheme
    quantity: Quantity
    plan: Plan | None
    worker: SharedWork | None
    seed: Seed
    engine: Engine = field(default_factory=engine_named)
    kept: Callable[[], Kept] | None = None

    def of(self, data: Dataset) -> float:
        """Return the statistic of one labelling, by the plain loop."""
        return pooled_value(self.predictions(data).unseen, self.quantity)

    def predictions(self, data: Dataset) -> Predictions:
        """Return the predictions under one labelling, by the plain loop."""
        plan = self.plan_of(data)
        return run(
            self.model, data, replace(plan, task=data.task), name=self.name,
            scores=self.quantity.measure.scores, seed=self.seed, progress=False,
        ).predictions  # fmt: skip

    def plan_of(self, data: Dataset) -> Plan:
        """Return the splits for these labels, without a fit on all rows."""
        if self.plan is not None:
            return self.plan
        return main_splits(self.scheme.plan(data, child(self.seed, 0)))

    def start(self, permuting: Permuting, permutations: int) -> Started:
        """Return the statistic of the true labels, and those of relabellings 0, 1, ... in order.

        True labels are a column like any other: shared work is done for all of them at once, or
        for none, where it steps aside.
        """
        if self.worker is not None and self.plan is not None and permuting.null == "labels":
            batches = self._batches(permuting.data, permutations)
            try:
                true, first = self._true_and_relabelled(permuting, batches[0])
            except Exception:  # fits will say what is wrong, if anything is
                return self._started_by_fits(permuting, permutations)
            later = self._by_shared_work(permuting, batches[1:])
            return Started(true, chain(first.tolist(), later), self.worker)
        return self._started_by_fits(permuting, permutations)

    def _started_by_fits(self, permuting: Permuting, permutations: int) -> Started:
        null = self._by_fits(permuting, range(permutations))
        return Started(self.predictions(permuting.data), null, None)

    def _by_fits(self, permuting: Permuting, numbers: range) -> Iterator[float]:
        work = partial(self._alone()._numbered, permuting)

        def fresh(missing: Sequence[int]) -> Iterator[float]:
            return self.engine.results(work, [(r,) for r in missing])

        values = fresh(numbers) if self.kept is None else self.kept().completed(numbers, fresh)
        try:
            for value in values:  # noqa: UP028 (stopping early must end at the finally below)
                yield value
        finally:
            # joblib tells of tasks that were cancelled, and of those that were done in vain.
            with quietly(r"\d+ tasks (which were still being processed|have been successfully)"):
                getattr(values, "close", lambda: None)()

    def _alone(self) -> Statistic:
        """Return what travels to workers: without the engine, and without the disk."""
        return replace(self, engine=engine_named(), kept=None)

    def _numbered(self, permuting: Permuting, r: int) -> float:
        """Return the statistic of relabelling r; nan where its labels cannot be learned."""
        try:
            return self.of(permuting.dataset(r))
        except (FitError, PlanError):  # a training set without a class, for example
            return math.nan

    def _batches(self, data: Dataset, permutations: int) -> list[range]:
        assert self.plan is not None
        tested = sum(len(s.test) for s in self.plan.splits)
        width = len(data.classes) if self.quantity.measure.scores else 1
        size = max(1, min(1000, _BUDGET // (8 * tested * width)))
        starts = range(0, permutations, size)
        return [range(start, min(start + size, permutations)) for start in starts]

    def _by_shared_work(self, permuting: Permuting, batches: Sequence[range]) -> Iterator[float]:
        for numbers in batches:
            try:
                Y = _columns(permuting.codes(r) for r in numbers)
                values = self._values(permuting.data, Y, self._outputs(permuting.data, Y))
            except Exception:  # labels that shared work does not take; fits may
                yield from self._by_fits(permuting, numbers)
            else:
                yield from values.tolist()

    def _true_and_relabelled(
        self, permuting: Permuting, numbers: range
    ) -> tuple[Predictions, Floats]:
        data = permuting.data
        Y = _columns([data.codes, *(permuting.codes(r) for r in numbers)])
        outputs = self._outputs(data, Y)
        assert self.plan is not None
        true = next(_tables(data, Y, self.plan, outputs))
        return true, self._values(data, Y, outputs)[1:]

    def _outputs(self, data: Dataset, Y: Codes) -> Sequence[SplitOutput]:
        assert self.worker is not None
        assert self.plan is not None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # as many as there are relabellings
            return self.worker.predict_plan(
                data.X, Y, self.plan, classes=data.classes, scores=self.quantity.measure.scores
            )

    def _values(self, data: Dataset, Y: Codes, outputs: Sequence[SplitOutput]) -> Floats:
        plan = self.plan
        assert plan is not None
        measure = self.quantity.measure
        if measure.of_matrix is None:
            return np.array(
                [pooled_value(t, self.quantity) for t in _tables(data, Y, plan, outputs)]
            )
        matrices = _matrices(Y, plan, outputs, len(data.classes))
        at = (data.classes.index(self.quantity.positive),) if measure.positive else ()
        return np.asarray(measure.of_matrix(matrices, *at), dtype=float)


def pooled_value(table: Predictions, quantity: Quantity) -> float:
    """Return the measure of all rows; the mean over splits where models must not be pooled."""
    if not quantity.measure.pools:
        values = split_values(table, quantity)
        return float(np.nanmean(values)) if np.isfinite(values).any() else np.nan
    whole = replace(table, split=np.zeros_like(table.split))
    return float(split_values(whole, quantity)[0])


def main_splits(plan: Plan) -> Plan:
    """Return the plan without the fit on all rows, without halves, and testing unseen rows only."""
    main = plan.only([i for i, s in enumerate(plan.splits) if s.part is Part.MAIN])
    return replace(main, splits=tuple(s.testing(s.unseen) for s in main.splits))


def _columns(labellings: Iterable[Codes]) -> Codes:
    """Return labellings side by side; small numbers are quicker to turn from rows into columns."""
    rows = list(labellings)
    small = np.min_scalar_type(int(rows[0].max()) + 1)
    return np.array(rows, dtype=small).T.astype(np.intp, order="C")


def _matrices(Y: Codes, plan: Plan, outputs: Sequence[SplitOutput], k: int) -> Floats:
    """Return the confusion matrix of every column of labels."""
    m = Y.shape[1]
    if Y.size > _SMALL:
        from referee.permuting.relabelled_counts import count_answers

        matrices = np.zeros((m, k, k))
        for split, output in zip(plan.splits, outputs, strict=True):
            count_answers(Y, split.test, output.predicted, matrices)
        return matrices
    counts = np.zeros(m * k * k)
    column = np.arange(m) * k * k
    for split, output in zip(plan.splits, outputs, strict=True):
        cell = column + Y[split.test] * k + output.predicted
        counts += np.bincount(cell.ravel(), minlength=m * k * k)
    return counts.reshape(m, k, k)


def _tables(
    data: Dataset, Y: Codes, plan: Plan, outputs: Sequence[SplitOutput]
) -> Iterator[Predictions]:
    """Yield the predictions of each column of labels as a table."""
    table: Predictions | None = None
    for column in range(Y.shape[1]):
        truth, predicted = Y[:, column], np.concatenate([o.predicted[:, column] for o in outputs])
        columns = [o.scores[:, column] for o in outputs if o.scores is not None]
        scores = np.concatenate(columns) if columns else None
        if table is None:
            table = Predictions.of_plan(plan, data, predicted, scores=scores, truth=truth)
        else:
            table = replace(table, truth=truth, predicted=predicted, scores=scores)
        yield table
