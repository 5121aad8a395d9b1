"""Every split of a plan, for every label column, from sums over rows instead of fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from referee.core.arrays import Codes, Features, Flags, Floats, Label
from referee.core.plan import Plan, Split
from referee.core.shared_work import SplitOutput, SteppedAside, label_columns
from referee.learners.gaussian.coordinates import Coordinates
from referee.learners.gaussian.discriminants import Discriminants
from referee.learners.gaussian.left_out import has_closed_form, left_out
from referee.learners.gaussian.many_labels import LabelBlock
from referee.learners.gaussian.many_splits import SplitRows, all_at_once, discriminants
from referee.learners.gaussian.one_labelling import Labelling
from referee.learners.gaussian.rule import GaussianRule
from referee.learners.shortcuts.plain_refit import plain_refit

__all__ = ["predict_gaussian_plan"]

_MANY = 12
"""From this number of label columns on, matrix products over the columns pay."""

_BLOCK = 1 << 20
"""Numbers in the largest intermediate array."""

_PROBED = 3
"""After this many splits, all in doubt, shared work gives up."""

_LARGEST = 1 << 25
"""Numbers in the matrix of products; beyond, columns are done one by one."""


@dataclass(frozen=True, eq=False)
class _TrainingRows:
    """How often each row is trained on, and whether that is once unless it is tested."""

    weights: Floats
    complement: bool

    @classmethod
    def of(cls, split: Split, n: int) -> _TrainingRows:
        times = np.bincount(split.train, minlength=n)
        complement = (
            split.n_train + split.n_test == n
            and int(times.max()) == 1
            and not times[split.test].any()
        )
        return cls(times.astype(float), bool(complement))


@dataclass(eq=False)
class _Collected:
    """Answers as they come in, and which (split, column) are in doubt."""

    predicted: list[Codes]
    probabilities: list[Floats] | None
    doubt: Flags
    refits: Codes = field(init=False)

    def __post_init__(self) -> None:
        self.refits = np.zeros(len(self.predicted), dtype=np.intp)

    @classmethod
    def empty(cls, plan: Plan, m: int, k: int, *, scores: bool) -> _Collected:
        return cls(
            [np.zeros((s.n_test, m), dtype=np.intp) for s in plan.splits],
            [np.zeros((s.n_test, m, k)) for s in plan.splits] if scores else None,
            np.zeros((plan.fits, m), dtype=bool),
        )

    def add(self, number: int, columns: slice, discriminants: Discriminants) -> None:
        scores = self.probabilities is not None
        self.doubt[number, columns] = discriminants.decide(
            self.predicted[number][:, columns], scores=scores
        )
        if self.probabilities is not None:
            self.probabilities[number][:, columns] = discriminants.probabilities()

    def add_all(self, numbers: list[int], discriminants: Discriminants) -> None:
        """Take the answers of the one column of many splits, test after test."""
        scores = self.probabilities is not None
        answers = np.empty((discriminants.values.shape[1], 1), dtype=np.intp)
        doubt = discriminants.decide_each(answers, scores=scores)[:, 0]
        probabilities = discriminants.probabilities() if scores else None
        start = 0
        for number in numbers:
            own = slice(start, start + len(self.predicted[number]))
            self.predicted[number][:] = answers[own]
            self.doubt[number, 0] = doubt[own].any()
            if self.probabilities is not None and probabilities is not None:
                self.probabilities[number][:] = probabilities[own]
            start = own.stop

    def give_up_early(self, numbers: list[int], columns: slice) -> None:
        """Step aside when the first splits are all in doubt: then so are most others."""
        first = numbers[:_PROBED]
        if len(numbers) > _PROBED and self.doubt[first, columns].all():
            raise SteppedAside("rounding errors leave nearly every split in doubt")

    def replace(self, number: int, column: int, plain: SplitOutput) -> None:
        self.predicted[number][:, column] = plain.predicted[:, 0]
        if self.probabilities is not None and plain.scores is not None:
            self.probabilities[number][:, column] = plain.scores[:, 0]
        self.refits[number] += 1

    def outputs(self) -> tuple[SplitOutput, ...]:
        nothing: list[Floats | None] = [None] * len(self.predicted)
        scores = nothing if self.probabilities is None else self.probabilities
        return tuple(
            SplitOutput(p, s, int(r))
            for p, s, r in zip(self.predicted, scores, self.refits, strict=True)
        )


def predict_gaussian_plan(
    model: Any,
    rule: GaussianRule,
    X: Features,
    values: Floats,
    Y: Codes,
    plan: Plan,
    *,
    classes: Sequence[Label],
    scores: bool = False,
    check: bool = False,
) -> tuple[SplitOutput, ...]:
    """Return what the model, which follows the rule, predicts in every split.

    Parameters
    ----------
    model : estimator
        Fitted plainly where the two best discriminants of a case are closer than rounding errors
        may reach, where a class is missing, and where the covariance is nearly singular.
    rule : GaussianRule
        What the model computes.
    X, values : features and array of float
        The features as the model takes them, and as numbers.
    check : bool
        Whether to compare one split with a plain fit before anything else is believed.
    """
    k = len(classes)
    Y = label_columns(Y, len(values), k)
    if plan.n != len(values):
        raise SteppedAside("the plan was made for another number of rows")
    coordinates = Coordinates.of(values, rule)
    collected = _Collected.empty(plan, Y.shape[1], k, scores=scores)
    _share(rule, coordinates, Y, plan, k, collected)
    if collected.doubt.mean() > 0.5 and collected.doubt.size > _PROBED:
        raise SteppedAside("rounding errors leave most splits in doubt")
    if check:
        _compare_one(model, X, Y, plan, classes, collected)
    for number, column in np.argwhere(collected.doubt):
        plain = plain_refit(
            model, X, Y[:, column], plan.splits[number], classes=classes, scores=scores
        )
        collected.replace(int(number), int(column), plain)
    return collected.outputs()


def _share(
    rule: GaussianRule,
    coordinates: Coordinates,
    Y: Codes,
    plan: Plan,
    k: int,
    collected: _Collected,
) -> None:
    trained = [_TrainingRows.of(s, plan.n) for s in plan.splits]
    single = [
        i
        for i, (s, t) in enumerate(zip(plan.splits, trained, strict=True))
        if s.n_test == 1 and t.complement and has_closed_form(rule)
    ]
    if single:
        _leave_out(rule, coordinates, Y, plan, k, single, collected)
    others = sorted(set(range(plan.fits)) - set(single))
    if not others:
        return
    if Y.shape[1] == 1 and all_at_once(rule, plan, others, k, coordinates.Z.shape[1]):
        rows = SplitRows.of(plan, others, [trained[i].weights for i in others])
        collected.add_all(others, discriminants(rule, coordinates, Y[:, 0], k, rows))
    elif _in_blocks(rule, coordinates, Y.shape[1]):
        _by_blocks(rule, coordinates, Y, plan, k, others, trained, collected)
    else:
        _by_columns(rule, coordinates, Y, plan, k, others, trained, collected)


def _in_blocks(rule: GaussianRule, coordinates: Coordinates, m: int) -> bool:
    if rule.covariance == "shared":
        return not rule.weighted and rule.shrinkage < 1
    n, d = coordinates.Z.shape
    return m >= _MANY and n * d * (d + 3) // 2 <= _LARGEST


def _leave_out(
    rule: GaussianRule,
    coordinates: Coordinates,
    Y: Codes,
    plan: Plan,
    k: int,
    numbers: list[int],
    collected: _Collected,
) -> None:
    rows = np.array([plan.splits[i].test[0] for i in numbers])
    for column in range(Y.shape[1]):
        each = left_out(Labelling.of(rule, coordinates, Y[:, column], k), rows)
        answers = np.empty((len(rows), 1), dtype=np.intp)
        doubt = each.decide_each(answers, scores=collected.probabilities is not None)
        probabilities = None if collected.probabilities is None else each.probabilities()
        for at, number in enumerate(numbers):
            collected.predicted[number][0, column] = answers[at, 0]
            collected.doubt[number, column] = doubt[at, 0]
            if collected.probabilities is not None and probabilities is not None:
                collected.probabilities[number][0, column] = probabilities[at, 0]


def _by_blocks(
    rule: GaussianRule,
    coordinates: Coordinates,
    Y: Codes,
    plan: Plan,
    k: int,
    numbers: list[int],
    trained: list[_TrainingRows],
    collected: _Collected,
) -> None:
    features = LabelBlock.features_of(rule, coordinates.Z)
    largest = max(len(plan.splits[i].test) for i in numbers)
    step = max(8, _BLOCK // (k * max(features.shape[1], largest, len(features) // k)))
    for start in range(0, Y.shape[1], step):
        columns = slice(start, min(start + step, Y.shape[1]))
        block = LabelBlock.of(rule, coordinates, features, Y[:, columns], k)
        for i in numbers:
            test, rows = plan.splits[i].test, trained[i]
            sums = block.trained(rows.weights, test, complement=rows.complement)
            answers = block.discriminants(sums, rows.weights, test, complement=rows.complement)
            collected.add(i, columns, answers)
            if start == 0 and i == numbers[:_PROBED][-1]:
                collected.give_up_early(numbers, columns)


def _by_columns(
    rule: GaussianRule,
    coordinates: Coordinates,
    Y: Codes,
    plan: Plan,
    k: int,
    numbers: list[int],
    trained: list[_TrainingRows],
    collected: _Collected,
) -> None:
    for column in range(Y.shape[1]):
        labelling = Labelling.of(rule, coordinates, Y[:, column], k)
        for i in numbers:
            test, rows = plan.splits[i].test, trained[i]
            moments = labelling.trained(rows.weights, test, complement=rows.complement)
            collected.add(i, slice(column, column + 1), labelling.discriminants(moments, test))
            if column == 0 and i == numbers[:_PROBED][-1]:
                collected.give_up_early(numbers, slice(0, 1))


def _compare_one(
    model: Any,
    X: Features,
    Y: Codes,
    plan: Plan,
    classes: Sequence[Label],
    collected: _Collected,
) -> None:
    """Refuse to go on where a plain fit says otherwise: the model is not what it was taken for."""
    sure = np.argwhere(~collected.doubt)
    if not len(sure):
        return
    number, column = (int(v) for v in sure[0])
    plain = plain_refit(model, X, Y[:, column], plan.splits[number], classes=classes, scores=True)
    if (plain.predicted[:, 0] != collected.predicted[number][:, column]).any():
        raise SteppedAside("a plain fit gives other answers")
    if collected.probabilities is None or plain.scores is None:
        return
    ours = collected.probabilities[number][:, column]
    if not np.allclose(ours, plain.scores[:, 0], rtol=1e-6, atol=1e-8):
        raise SteppedAside("a plain fit gives other scores")
