"""Resampling of plain scikit-learn models through the public API, against scikit-learn's own loops.

Both sides get the same splits. Before anything is timed, predictions are compared split by split;
of permutation tests the first relabellings are done again by cross_val_predict, and must give the
same numbers. A peer that would take minutes is timed on a part of the job, and its time, which is
linear in that part, is multiplied up. Growth with the number of cases: ``python -m
benchmarks.resampling``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from sklearn.model_selection import cross_val_predict, cross_val_score, permutation_test_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from threadpoolctl import threadpool_limits

import referee
from benchmarks.race import Race, ScaledRace
from referee.core.plan import Part, Plan
from referee.core.randomness import child
from referee.fitting.run import run
from referee.permuting.permuting import Permuting
from referee.resampling import CrossValidation, LeaveOneOut

__all__ = ["growth", "races", "two_normals"]

MODELS = {
    "k-NN": (KNeighborsClassifier(), 1 / 300),
    "LDA": (LinearDiscriminantAnalysis(), 1 / 150),
    "QDA": (QuadraticDiscriminantAnalysis(), 1 / 60),
    "naive Bayes": (GaussianNB(), None),
    "LinearSVC": (LinearSVC(), 0.35),
    "RBF SVC": (SVC(), 0.2),
}
PERMUTATIONS = 1000


def races() -> Iterator[Race]:
    data, cancer = two_normals(2000, 20), _cancer()
    for name, (model, goal) in MODELS.items():
        on = cancer if name == "RBF SVC" else data
        yield _permutations(name, model, on, goal)
        yield _permutations(f"StandardScaler + {name}", _scaled(model), on)
    loo, repeated = LeaveOneOut(), CrossValidation(10, 10, halves=0)
    for name in ("k-NN", "LDA", "QDA", "naive Bayes"):
        goals = (1 / 200, 1 / 30) if name == "k-NN" else (None, None)
        for title, model in ((name, MODELS[name][0]), *_scaled_too(name)):
            scaled = model is not MODELS[name][0]
            first, second = (None, None) if scaled else goals
            yield _fit_loop(f"{title}, leave-one-out", model, data, loo, first, few=200)
            yield _fit_loop(f"{title}, 10x10 cross-validation", model, data, repeated, second)
            if name == "k-NN":
                of_all = (None, None) if scaled else (1 / 100, 1 / 15)
                yield _evaluate(f"{title}, leave-one-out", model, data, loo, of_all[0], few=200)
                yield _evaluate(
                    f"{title}, 10x10 cross-validation", model, data, repeated, of_all[1]
                )


def two_normals(n: int, d: int) -> referee.Dataset:
    """Return two overlapping normal classes."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    return referee.Dataset.of(rng.normal(size=(n, d)) + 0.2 * y[:, None], y)


def _cancer() -> referee.Dataset:
    X, y = load_breast_cancer(return_X_y=True)
    return referee.Dataset.of((X - X.mean(axis=0)) / X.std(axis=0), y)


def _scaled(model: Any) -> Any:
    return make_pipeline(StandardScaler(), model)


def _scaled_too(name: str) -> Iterator[tuple[str, Any]]:
    if name != "naive Bayes":
        yield f"StandardScaler + {name}", _scaled(MODELS[name][0])


def _pairs(plan: Plan) -> list[tuple[Any, Any]]:
    return [(s.train, s.test) for s in plan.part(Part.MAIN)]


def _permutations(
    name: str, model: Any, data: referee.Dataset, goal: float | None = None, few: int = 10
) -> Race:
    """Race permutation_test against permutation_test_score, on the same folds."""
    folds = _pairs(CrossValidation(5, stratify=False).plan(data, 0))
    dealt = Permuting(data, seed=child(0, 1))

    def ours() -> Any:
        return referee.permutation_test(
            model, data.X, data.y, by=folds, permutations=PERMUTATIONS, random_state=0
        )

    def peer() -> Any:
        return permutation_test_score(
            model, data.X, data.y, cv=folds, n_permutations=few, random_state=0
        )

    def agree(made: Any, theirs: Any) -> None:
        assert "shared work" in made.how, made.how
        for r in range(3):
            answers = cross_val_predict(model, data.X, dealt.codes(r), cv=folds)
            assert abs(np.mean(answers != dealt.codes(r)) - made.null[r]) < 1e-12

    return ScaledRace(
        f"permutation_test({name}), {PERMUTATIONS} relabellings, 5-fold, "
        f"n={data.n} d={data.n_features}",
        f"permutation_test_score, {few} of them scaled up",
        ours,
        peer,
        agree,
        goal,
        rounds=1 if "SVC" in name else 3,
        times=(PERMUTATIONS + 1) / (few + 1),  # it scores the true labels, too
    )


def _fit_loop(
    name: str,
    model: Any,
    data: referee.Dataset,
    scheme: Any,
    goal: float | None = None,
    few: int | None = None,
) -> Race:
    """Race the fit loop, which also fits on all rows, given a plan."""
    plan = scheme.plan(data, 0)
    return _loop_race(
        f"run({name}), n={data.n} d={data.n_features}",
        lambda: run(model, data, plan).predictions,
        model,
        data,
        plan,
        goal,
        few,
    )


def _evaluate(
    name: str,
    model: Any,
    data: referee.Dataset,
    scheme: Any,
    goal: float | None = None,
    few: int | None = None,
) -> Race:
    """Race the whole evaluation: the plan, scores, fourteen measures with intervals, and checks."""
    return _loop_race(
        f"evaluate({name}), n={data.n} d={data.n_features}",
        lambda: referee.evaluate(model, data.X, data.y, by=scheme, random_state=0).predictions,
        model,
        data,
        referee.evaluate(model, data.X, data.y, by=scheme, random_state=0).plan,
        goal,
        few,
    )


def _loop_race(
    name: str,
    ours: Callable[[], Any],
    model: Any,
    data: referee.Dataset,
    plan: Any,
    goal: float | None,
    few: int | None,
) -> Race:
    splits = _pairs(plan)
    folds = splits[:few]

    def peer() -> Any:
        return cross_val_score(model, data.X, data.y, cv=folds)

    def agree(predictions: Any, theirs: Any) -> None:
        main = predictions.of_part(Part.MAIN)
        right = main.predicted == data.codes[main.case]
        at = 0
        for (train, test), score in zip(folds, theirs, strict=True):
            assert abs(right[at : at + len(test)].mean() - score) < 1e-12
            if at == 0:
                plain = clone(model).fit(data.X[train], data.y[train]).predict(data.X[test])
                np.testing.assert_array_equal(main.predicted[: len(test)], plain)
            at += len(test)

    scaled = f"cross_val_score, {few} of its fits scaled up"
    return ScaledRace(
        name,
        "cross_val_score" if few is None else scaled,
        ours,
        peer,
        agree,
        goal,
        rounds=3,
        times=len(splits) / len(folds),
    )


def growth(sizes: tuple[int, ...] = (500, 1000, 2000, 4000), d: int = 20) -> None:
    """Print CPU times of k-NN over n, and the exponent of each doubling."""
    model = KNeighborsClassifier()
    print("| k-NN | n | ours, CPU s | exponent |\n|---|---:|---:|---:|")
    for name in ("leave-one-out", "10x10 cross-validation", "1000 relabellings"):
        last = None
        for n in sizes:
            spent = min(_spent(name, model, two_normals(n, d)) for _ in range(3))
            grown = "-" if last is None else f"{np.log2(spent / last):.2f}"
            print(f"| {name} | {n} | {spent:.3f} | {grown} |", flush=True)
            last = spent


def _spent(name: str, model: Any, data: referee.Dataset) -> float:
    scheme = LeaveOneOut() if name == "leave-one-out" else CrossValidation(10, 10, halves=0)
    plan = scheme.plan(data, 0)
    start = time.process_time()
    if name == "1000 relabellings":
        referee.permutation_test(model, data.X, data.y, random_state=0)
    else:
        run(model, data, plan)
    return time.process_time() - start


if __name__ == "__main__":
    with threadpool_limits(1):
        growth()
