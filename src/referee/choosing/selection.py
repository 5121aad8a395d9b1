"""Selected: a learner that selects its features, from its training rows alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from referee.choosing.choosing import ChoosingLearner
from referee.choosing.feature_judge import FeatureJudge, take_columns
from referee.choosing.selection_path import (
    SelectionPath,
    SelectionStep,
    check_stop,
    kept_step,
)
from referee.core.arrays import Features, Flags
from referee.core.dataset import Dataset
from referee.core.randomness import RandomState
from referee.errors import InputError
from referee.fitting.search import SearchOutcome

__all__ = ["Selected"]


class Selected(ChoosingLearner):
    """A classifier on some of the features, which it selects when it is fitted.

    Forward: begin with the best single feature and add the best other one, step by step. Backward:
    begin with all features and drop, step by step, the one that is missed least. The best is the
    one with the fewest errors of an inner validation, the first column among equals; every
    candidate of every step is judged by the same splits.

    Being a learner, it selects anew in each fold of an outer validation, from that fold's training
    rows: `referee.evaluate(Selected(...), X, y)` is nested and cannot leak. Selecting on all rows
    first and validating afterwards can; `referee.study.selection_bias` shows by how much.

    Parameters
    ----------
    learner : classifier or str
        The classifier, or its name as on the command line. k nearest neighbours (`KNN`, or
        scikit-learn's KNeighborsClassifier) share work between candidates.
    direction : {"forward", "backward"}
        Whether features are added or dropped.
    n_features : int or None
        Where the path ends: at so many features. None goes all the way.
    stop : {"one-se", "best", "end"} or float
        Which step of the path is kept: the fewest features whose error is within one standard
        error of the lowest (Breiman); the lowest error, with the fewest features among equals;
        the end of the path; or the fewest features whose error is at most this number, where the
        path then ends, too.
    by : int, str, scheme or splitter
        How candidates are judged, as in `referee.evaluate`; a whole number is that many folds,
        with rare classes spread as far as they go.
    level : float
        Confidence level of the intervals of the path.
    random_state : int, Generator or RandomState, optional
        Seeds the folds, and the learner where it is random and unseeded.
    n_jobs : int or None
        Folds to fit at once.

    Attributes
    ----------
    features_ : array of int
        The columns that were kept, in the order they were added.
    support_ : array of bool
        Which columns were kept.
    path_ : SelectionPath
        The features in the order they came or went, with the error of each step and its interval.
    learner_ : classifier
        Fitted on all training rows, on the features that were kept.
    classes_ : array
        The labels, sorted.

    Notes
    -----
    Where cases belong together, pass `groups` to `fit`; the inner folds then keep each group
    whole. `referee.evaluate(..., groups=...)` does so for `Selected` and for pipelines that end
    with it.

    References
    ----------
    .. [1] L. Breiman, J. Friedman, R. Olshen, C. Stone (1984). Classification and Regression
       Trees, section 3.4.3, for the rule of one standard error.
    .. [2] C. Ambroise, G. J. McLachlan (2002). Selection bias in gene extraction on the basis of
       microarray gene-expression data. PNAS 99, 6562-6566.

    Examples
    --------
    >>> import referee
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = Selected("knn", random_state=0).fit(X, y)
    >>> model.features_.tolist()
    [3, 2, 0]
    >>> print(model.path_.conclusion)
    forward selection kept 3 features with an inner error of 0.027 (the fewest whose error is
    within one standard error of the lowest); that error chose them and flatters.
    >>> round(referee.evaluate(model, X, y, by=5, random_state=0).error.value, 3)
    0.047
    """

    def __init__(
        self,
        learner: Any,
        *,
        direction: str = "forward",
        n_features: int | None = None,
        stop: str | float = "one-se",
        by: Any = 5,
        level: float = 0.95,
        random_state: RandomState = None,
        n_jobs: int | None = None,
    ) -> None:
        self.learner = learner
        self.direction = direction
        self.n_features = n_features
        self.stop = stop
        self.by = by
        self.level = level
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Features, y: Any, groups: Any = None) -> Selected:
        """Select features, and train the learner on them.

        Parameters
        ----------
        X, y : array-like or DataFrame; array-like
            Features and class labels.
        groups : array-like, optional
            Which cases belong together; the inner splits keep them together.
        """
        self.check_options()
        X, y = self._validated(X, y)
        d = X.shape[1]
        if self.n_features is not None and self.n_features > d:
            raise InputError(
                f"must not exceed the {d} features of X",
                argument="n_features",
                value=str(self.n_features),
            )
        data = Dataset.of(X, y, groups=groups)
        judge = self._judge(FeatureJudge, data)
        self.path_ = self._walk(judge, data)
        self.features_ = np.array(self.path_.features, dtype=np.intp)
        self.support_ = np.isin(np.arange(d), self.features_)
        self.learner_ = judge.learner.fit(take_columns(X, self.features_.tolist()), y)
        self.classes_ = self.learner_.classes_
        return self

    @property
    def search_(self) -> SearchOutcome:
        """What was chosen and by what inner error, for a validation around it."""
        check_is_fitted(self)
        count = len(self.features_)
        return SearchOutcome(
            chosen=f"{count} feature{'s' if count != 1 else ''}: {self.path_.listed}",
            score=self.path_.steps[self.path_.kept].error.value,
            measure="error",
            scoring="error",
        )

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        return tags

    def _taken(self, X: Features) -> Features:
        return take_columns(super()._taken(X), self.features_.tolist())

    def _walk(self, judge: FeatureJudge, data: Dataset) -> SelectionPath:
        steps: list[SelectionStep] = []
        for step in self._steps(judge, data):
            steps.append(step)
            if self._arrived(steps):
                break
        taken = tuple(steps)
        kept, rule = kept_step(taken, self.stop)
        return SelectionPath(direction=self.direction, steps=taken, kept=kept, rule=rule)

    def _steps(self, judge: FeatureJudge, data: Dataset) -> Iterator[SelectionStep]:
        every = list(range(data.n_features))
        drop = self.direction == "backward"
        held = every if drop else []
        last = self.n_features or (1 if drop else len(every))
        if drop:
            wrong = judge.plainly(held)
            yield self._step(None, held, judge, wrong, data)
        while len(held) > last if drop else len(held) < last:
            tried = held if drop else [c for c in every if c not in held]
            wrong = judge.wrong(held, tried, drop=drop)
            best = int(wrong.sum(axis=1).argmin())
            column = tried[best]
            held = [c for c in held if c != column] if drop else [*held, column]
            yield self._step(column, held, judge, wrong[best], data)

    def _step(
        self, column: int | None, held: list[int], judge: FeatureJudge, wrong: Flags, data: Dataset
    ) -> SelectionStep:
        return SelectionStep(
            column=column,
            name="" if column is None else data.columns[column],
            features=tuple(held),
            error=judge.estimate(wrong, self.level),
        )

    def _arrived(self, steps: list[SelectionStep]) -> bool:
        """Tell whether further steps cannot change what is kept."""
        error = steps[-1].error.value
        if self.stop == "end":
            return False
        if self.direction == "forward":
            return error == 0 or (not isinstance(self.stop, str) and error <= self.stop)
        # Dropping goes on while the error stays good; one bad step ends it.
        return not isinstance(self.stop, str) and len(steps) > 1 and error > self.stop

    def check_options(self) -> None:
        """Refuse options that cannot work, whatever the data are."""
        if self.direction not in ("forward", "backward"):
            raise InputError(
                "must be 'forward' or 'backward'", argument="direction", value=repr(self.direction)
            )
        number = self.n_features
        whole = isinstance(number, (int, np.integer)) and not isinstance(number, bool)
        if number is not None and (not whole or number < 1):
            raise InputError(
                "must be a whole number of at least 1, or None",
                argument="n_features",
                value=repr(number),
            )
        check_stop(self.stop)
        if self.stop == "end" and number is None:
            raise InputError(
                "stop='end' needs n_features, the number of features to end with",
                concerning="n_features",
            )
