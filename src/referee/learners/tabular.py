"""Tabular: an estimator made ready for a table, learning all preparation inside each fold."""

from __future__ import annotations

from typing import Any

import pandas as pd
from scipy import sparse

from referee.core.arrays import Features
from referee.learners.last_step import last_step

__all__ = ["SCALE_SENSITIVE", "for_table"]

SCALE_SENSITIVE = frozenset(
    {
        "GaussianProcessClassifier",
        "KNN",
        "KNeighborsClassifier",
        "LinearSVC",
        "LinearSVM",
        "LogisticRegression",
        "MLPClassifier",
        "NearestCentroid",
        "NuSVC",
        "Perceptron",
        "RadiusNeighborsClassifier",
        "ReducedKNN",
        "RidgeClassifier",
        "SGDClassifier",
        "SVC",
        "SVM",
        "Selected",
    }
)
"""Classes whose predictions change with the units of the features."""


_DENSE_ONLY = frozenset(
    {
        "GaussianBayes",
        "GaussianNB",
        "HistGradientBoostingClassifier",
        "KNN",
        "LinearDiscriminantAnalysis",
        "NcaKNN",
        "QuadraticDiscriminantAnalysis",
        "ReducedKNN",
        "SVM",
        "Selected",
    }
)


def _dense(estimator: Any) -> list[Any]:
    """Return the step that unpacks a sparse matrix for models that take none."""
    if not _is_a(estimator, _DENSE_ONLY) or estimator is not last_step(estimator)[1]:
        return []
    from sklearn.preprocessing import FunctionTransformer

    return [FunctionTransformer(_unpacked, accept_sparse=True)]


def _unpacked(X: Any) -> Any:
    return X.toarray() if hasattr(X, "toarray") else X


def for_table(estimator: Any, X: Features) -> Any:
    """Wrap an estimator in the preparation that a table needs.

    Everything that is learned from data (categories, means to impute, scales) is a step of the
    pipeline returned, hence learned from the training rows of each fold alone. Only the kinds of
    the columns and whether anything is missing are looked at here.

    Parameters
    ----------
    estimator : classifier
        A scikit-learn classifier or pipeline.
    X : DataFrame, array or sparse matrix
        The features: numbers with NaN, and in DataFrames also strings with None.

    Returns
    -------
    estimator
        - Columns of text: categories, text and dates become numbers (by skrub, or by `Categories`
          where there are no others), missing values are imputed with an indicator where the
          estimator cannot take them, and columns are scaled.
        - Numbers, some missing: imputed by the mean, with an indicator, where the estimator cannot
          take them; scaled for the classes of `SCALE_SENSITIVE`.
        - Numbers, none missing: standardised for the classes of `SCALE_SENSITIVE`.
        - Sparse: divided by the largest absolute value for the classes of `SCALE_SENSITIVE`.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.svm import SVC
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X = pd.DataFrame({"age": [39.0, 50.0], "income": [10.0, 20.0]})
    >>> for_table(SVC(), X)
    Pipeline(steps=[('standardscaler', StandardScaler()), ('svc', SVC())])
    >>> for_table(DecisionTreeClassifier(), X)
    DecisionTreeClassifier()
    """
    if _ignores_features(estimator):
        return estimator
    if sparse.issparse(X):
        return _after([*_scaler("MaxAbsScaler", estimator), *_dense(estimator)], estimator)
    frame = pd.DataFrame(X)
    if any(not pd.api.types.is_numeric_dtype(dtype) for dtype in frame.dtypes):
        return _vectorised(estimator, frame)
    scaler = _scaler("StandardScaler", estimator)
    if frame.isna().to_numpy().any():
        return _after([*_imputer(estimator), *scaler], _robust(estimator))
    return _after(scaler, estimator)


def _after(steps: list[Any], estimator: Any) -> Any:
    from sklearn.pipeline import make_pipeline

    return make_pipeline(*steps, estimator) if steps else estimator


def _is_a(estimator: Any, names: frozenset[str]) -> bool:
    return any(base.__name__ in names for base in type(last_step(estimator)[1]).__mro__)


def _ignores_features(estimator: Any) -> bool:
    return _is_a(estimator, frozenset({"DummyClassifier"}))


def _scaler(name: str, estimator: Any) -> list[Any]:
    """Return a scaler for a bare scale-sensitive estimator; pipelines bring their own.

    Standard scores are negative, which kernels of histograms do not take, and a kernel matrix is
    not a table of features.
    """
    from sklearn import preprocessing
    from sklearn.utils import get_tags

    if not _is_a(estimator, SCALE_SENSITIVE) or estimator is not last_step(estimator)[1]:
        return []
    tags = get_tags(estimator).input_tags
    return [] if tags.positive_only or tags.pairwise else [getattr(preprocessing, name)()]


def _imputer(estimator: Any) -> list[Any]:
    from sklearn.impute import SimpleImputer
    from sklearn.utils import get_tags

    if get_tags(estimator).input_tags.allow_nan:
        from referee.learners.empty_columns import EmptyColumns

        return [EmptyColumns()]
    # A column without any value in a training fold stays, as zeros: dropping it would warn.
    return [SimpleImputer(add_indicator=True, keep_empty_features=True)]


def _vectorised(estimator: Any, frame: pd.DataFrame) -> Any:
    from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder
    from skrub import StringEncoder, tabular_pipeline

    from referee.learners.categories import Categories, are_categories

    pipeline = tabular_pipeline(_robust(estimator))
    vectorizer = pipeline.steps[0][1]
    # Unseeded, the encoder of columns with many distinct texts gives other numbers at every fit.
    vectorizer.set_params(high_cardinality=StringEncoder(random_state=0))
    if isinstance(vectorizer.low_cardinality, OneHotEncoder):
        # skrub's own encoder drops a category of two, and then warns of unknown categories.
        encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False, dtype="float32")
        vectorizer.set_params(low_cardinality=encoder)
    indicators = isinstance(vectorizer.low_cardinality, OneHotEncoder)
    if (indicators or isinstance(vectorizer.low_cardinality, OrdinalEncoder)) and are_categories(
        frame
    ):
        return _after([Categories(indicators=indicators), *pipeline[1:-1]], pipeline[-1])
    return pipeline


def _robust(estimator: Any) -> Any:
    """Give quadratic discriminant analysis the shrinkage without which indicators break it.

    Indicators of categories and of missing values are collinear within a class, so that the
    plain maximum-likelihood covariance has no inverse.
    """
    from sklearn.base import clone

    if type(estimator).__name__ != "QuadraticDiscriminantAnalysis":
        return estimator
    settings = estimator.get_params()
    if settings.get("shrinkage", "unknown") is None and settings["reg_param"] == 0.0:
        return clone(estimator).set_params(solver="eigen", shrinkage="auto")
    return estimator
