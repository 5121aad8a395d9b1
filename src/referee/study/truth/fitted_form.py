"""The form in which a fitted model wants its features: a table where it learned their names."""

from __future__ import annotations

from typing import Any

from referee.core.arrays import Floats

__all__ = ["as_fitted"]


def as_fitted(model: Any, X: Floats) -> Any:
    """Return X as a table with the names of the features the model was fitted on, if it has any.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from sklearn.preprocessing import StandardScaler
    >>> scaler = StandardScaler().fit(pd.DataFrame({"a": [0.0, 1.0], "b": [1.0, 3.0]}))
    >>> list(as_fitted(scaler, np.zeros((1, 2))).columns)
    ['a', 'b']
    """
    names = getattr(model, "feature_names_in_", None)
    if names is None or len(names) != X.shape[1]:
        return X
    import pandas as pd

    return pd.DataFrame(X, columns=list(names))
