"""BayesRule: the best possible rule as a classifier, to be evaluated like any other."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from referee.core.arrays import Anything, Floats
from referee.errors import InputError
from referee.study.tasks.task import Task, label_array

__all__ = ["BayesRule"]


class BayesRule(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Answer as one who knows the distribution; fitting learns nothing.

    Parameters
    ----------
    task : Task
        Whose Bayes rule to use.

    Examples
    --------
    >>> from referee.study import two_normals
    >>> task = two_normals(1.0)
    >>> X, y = task.sample(1000, random_state=0)
    >>> rule = BayesRule(task).fit(X, y)
    >>> round(1 - rule.score(X, y), 3)
    0.171
    """

    def __init__(self, task: Task) -> None:
        self.task = task

    def fit(self, X: Any, y: Any) -> Self:
        """Check that the labels are classes of the task."""
        strange = set(np.asarray(y).tolist()) - set(self.task.classes)
        if strange:
            raise InputError(
                f"holds {min(strange, key=str)!r}, no class of the task {self.task.classes!r}",
                argument="y",
            )
        self.classes_ = label_array([self.task.classes[i] for i in self._order()])
        self.n_features_in_ = self.task.n_features
        return self

    def predict(self, X: Any) -> Anything:
        """Return the answers of least expected cost."""
        return self.task.predict(X)

    def predict_proba(self, X: Any) -> Floats:
        """Return the posteriors, columns in the order of `classes_`."""
        return np.asarray(self.task.posteriors(X)[:, self._order()])

    def _order(self) -> list[int]:
        """Return the classes in ascending order; by type and name where they do not compare."""
        classes: Any = self.task.classes
        codes = range(len(classes))
        try:
            return sorted(codes, key=lambda i: classes[i])
        except TypeError:
            return sorted(codes, key=lambda i: (type(classes[i]).__name__, str(classes[i])))
