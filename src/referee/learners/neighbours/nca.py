"""NcaKNN: nearest neighbours in a metric that is learned from the labels."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.neighbors import NeighborhoodComponentsAnalysis
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from referee.core.arrays import Anything, Features, Floats
from referee.core.randomness import RandomState, integer_seed
from referee.errors import InputError
from referee.learners.neighbours.knn import KNN

__all__ = ["NcaKNN"]


class NcaKNN(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """k nearest neighbours after neighbourhood components analysis.

    Features are standardised, then mapped linearly so that cases of one class come to lie near
    each other (scikit-learn's NeighborhoodComponentsAnalysis), then searched by `KNN`. All of it
    is learned in `fit`, hence from the training rows of each fold alone.

    Parameters
    ----------
    k : int or "log"
        How many rows vote.
    n_components : int, optional
        Dimensions of the mapped features; all by default.
    max_iter : int
        Steps of the optimiser; it may stop there without having converged.
    random_state : int, Generator or RandomState, optional
        Where the optimiser begins, if that is random.

    Attributes
    ----------
    components_ : array of shape (n_components, d)
        The map from standardised features.
    n_iter_ : int
        Steps that the optimiser took.
    classes_ : array
        The labels, sorted.

    References
    ----------
    .. [1] J. Goldberger, S. Roweis, G. Hinton, R. Salakhutdinov (2005). Neighbourhood components
       analysis. Advances in Neural Information Processing Systems 17, 513-520.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> NcaKNN(5, n_components=2, random_state=0).fit(X, y).components_.shape
    (2, 4)
    """

    def __init__(
        self,
        k: int | str = 5,
        *,
        n_components: int | None = None,
        max_iter: int = 50,
        random_state: RandomState = None,
    ) -> None:
        self.k = k
        self.n_components = n_components
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: Features, y: Any) -> NcaKNN:
        """Learn scales, metric and neighbours."""
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        most, d = self.n_components, X.shape[1]
        if most is not None and not 1 <= most <= d:
            raise InputError(
                f"must lie between 1 and the {d} features", argument="n_components", value=str(most)
            )
        metric = NeighborhoodComponentsAnalysis(
            most, max_iter=self.max_iter, random_state=integer_seed(self.random_state) % 2**31
        )
        self.pipeline_ = make_pipeline(StandardScaler(), metric, KNN(self.k))
        with warnings.catch_warnings():
            # A fixed number of steps is what was asked for.
            warnings.simplefilter("ignore", ConvergenceWarning)
            self.pipeline_.fit(X, y)
        self.components_, self.n_iter_ = metric.components_, metric.n_iter_
        self.classes_ = self.pipeline_[-1].classes_
        return self

    def predict(self, X: Features) -> Anything:
        """Return the class with most votes."""
        return np.asarray(self._checked().predict(self._values(X)))

    def predict_proba(self, X: Features) -> Floats:
        """Return the share of votes of each class."""
        return np.asarray(self._checked().predict_proba(self._values(X)))

    def _checked(self) -> Any:
        check_is_fitted(self)
        return self.pipeline_

    def _values(self, X: Features) -> Floats:
        return np.asarray(validate_data(self, X, reset=False, dtype=np.float64))
