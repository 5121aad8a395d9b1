"""KNN: the rule of the k nearest training rows, over any index, with its search's promise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from referee.core.arrays import Anything, Codes, Features, Floats, Label, Rows
from referee.core.labels.labels import classes_of, encode
from referee.core.plan import Plan
from referee.core.shared_work import SplitOutput, SteppedAside, label_columns
from referee.errors import InputError
from referee.learners.neighbours.index.bound import Bound
from referee.learners.neighbours.index.choice import choose_index, mean_copies
from referee.learners.neighbours.lists import Searched
from referee.learners.neighbours.metric import Metric, check_metric
from referee.learners.neighbours.plan import MOST_COPIES, InTrainingOrder, predict_neighbours_plan
from referee.learners.neighbours.voting import check_weights, posteriors, votes, weights_of
from referee.learners.plain_numbers import numbers_of
from referee.learners.shortcuts.plain_refit import plain_plan

__all__ = ["KNN"]


class KNN(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Answers with the class that most of the k nearest training rows have.

    The posterior of a class is M_k / M, its share of the M = k votes. Among equally distant rows
    the one that comes first in training is nearer; among classes with equally many votes the first
    in sorted order wins. So the answer depends on neither index, blocks nor threads.

    Parameters
    ----------
    k : int or "log"
        How many rows vote; "log" is the natural logarithm of the number of training rows, rounded
        up, at least 1: a rule that is consistent.
    index : {"auto", "brute", "kd_tree", "hashing"}
        How rows are searched; `index_` says what "auto" chose. "hashing" may miss neighbours;
        `recall_` says how many.
    metric : str
        "euclidean", "manhattan", "chebyshev", "minkowski" (with `p`), "seuclidean" and
        "mahalanobis" (both scaled by the training rows) or "cosine".
    p : float
        The power of "minkowski", at least 1.
    weights : {"uniform", "distance"} or function
        What a vote counts: 1, 1 / distance (rows at distance 0 outvote all others), or what the
        function makes of an array of distances.
    eps : float
        How far the distances of the rows that vote may be off; 0 for exact search.
    bound : {"relative", "additive"}
        Whether eps is a share of the true distance or a distance.
    random_state : int
        Of the random projections of "hashing".

    Attributes
    ----------
    classes_ : array
        The labels, sorted.
    k_ : int
        How many rows vote.
    index_ : ChosenIndex
        Which index was made, and why; prints as a sentence.
    bound_ : Bound
        What the search promises, None for "hashing", which promises nothing; prints as a sentence.
    recall_ : Recall or None
        Which share of the true neighbours "hashing" finds, measured on training rows.

    References
    ----------
    .. [1] T. M. Cover, P. E. Hart (1967). Nearest neighbor pattern classification. IEEE
       Transactions on Information Theory 13, 21-27.
    .. [2] C. J. Stone (1977). Consistent nonparametric regression. Annals of Statistics 5, 595-620.

    Examples
    --------
    >>> model = KNN(3).fit([[0.0], [1.0], [2.0], [7.0], [9.0]], list("aaabb"))
    >>> model.predict([[4.0], [6.0]]).tolist()
    ['a', 'b']
    >>> model.predict_proba([[4.0]]).round(2).tolist()
    [[0.67, 0.33]]
    >>> print(model.index_)
    brute: 5 rows of 1 features are few
    """

    def __init__(
        self,
        k: int | str = 5,
        *,
        index: str = "auto",
        metric: str = "euclidean",
        p: float = 2.0,
        weights: Any = "uniform",
        eps: float = 0.0,
        bound: str = "relative",
        random_state: int = 0,
    ) -> None:
        self.k = k
        self.index = index
        self.metric = metric
        self.p = p
        self.weights = weights
        self.eps = eps
        self.bound = bound
        self.random_state = random_state

    def fit(self, X: Features, y: Any) -> KNN:
        """Store the rows in an index."""
        self._check_options()
        X, y = validate_data(self, X, y, dtype=np.float64, order="C")
        self.classes_, self._codes = _coded(y)
        self.k_ = k_of(self.k, len(X))
        self._metric = Metric.of(self.metric, X, self.p)
        self.index_ = choose_index(
            self.index,
            self._metric.coordinates(X),
            p=self._metric.p,
            k=self.k_,
            bound=Bound.of(self.eps, self.bound),
            seed=self.random_state,
        )
        self.bound_ = self.index_.bound
        self.recall_ = getattr(self.index_.index, "recall", None)
        return self

    def kneighbors(self, X: Features, n_neighbors: int | None = None) -> tuple[Floats, Rows]:
        """Return distances and training rows of the nearest, nearest first."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64, order="C")
        n = len(self._codes)
        k = self.k_ if n_neighbors is None else k_of(n_neighbors, n, "n_neighbors")
        neighbours = self.index_.index.query(self._metric.coordinates(X), k)
        return self._metric.distances(neighbours.reduced), neighbours.rows

    def predict_proba(self, X: Features) -> Floats:
        """Return M_k / M for each class."""
        return posteriors(self._votes(X))

    def predict(self, X: Features) -> Anything:
        """Return the class with most votes."""
        winners = self._votes(X).argmax(axis=1)
        return np.asarray(self.classes_[winners])

    def predict_plan(
        self,
        X: Features,
        Y: Codes,
        plan: Plan,
        *,
        classes: Sequence[Label],
        scores: bool = False,
    ) -> tuple[SplitOutput, ...]:
        """Return what is predicted in every split, for every column of labels; see `SharedWork`.

        One search gives every tested case its nearest cases; each split takes the nearest of those
        it trains on, as often as it does. Metrics that learn from training rows and searches that
        may miss neighbours, which differ from split to split, are fitted plainly.

        Examples
        --------
        >>> from referee.core import Dataset
        >>> from referee.resampling import LeaveOneOut
        >>> data = Dataset.of([[0.0], [1.0], [2.0], [7.0], [9.0], [11.0]], list("aaabbb"))
        >>> plan = LeaveOneOut().plan(data)
        >>> outputs = KNN(1).predict_plan(data.X, data.codes[:, None], plan, classes=data.classes)
        >>> [int(o.predicted[0, 0]) for o in outputs[:6]]
        [0, 0, 0, 1, 1, 1]
        """
        self._check_options()
        Y = label_columns(Y, plan.n, len(classes))
        sizes = [
            k_of(self.k, s.n_train, where=f" of split {number}")
            for number, s in enumerate(plan.splits)
        ]
        same = self.metric not in ("seuclidean", "mahalanobis")
        if self.eps > 0 or self.index == "hashing" or not same:
            return plain_plan(self, X, Y, plan, classes=classes, scores=scores)
        try:
            values = numbers_of(X)
        except SteppedAside:
            return plain_plan(self, X, Y, plan, classes=classes, scores=scores)
        if mean_copies(values) > MOST_COPIES:
            return plain_plan(self, X, Y, plan, classes=classes, scores=scores)
        metric = Metric.of(self.metric, values, self.p)
        elected = predict_neighbours_plan(
            Searched.of(metric.coordinates(values), metric.p, max(sizes)),
            Y,
            plan,
            sizes=sizes,
            rule=InTrainingOrder(np.zeros(plan.n)),
            classes=classes,
            scores=scores,
            weights=self.weights,
            distances=metric.distances,
        )
        return tuple(SplitOutput(e.predicted, e.scores) for e in elected)

    def _votes(self, X: Features) -> Floats:
        distances, rows = self.kneighbors(X)
        return votes(self._codes[rows], weights_of(distances, self.weights), len(self.classes_))

    def _check_options(self) -> None:
        check_k(self.k)
        check_metric(self.metric, self.p)
        check_weights(self.weights)
        Bound.of(self.eps, self.bound)


def check_k(k: Any, name: str = "k") -> None:
    """Refuse what is neither a positive whole number nor "log"."""
    if isinstance(k, str) and k == "log" and name == "k":
        return
    if isinstance(k, bool) or not isinstance(k, Integral) or int(k) < 1:
        log = ", or 'log'" if name == "k" else ""
        raise InputError(
            f"{name} must be a whole number of at least 1{log}", concerning=name, value=repr(k)
        )


def k_of(k: Any, n: int, name: str = "k", where: str = "") -> int:
    """Return how many of n rows vote: k, or the logarithm of n, rounded up."""
    check_k(k, name)
    if k == "log":
        return max(1, math.ceil(math.log(n)))
    if k > n:
        raise InputError(
            f"{name} must be at most the number of training rows{where}, {n} (n_samples={n})",
            concerning=name,
            value=str(k),
            remedy="lower it or use k='log'",
        )
    return int(k)


def _coded(y: Anything) -> tuple[Anything, Codes]:
    """Return the classes, sorted, and the code of every label."""
    if y.dtype.kind in "biu":  # those are always classes, and need not be sorted to be coded
        classes = classes_of(y)
        return np.asarray(classes, dtype=y.dtype), encode(y, classes, "y")
    check_classification_targets(y)
    labels, codes = np.unique(y, return_inverse=True)
    return labels, codes
