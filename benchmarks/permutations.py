"""Shared work of Gaussian classifiers against scikit-learn's loops of fits.

The label permutation test of scikit-learn would take half a minute for 1000 permutations, so it is
timed on a few of them, and its time, which is linear in their number, is multiplied up. The scores
of those few are compared with ours before anything is timed, column by column. Both sides keep the
folds fixed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from sklearn.model_selection import cross_val_predict, permutation_test_score
from sklearn.naive_bayes import GaussianNB
from sklearn.utils import check_random_state

import referee
from benchmarks.race import Outcome, Race
from referee.core.plan import Part, Plan
from referee.evaluation import run
from referee.learners.twins import twin_of
from referee.resampling import CrossValidation, LeaveOneOut

__all__ = ["ScaledRace", "permutation_race", "races"]

MODELS = {
    "LDA": (LinearDiscriminantAnalysis(), 1 / 150),
    "QDA": (QuadraticDiscriminantAnalysis(), 1 / 60),
    "naive Bayes": (GaussianNB(), None),
}
PERMUTATIONS, FEW = 1000, 20


@dataclass(frozen=True)
class ScaledRace(Race):
    """A race whose peer does 1 / times of the job; its time is multiplied by that."""

    times: float = 1.0

    def run(self) -> Outcome:
        o = super().run()
        return replace(o, peer_wall=o.peer_wall * self.times, peer_cpu=o.peer_cpu * self.times)


def races() -> Iterator[Race]:
    data = _data(2000, 20)
    for name, (model, goal) in MODELS.items():
        yield permutation_race(name, model, goal, data)
    for name, (model, _) in MODELS.items():
        yield _run_race(f"{name}, leave-one-out", model, data, LeaveOneOut(), few=100)
        scheme = CrossValidation(10, 10, halves=0)
        yield _run_race(f"{name}, 10x10 cross-validation", model, data, scheme)


def _data(n: int, d: int) -> referee.Dataset:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    return referee.Dataset.of(rng.normal(size=(n, d)) + 0.2 * y[:, None], y)


def _permuted(y: Any, permutations: int) -> Any:
    """Return the label columns that permutation_test_score(random_state=0) makes."""
    random = check_random_state(0)
    return np.column_stack([y[random.permutation(len(y))] for _ in range(permutations)])


def permutation_race(
    name: str, model: Any, goal: float | None, data: referee.Dataset, rounds: int = 3
) -> Race:
    """Race the shared work of a twin against permutation_test_score, on the same folds."""
    main = CrossValidation(5).plan(data, 0).part(Part.MAIN)
    plan = Plan(main, data.n, "cv", "5 folds")
    pairs = [(s.train, s.test) for s in main]
    Y = _permuted(data.codes, PERMUTATIONS)

    def ours() -> Any:
        twin = twin_of(model)
        assert twin is not None
        outputs = twin.predict_plan(data.X, Y, plan, classes=data.classes)
        right = [
            (o.predicted == Y[s.test]).mean(axis=0) for o, s in zip(outputs, main, strict=True)
        ]
        return np.mean(right, axis=0)

    def peer() -> Any:
        return permutation_test_score(
            model, data.X, data.codes, cv=pairs, n_permutations=FEW, random_state=0
        )[1]

    def agree(scores: Any, theirs: Any) -> None:
        np.testing.assert_allclose(scores[:FEW], theirs, rtol=0, atol=1e-12)

    return ScaledRace(
        f"{name}, {PERMUTATIONS} label permutations, 5-fold, n={data.n} d={data.n_features}",
        f"permutation_test_score, {FEW} of them scaled up",
        ours,
        peer,
        agree,
        goal,
        rounds=rounds,
        # It scores the true labels, too.
        times=(PERMUTATIONS + 1) / (FEW + 1),
    )


def _run_race(
    name: str, model: Any, data: referee.Dataset, scheme: Any, few: int | None = None
) -> Race:
    """Race `run`, with its fit on all rows, against cross_val_predict, of a few splits if asked."""
    plan = scheme.plan(data, 0)
    splits = plan.part(Part.MAIN)
    folds = splits[:few]
    tested = np.concatenate([s.test for s in folds])

    def ours() -> Any:
        return run(model, data, plan).predictions.of_part(Part.MAIN).predicted

    def peer() -> Any:
        if few is not None:
            return _few_folds(model, data, folds)
        passes = [splits[i : i + 10] for i in range(0, len(splits), 10)]
        return np.concatenate([_one_pass(model, data, p) for p in passes])

    def agree(predicted: Any, theirs: Any) -> None:
        np.testing.assert_array_equal(predicted[: len(tested)], theirs)

    return ScaledRace(
        f"{name}, n=2k d=20",
        "cross_val_predict" if few is None else f"{few} of its fits scaled up",
        ours,
        peer,
        agree,
        rounds=3,
        times=len(splits) / len(folds),
    )


def _one_pass(model: Any, data: referee.Dataset, splits: Any) -> Any:
    pairs = [(s.train, s.test) for s in splits]
    by_case = cross_val_predict(model, data.X, data.codes, cv=pairs)
    return by_case[np.concatenate([s.test for s in splits])]


def _few_folds(model: Any, data: referee.Dataset, splits: Any) -> Any:
    """What cross_val_predict does, which itself insists on a whole partition."""
    from sklearn.base import clone

    return np.concatenate(
        [
            clone(model).fit(data.X[s.train], data.codes[s.train]).predict(data.X[s.test])
            for s in splits
        ]
    )
