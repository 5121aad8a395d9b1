"""Empty columns: those without a single value in the training rows, made constant."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from referee.core.arrays import Features, Floats

__all__ = ["EmptyColumns"]


class EmptyColumns(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Put zeros into columns that hold no value in the training rows.

    Such columns occur in single folds when few rows have a value. Gradient boosting, which takes
    missing values otherwise, breaks on them.

    Attributes
    ----------
    empty_ : array of bool
        Which columns had no value.

    Examples
    --------
    >>> X = np.array([[np.nan, 1.0], [np.nan, np.nan]])
    >>> EmptyColumns().fit(X).transform([[7.0, np.nan]]).tolist()
    [[0.0, nan]]
    """

    def fit(self, X: Features, y: Any = None) -> EmptyColumns:
        """Find the columns without a value."""
        values = self._validated(X, reset=True)
        self.empty_ = np.isnan(values).all(axis=0)
        return self

    def transform(self, X: Features) -> Floats:
        """Return the features as an array, with zeros in the columns found by `fit`."""
        check_is_fitted(self)
        values = self._validated(X, reset=False)
        values[:, self.empty_] = 0.0
        return values

    def _validated(self, X: Features, *, reset: bool) -> Floats:
        values: Floats = validate_data(
            self, X, reset=reset, dtype=np.float64, ensure_all_finite="allow-nan", copy=True
        )
        return values

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
