"""Categories: columns of few words as numbers, learned in a moment."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from referee.core.arrays import Floats

__all__ = ["Categories", "are_categories"]

FEWER_THAN = 40
"""Distinct words of a category, as skrub counts them; a column with more is text."""


def are_categories(frame: pd.DataFrame) -> bool:
    """Say whether all columns are numbers or plain words of which there are few.

    Words that may be dates, numbers or another spelling of "missing" are for skrub to read.

    Examples
    --------
    >>> are_categories(pd.DataFrame({"size": [1.0, 2.0], "colour": ["red", None]}))
    True
    >>> are_categories(pd.DataFrame({"day": ["2020-01-01", "2020-01-02"]}))
    False
    """
    return all(_numeric(frame[c]) or _plain_words(frame[c]) for c in frame)


def _numeric(column: pd.Series[Any]) -> bool:
    return bool(pd.api.types.is_numeric_dtype(column.dtype))


def _plain_words(column: pd.Series[Any]) -> bool:
    if not (pd.api.types.is_object_dtype(column.dtype) or isinstance(column.dtype, pd.StringDtype)):
        return False
    present = column.dropna().tolist()
    if not all(isinstance(cell, str) for cell in present):
        return False
    words = list(dict.fromkeys(present))
    if len(words) >= FEWER_THAN or any(_is_number(word) for word in words):
        return False
    return not words or _kept(pd.Series(words, dtype=object))


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _kept(words: pd.Series[Any]) -> bool:
    """Say whether skrub would read these words as nothing but words."""
    from skrub import Cleaner

    read = Cleaner().fit_transform(pd.DataFrame({"words": words}))
    return bool(read.shape[1]) and read["words"].astype(object).tolist() == words.tolist()


class Categories(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Turn the words of each column into indicators, or into their number in the alphabet.

    The numbers are those of skrub's `TableVectorizer` with scikit-learn's `OneHotEncoder` or
    `OrdinalEncoder`, for tables where `are_categories` says yes; that one looks at every column
    in many ways at every fit, which takes ten times as long. A missing word is a category of its
    own. A word that the training rows have not has no indicator, and the number -1. A column
    without any value in the training rows is left out.

    Parameters
    ----------
    indicators : bool
        One column per word; otherwise one per column, with the number of its word.

    Attributes
    ----------
    words_ : dict of column to list of words, or None where the column is a number
        In order; None, the missing one, comes last.

    Examples
    --------
    >>> frame = pd.DataFrame({"colour": ["red", "blue", None], "size": [1.0, 2.0, 3.0]})
    >>> Categories().fit_transform(frame).tolist()
    [[0.0, 1.0, 0.0, 1.0], [1.0, 0.0, 0.0, 2.0], [0.0, 0.0, 1.0, 3.0]]
    >>> Categories(indicators=False).fit_transform(frame).tolist()
    [[1.0, 1.0], [0.0, 2.0], [nan, 3.0]]
    """

    def __init__(self, *, indicators: bool = True) -> None:
        self.indicators = indicators

    def fit(self, X: pd.DataFrame, y: Any = None) -> Categories:
        """Learn the words of every column."""
        self.feature_names_in_ = np.asarray(X.columns, dtype=object)
        self.n_features_in_ = X.shape[1]
        words = {c: _words(X[c]) for c in X.columns}
        self.words_ = {c: known for c, known in words.items() if known != [None]}
        return self

    def transform(self, X: pd.DataFrame) -> Floats:
        """Return the columns as numbers, in their order."""
        check_is_fitted(self)
        parts = [self._numbers(X[c], words) for c, words in self.words_.items()]
        return np.column_stack([*parts, np.empty((len(X), 0), dtype=np.float32)])

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the names of the new columns."""
        check_is_fitted(self)
        names = []
        for column, words in self.words_.items():
            whole = words is None or not self.indicators
            names += [str(column)] if whole else [f"{column}_{_shown(w)}" for w in words or ()]
        return np.array(names, dtype=object)

    def _numbers(self, column: pd.Series[Any], words: list[str | None] | None) -> Floats:
        if words is None:
            return np.asarray(column.to_numpy(dtype=np.float32, na_value=np.nan)[:, None])
        number = {word: place for place, word in enumerate(words)}
        codes = np.array([number.get(cell, -1) for cell in _cells(column)])
        if self.indicators:
            return np.asarray(codes[:, None] == np.arange(len(words)), dtype=np.float32)
        ordinal = codes.astype(np.float32)
        ordinal[codes == number.get(None, len(words))] = np.nan
        return np.asarray(ordinal[:, None])


def _words(column: pd.Series[Any]) -> list[str | None] | None:
    """Return the words of a column, or None for one of numbers."""
    if _numeric(column):
        return None if column.notna().any() else [None]
    present = set(_cells(column))
    missing: list[str | None] = [None] if None in present else []
    return [*sorted(word for word in present if word is not None), *missing]


def _cells(column: pd.Series[Any]) -> list[Any]:
    """Return the words, and None for whatever stands for a missing one."""
    cells = column.tolist()
    return [c if isinstance(c, str) else None if pd.isna(c) else c for c in cells]


def _shown(word: str | None) -> str:
    return "missing" if word is None else word
