"""What `evaluate` costs beyond the bare fits of scikit-learn's cross_val_predict.

`evaluate` also trains once on all rows (the model for use, and the training error). Against the
bare loop that fit is part of the overhead; against the same work, done by hand, it is not.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import referee
from benchmarks.race import Race
from referee.core.plan import Part
from referee.core.randomness import child
from referee.resampling import CrossValidation

GOAL = 1.05
_MEASURES = (
    "accuracy",
    "balanced_accuracy",
    "matthews_corrcoef",
    "recall",
    "precision",
    "f1",
    "roc_auc",
    "neg_log_loss",
    "neg_brier_score",
)
"""Scorers of what `evaluate` shows unasked."""


def races() -> Iterator[Race]:
    X, y = load_breast_cancer(return_X_y=True)
    digits = load_digits(return_X_y=True)
    models = {
        "logistic": (make_pipeline(StandardScaler(), LogisticRegression()), X, y),
        "forest": (RandomForestClassifier(random_state=0), X, y),
        "knn digits": (KNeighborsClassifier(), *digits),
        "naive Bayes digits": (GaussianNB(), *digits),
    }
    for name in ("logistic", "forest"):
        yield _same_measures(name, *models[name])
    for name, (model, features, labels) in models.items():
        if name != "forest":
            yield _race(f"{name}, default 10x10 cross-validation", model, features, labels, 10)
        yield _race(f"{name}, one 10-fold cross-validation", model, features, labels, 1)
        yield _race(
            f"{name}, 10-fold and the fit on all rows", model, features, labels, 1, whole=True
        )


def _race(name: str, model: Any, X: Any, y: Any, repetitions: int, *, whole: bool = False) -> Race:
    scheme = CrossValidation(10, repetitions)
    plan = scheme.plan(referee.Dataset.of(X, y), child(0, 0))
    passes = _passes(plan)

    def ours() -> Any:
        return referee.evaluate(model, X, y, by=scheme, random_state=0)

    def peer() -> list[Any]:
        answers = [cross_val_predict(model, X, y, cv=pairs) for pairs in passes]
        if whole:
            clone(model).fit(X, y).predict(X)
        return answers

    return Race(name, "cross_val_predict", ours, peer, _same_predictions, GOAL)


def _same_measures(name: str, model: Any, X: Any, y: Any) -> Race:
    """Return the race of the default plan against cross_validate with the same measures."""
    plan = referee.evaluate(GaussianNB(), X, y, random_state=0).plan
    main = [(s.train, s.test) for s in plan.splits if s.part is not Part.RESUBSTITUTION]

    def peer() -> Any:
        scores = cross_validate(model, X, y, cv=main, scoring=list(_MEASURES))
        clone(model).fit(X, y).predict(X)
        return scores

    def agree(ours: Any, theirs: Any) -> None:
        sizes = np.array([len(test) for _, test in main])
        first = np.array([s.part is Part.MAIN for s in plan.splits])[: len(main)]
        known = np.average(theirs["test_accuracy"][first], weights=sizes[first])
        assert abs(float(ours.predictions.unseen.wrong.mean()) - (1 - known)) < 1e-12

    return Race(
        f"{name}, default plan ({len(main)} fits and the one on all rows)",
        "cross_validate with the same measures, and one fit",
        lambda: referee.evaluate(model, X, y, random_state=0),
        peer,
        agree,
        1.0,
        rounds=3,
    )


class Instant(ClassifierMixin, BaseEstimator):
    """Answers by the first feature at once, and counts the seconds it took."""

    spent = 0.0

    def fit(self, X: Any, y: Any) -> Instant:
        self.classes_ = np.array([0, 1])
        return self

    def predict_proba(self, X: Any) -> Any:
        start = time.process_time()
        p = 1 / (1 + np.exp(-X[:, 0]))
        Instant.spent += time.process_time() - start
        return np.column_stack([1 - p, p])

    def predict(self, X: Any) -> Any:
        return (X[:, 0] > 0).astype(int)


def beyond_the_fits() -> Iterator[tuple[str, float, float, str]]:
    """Yield what `evaluate` costs besides the fits, in milliseconds of CPU."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 20))
    y = (X[:, 0] + rng.normal(size=2000) > 0).astype(int)
    times = []
    for _ in range(9):
        Instant.spent, start = 0.0, time.process_time()
        referee.evaluate(Instant(), X, y, by="10x10", random_state=0)
        times.append(time.process_time() - start - Instant.spent)
    yield "beyond the fits, n = 2000, 10 x 10, CPU", 1000 * statistics.median(times), 30, "ms"


def _passes(plan: Any) -> list[list[Any]]:
    """Return the splits grouped into partitions, as cross_val_predict wants them."""
    groups: dict[Any, list[Any]] = {}
    for split in plan.splits:
        if split.part is not Part.RESUBSTITUTION:
            groups.setdefault((split.part, split.repetition), []).append((split.train, split.test))
    return list(groups.values())


def _same_predictions(ours: Any, peer: Any) -> None:
    table = ours.predictions.unseen
    first = table.rows(table.repetition[table.split] == 0)
    answers = np.asarray(table.classes)[first.predicted]
    np.testing.assert_array_equal(answers, peer[0][first.case])
