"""Rows for a model whose features are similarities of all pairs of cases: a kernel matrix."""

from __future__ import annotations

from typing import Any

from referee.core.arrays import Features, Rows
from referee.core.dataset import take_rows
from referee.errors import InputError

__all__ = ["is_pairwise", "rows_for"]


def rows_for(
    model: Any, X: Features, rows: Rows, train: Rows, pairwise: bool | None = None
) -> Features:
    """Return rows of X and, where they hold a value for each case, the columns of those trained on.

    Whether they do is asked of the model, unless it is known to be `pairwise` or not.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.svm import SVC
    >>> K = np.arange(9).reshape(3, 3)
    >>> rows_for(SVC(kernel="precomputed"), K, np.array([2]), np.array([0, 1])).tolist()
    [[6, 7]]
    >>> rows_for(SVC(), K, np.array([2]), np.array([0, 1])).tolist()
    [[6, 7, 8]]
    """
    taken = take_rows(X, rows)
    if not (is_pairwise(model) if pairwise is None else pairwise):
        return taken
    n, columns = X.shape
    if n != columns:
        raise InputError(
            "must be a square matrix of all pairs of cases for this model",
            argument="X",
            value=f"{n} rows and {columns} columns",
            remedy="give the kernel matrix of all cases",
        )
    return taken.iloc[:, train] if hasattr(taken, "iloc") else taken[:, train]


def is_pairwise(model: Any) -> bool:
    """Tell whether the model takes a value for each pair of cases, as precomputed kernels do."""
    from sklearn.utils import get_tags

    try:
        return bool(get_tags(model).input_tags.pairwise)
    except (AttributeError, TypeError):  # a classifier of another make has no tags
        return False
