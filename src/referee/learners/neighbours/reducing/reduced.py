"""ReducedKNN: what all nearest-neighbour rules with fewer cases share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from referee.core.arrays import Anything, Codes, Features, Floats, Rows
from referee.errors import InputError
from referee.learners.neighbours.knn import KNN

__all__ = ["ReducedKNN"]

_LARGEST = 1e150
"""Squares of larger numbers are infinite, and all distances alike."""


class ReducedKNN(ClassifierMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """Answer with the class of the nearest of the cases that were kept.

    Distances are Euclidean; of equally near cases the one that came first in training answers.

    Attributes
    ----------
    classes_ : array of shape (k,)
        The labels, sorted.
    kept_ : array of int
        The training rows that were kept, ascending.
    n_kept_, n_cases_ : int
        How many cases answer, and how many there were.
    cases_, codes_ : arrays of shape (n_kept, d) and (n_kept,)
        The cases that answer, and their classes as positions in `classes_`.
    """

    kept_: Rows
    classes_: Anything

    def fit(self, X: Features, y: Any) -> Self:
        """Choose the cases to keep."""
        self._check_options()
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        _refuse_huge(X)
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.cases_, self.codes_ = self._reduce(X, codes)
        self.n_cases_, self.n_kept_ = len(X), len(self.cases_)
        self._rule = KNN(1).fit(self.cases_, self.codes_)
        return self

    def predict(self, X: Features) -> Anything:
        """Return the label of the nearest kept case."""
        codes = self._nearest_codes(X)
        return np.asarray(self.classes_[codes])

    def predict_proba(self, X: Features) -> Floats:
        """Return 1 for the class of the nearest kept case, 0 for the others."""
        codes = self._nearest_codes(X)
        return np.asarray(np.eye(len(self.classes_))[codes])

    def _nearest_codes(self, X: Features) -> Codes:
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64)
        return np.asarray(self._rule.predict(X))

    def _reduce(self, X: Floats, codes: Codes) -> tuple[Floats, Codes]:
        """Return the cases that will answer and their classes."""
        self.kept_ = np.sort(self._kept(X, codes))
        return X[self.kept_], codes[self.kept_]

    @abstractmethod
    def _kept(self, X: Floats, codes: Codes) -> Rows:
        """Return the rows to keep."""

    def _check_options(self) -> None:
        """Refuse impossible parameters."""


def _refuse_huge(X: Floats) -> None:
    if np.abs(X).max() > _LARGEST:
        raise InputError(
            f"must lie between -{_LARGEST:g} and {_LARGEST:g} to have distances",
            argument="X",
            value=f"{X.flat[np.abs(X).argmax()]:g}",
            remedy="put features to one scale first",
        )
