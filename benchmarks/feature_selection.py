"""Feature selection of k nearest neighbours against scikit-learn's SequentialFeatureSelector.

Both get the same folds, and the peer counts right answers: means of accuracies are rounded, which
breaks ties of candidates by chance. The features must be the same before anything is timed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.neighbors import KNeighborsClassifier

import referee
from benchmarks.race import Race
from referee.choosing.selection import Selected
from referee.core.plan import Part
from referee.learners.neighbours.knn import KNN
from referee.resampling import CrossValidation

__all__ = ["races"]

GOAL = 1 / 20


def races() -> Iterator[Race]:
    data = _data(1000, 60)
    peer = KNeighborsClassifier(5)
    yield _race("KNeighborsClassifier", peer, peer, data, "forward", 10, GOAL)
    yield _race("KNN", KNN(5), peer, data, "forward", 10, GOAL)
    small = _data(1000, 16)
    yield _race("KNN", KNN(5), peer, small, "backward", 8, None)


def _data(n: int, d: int) -> referee.Dataset:
    rng = np.random.default_rng(0)
    y = np.arange(n) % 2
    X = rng.normal(size=(n, d))
    X[:, : d // 4] += y[:, None] * np.linspace(1.0, 0.2, d // 4)
    return referee.Dataset.of(X, y)


def right_answers(model: Any, X: Any, y: Any) -> int:
    return int((model.predict(X) == y).sum())


def _race(
    name: str,
    model: Any,
    peer_model: Any,
    data: referee.Dataset,
    direction: str,
    number: int,
    goal: float | None,
) -> Race:
    folds = [(s.train, s.test) for s in CrossValidation(5).plan(data, 0).part(Part.MAIN)]

    def ours() -> Any:
        selected = Selected(
            model, direction=direction, n_features=number, stop="end", by=folds, random_state=0
        )
        return selected.fit(data.X, data.y).support_

    def peer() -> Any:
        selected = SequentialFeatureSelector(
            peer_model,
            n_features_to_select=number,
            direction=direction,
            cv=folds,
            scoring=right_answers,
        )
        return selected.fit(data.X, data.y).get_support()

    d = data.n_features
    return Race(
        f"{name}, {direction} selection of {number} of {d} features, n=1k, 5-fold",
        "SequentialFeatureSelector",
        ours,
        peer,
        np.testing.assert_array_equal,
        goal,
        rounds=3,
    )
