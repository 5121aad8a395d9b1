"""The statistic of one labelling, and of thousands of them by shared work or by fits."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs

from referee.core.arrays import Codes, Floats
from referee.core.dataset import Dataset
from referee.core.plan import Part, Plan
from referee.core.predictions import Predictions
from referee.core.randomness import Seed, child
from referee.core.shared_work import SharedWork, SplitOutput
from referee.evaluation.contest import Contest
from referee.evaluation.permuting import Permuting
from referee.evaluation.run import run
from referee.evaluation.split_values import split_values
from referee.measures import Kind
from referee.resampling.scheme import Scheme

__all__ = ["Statistic", "main_splits", "pooled_value"]

_BUDGET = 64_000_000
"""Bytes of predictions that shared work may hold at a time."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Statistic:
    """A measure of a model under a plan, as a function of the labels.

    Attributes
    ----------
    model : classifier
    scheme : Scheme
        Splits the data; anew for every labelling unless `plan` is given.
    contest : Contest
        Measure, positive class and costs.
    plan : Plan or None
        Splits chosen without looking at labels, which serve every labelling.
    worker : SharedWork or None
        Predicts all splits for many labellings at once.
    """

    model: Any
    name: str
    scheme: Scheme
    contest: Contest
    plan: Plan | None
    worker: SharedWork | None
    seed: Seed

    def of(self, data: Dataset) -> float:
        """Return the statistic of one labelling, by the plain loop."""
        return pooled_value(self.predictions(data).unseen, self.contest)

    def predictions(self, data: Dataset) -> Predictions:
        """Return the predictions under one labelling, by the plain loop."""
        plan = self.plan_of(data)
        return run(
            self.model, data, replace(plan, task=data.task), name=self.name,
            scores=self.contest.measure.scores, seed=self.seed,
        ).predictions  # fmt: skip

    def plan_of(self, data: Dataset) -> Plan:
        """Return the splits for these labels, without a fit on all rows."""
        if self.plan is not None:
            return self.plan
        return main_splits(self.scheme.plan(data, child(self.seed, 0)))

    def over(self, permuting: Permuting, permutations: int, n_jobs: int | None) -> Iterator[float]:
        """Yield the statistics of relabellings 0, 1, ... in order."""
        if self.worker is not None and self.plan is not None and permuting.null == "labels":
            yield from self._by_shared_work(permuting, permutations)
            return
        if effective_n_jobs(n_jobs) == 1:
            yield from (self.of(permuting.dataset(r)) for r in range(permutations))
            return
        jobs = (delayed(self._numbered)(permuting, r) for r in range(permutations))
        yield from Parallel(n_jobs=n_jobs, return_as="generator")(jobs)

    def _numbered(self, permuting: Permuting, r: int) -> float:
        return self.of(permuting.dataset(r))

    def _by_shared_work(self, permuting: Permuting, permutations: int) -> Iterator[float]:
        data, plan = permuting.data, self.plan
        assert plan is not None
        tested = sum(len(s.test) for s in plan.splits)
        width = len(data.classes) if self.contest.measure.scores else 1
        size = max(1, min(1000, _BUDGET // (8 * tested * width)))
        for start in range(0, permutations, size):
            numbers = range(start, min(start + size, permutations))
            Y = np.column_stack([permuting.codes(r) for r in numbers])
            yield from self._values(data, Y, plan)

    def _values(self, data: Dataset, Y: Codes, plan: Plan) -> Floats:
        assert self.worker is not None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # as many as there are relabellings
            outputs = self.worker.predict_plan(
                data.X, Y, plan, classes=data.classes, scores=self.contest.measure.scores
            )
        measure = self.contest.measure
        if measure.of_matrix is None:
            return np.array(
                [pooled_value(t, self.contest) for t in _tables(data, Y, plan, outputs)]
            )
        matrices = _matrices(Y, plan, outputs, len(data.classes))
        at = (data.classes.index(self.contest.positive),) if measure.positive else ()
        return np.asarray(measure.of_matrix(matrices, *at), dtype=float)


def pooled_value(table: Predictions, contest: Contest) -> float:
    """Return the measure of all rows of the table; of rankings the mean over splits."""
    if contest.measure.kind is Kind.RANKING:
        values = split_values(table, contest)
        return float(np.nanmean(values)) if np.isfinite(values).any() else np.nan
    whole = replace(table, split=np.zeros_like(table.split))
    return float(split_values(whole, contest)[0])


def main_splits(plan: Plan) -> Plan:
    """Return the plan without the fit on all rows and without halves."""
    kept = tuple(s for s in plan.splits if s.part is Part.MAIN)
    return replace(plan, splits=kept)


def _matrices(Y: Codes, plan: Plan, outputs: Sequence[SplitOutput], k: int) -> Floats:
    """Return the confusion matrix of every column of labels."""
    m = Y.shape[1]
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
    sizes = np.array([len(s.test) for s in plan.splits])
    case = np.concatenate([s.test for s in plan.splits])
    for column in range(Y.shape[1]):
        scores = [o.scores[:, column] for o in outputs if o.scores is not None]
        yield Predictions(
            classes=data.classes,
            truth=Y[:, column],
            case=case,
            split=np.repeat(np.arange(plan.fits), sizes),
            seen=np.zeros(len(case), dtype=np.intp),
            predicted=np.concatenate([o.predicted[:, column] for o in outputs]),
            part=tuple(s.part for s in plan.splits),
            repetition=np.array([s.repetition for s in plan.splits]),
            n_train=np.array([len(s.train) for s in plan.splits]),
            scores=np.concatenate(scores) if scores else None,
            groups=data.groups,
            weight=data.sample_weight,
        )
