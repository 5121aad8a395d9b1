"""What kind of model an estimator is: a classifier, a regressor, or one that does not say."""

from __future__ import annotations

from typing import Any

from sklearn.base import is_classifier, is_regressor

__all__ = ["kind_of"]


def kind_of(model: Any) -> str:
    """Return "classifier", "regressor", or nothing where a model does not say what it is.

    Examples
    --------
    >>> from sklearn.linear_model import Ridge
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> kind_of(make_pipeline(StandardScaler(), Ridge())), kind_of(object())
    ('regressor', '')
    """
    try:
        if is_classifier(model):
            return "classifier"
        return "regressor" if is_regressor(model) else ""
    except Exception:  # an object without scikit-learn's tags says nothing
        return ""
