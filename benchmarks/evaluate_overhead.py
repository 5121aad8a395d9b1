"""What `evaluate` costs beyond the bare fits of scikit-learn's cross_val_predict.

`evaluate` also trains once on all rows (the model for use, and the training error). Against the
bare loop that fit is part of the overhead; against the same work, done by hand, it is not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
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


def races() -> Iterator[Race]:
    X, y = load_breast_cancer(return_X_y=True)
    digits = load_digits(return_X_y=True)
    models = {
        "logistic": (make_pipeline(StandardScaler(), LogisticRegression()), X, y),
        "forest": (RandomForestClassifier(random_state=0), X, y),
        "knn digits": (KNeighborsClassifier(), *digits),
        "naive Bayes digits": (GaussianNB(), *digits),
    }
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
